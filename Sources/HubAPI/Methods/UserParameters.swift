public import Foundation
public import HomeModel

/// Gives a person a part in a home.
public struct AddUser: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The name that others see.
    public var name: String
    /// What the person may do: ``Role/administrator`` or ``Role/guest``.
    public var role: Role
    /// Another of the caller's homes and the person's ID in it, if they have a part in one; nil for somebody new.
    public var person: Target?

    /// Makes the parameters.
    public init(home: UUID, name: String, role: Role, person: Target? = nil) {
        self.home = home
        self.name = name
        self.role = role
        self.person = person
    }
}

/// Gives a person of a home another role.
public struct SetRole: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The person.
    public var id: UUID
    /// The new role.
    public var role: Role

    /// Makes the parameters.
    public init(home: UUID, id: UUID, role: Role) {
        self.home = home
        self.id = id
        self.role = role
    }
}
