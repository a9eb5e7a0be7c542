package import Foundation

/// Adds a user to the home.
package struct AddUser: AdditionRequest {
    /// The ID of the user within the home, or `nil` to create one.
    package var id: UUID?
    /// The name that other users see.
    package var name: String
    /// The role: ``Role/administrator`` or ``Role/guest``.
    package var role: Role
    /// Whether none of the user's devices has joined yet. The hub decides it, so it isn't part of a message.
    package var isInvited = false

    private enum CodingKeys: String, CodingKey {
        case id, name, role
    }

    /// Creates a request.
    package init(id: UUID? = nil, name: String, role: Role, isInvited: Bool = false) {
        self.id = id
        self.name = name
        self.role = role
        self.isInvited = isInvited
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        let user = UserRecord(id: id ?? UUID(), name: name, role: role, isInvited: isInvited)
        return try home.addUser(user, by: home.activeRole(of: caller.user))
    }
}

/// Removes a user from the home. A user who removes themselves leaves it.
package struct RemoveUser: ItemRequest {
    /// The user.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeUser(id)
    }
}

/// Changes the role of a user.
package struct SetRole: HomeRequest, Codable {
    /// The new role.
    package var role: Role
    /// The user.
    package var id: UUID

    /// Creates a request.
    package init(_ role: Role, of id: UUID) {
        self.role = role
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setRole(role, of: id, by: home.activeRole(of: caller.user))
    }
}

/// Allows a user to use the home from away, or no longer.
package struct SetMayBeAway: HomeRequest, Codable {
    /// Whether the user may.
    package var isAllowed: Bool
    /// The user.
    package var id: UUID

    /// Creates a request.
    package init(_ isAllowed: Bool, of id: UUID) {
        self.isAllowed = isAllowed
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setMayBeAway(isAllowed, of: id, by: home.activeRole(of: caller.user))
    }
}

/// Reinstates a user who has been suspended since the home was restored.
package struct ConfirmUser: ItemRequest {
    /// The user.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.confirmUser(id, by: home.activeRole(of: caller.user))
    }
}
