package import Foundation
package import HomeModel

/// Gives a person a part in a home.
package struct AddUser: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The name that others see.
    package var name: String
    /// What the person may do: ``Role/administrator`` or ``Role/guest``.
    package var role: Role
    /// Another of the caller's homes and the person's ID in it, if they have a part in one; nil for somebody new.
    package var person: Target?

    /// Makes the parameters.
    package init(home: UUID, name: String, role: Role, person: Target? = nil) {
        self.home = home
        self.name = name
        self.role = role
        self.person = person
    }
}

/// Gives a person of a home another role.
package struct SetRole: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The person.
    package var id: UUID
    /// The new role.
    package var role: Role

    /// Makes the parameters.
    package init(home: UUID, id: UUID, role: Role) {
        self.home = home
        self.id = id
        self.role = role
    }
}
