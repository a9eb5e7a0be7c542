package import Foundation

/// A person who has a part in the home.
package struct UserRecord: Hashable, Sendable, Identifiable {
    /// The person's identity within this home. It says nothing about their account.
    package var id: UUID
    /// The name that others see.
    package var name: String
    /// What the person may do.
    package var role: Role
    /// Whether the person can do nothing until the owner confirms them: the home was restored from a copy, and since the
    /// copy was made they may have been removed.
    package var isSuspended: Bool

    /// Makes the record of a person.
    package init(id: UUID, name: String, role: Role, isSuspended: Bool = false) {
        self.id = id
        self.name = name
        self.role = role
        self.isSuspended = isSuspended
    }
}

extension UserRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, role, isSuspended
    }

    /// Reads a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            role: try container.decode(Role.self, forKey: .role),
            isSuspended: try container.decodeIfPresent(Bool.self, forKey: .isSuspended) ?? false
        )
    }

    /// Writes a record; whether the person is suspended only if they are.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(role, forKey: .role)
        if isSuspended { try container.encode(isSuspended, forKey: .isSuspended) }
    }
}
