public import Foundation

/// A person who has a part in the home.
public struct UserRecord: Hashable, Sendable, Identifiable {
    /// The person's identity within this home. It says nothing about their account.
    public var id: UUID
    /// The name that others see.
    public var name: String
    /// What the person may do.
    public var role: Role

    /// Makes the record of a person.
    public init(id: UUID, name: String, role: Role) {
        self.id = id
        self.name = name
        self.role = role
    }
}

extension UserRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, role
    }

    /// Reads a record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            role: try container.decode(Role.self, forKey: .role)
        )
    }
}
