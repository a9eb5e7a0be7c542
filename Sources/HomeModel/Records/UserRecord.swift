package import Foundation

/// A user of the home.
package struct UserRecord: Hashable, Sendable, Identifiable {
    /// The user's ID within this home, which is unrelated to the user's account.
    package var id: UUID
    /// The name that other users see.
    package var name: String
    /// The user's role.
    package var role: Role
    /// Whether the user has no access until the owner confirms it. Users are suspended when the home is restored from a
    /// copy, because they may have been removed since the copy was made.
    package var isSuspended: Bool
    /// Whether the user was added and none of their devices has joined or signed in yet.
    package var isInvited: Bool
    /// Whether the user may use the home from away, if somebody has decided it; `nil` if the role decides.
    package var awayChoice: Bool?

    /// Whether the user may use the home from away. By default guests may not.
    package var mayBeAway: Bool { awayChoice ?? role.canEditLayout }

    /// Creates the record of a user.
    package init(
        id: UUID,
        name: String,
        role: Role,
        isSuspended: Bool = false,
        isInvited: Bool = false,
        awayChoice: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.isSuspended = isSuspended
        self.isInvited = isInvited
        self.awayChoice = awayChoice
    }
}

extension UserRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, role, isSuspended, isInvited
        case awayChoice = "mayBeAway"
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            role: try container.decode(Role.self, forKey: .role),
            isSuspended: try container.decodeIfPresent(Bool.self, forKey: .isSuspended) ?? false,
            isInvited: try container.decodeIfPresent(Bool.self, forKey: .isInvited) ?? false,
            awayChoice: try container.decodeIfPresent(Bool.self, forKey: .awayChoice)
        )
    }

    /// Encodes the record; `isSuspended` and `isInvited` only if they are `true`, and the choice only if there is one.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(role, forKey: .role)
        if isSuspended { try container.encode(isSuspended, forKey: .isSuspended) }
        if isInvited { try container.encode(isInvited, forKey: .isInvited) }
        try container.encodeIfPresent(awayChoice, forKey: .awayChoice)
    }
}
