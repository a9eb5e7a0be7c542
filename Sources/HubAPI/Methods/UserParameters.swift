package import Foundation
package import HomeModel

/// Adds a user to a home: the request ``HomeModel/AddUser``, and the user's ID in another home.
package struct AddHomeUser: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The name that other users see.
    package var name: String
    /// The role: ``Role/administrator`` or ``Role/guest``.
    package var role: Role
    /// Another of the caller's homes and the user's ID in it, if they have access to one; `nil` for a new user.
    package var person: ItemTarget?

    /// Creates the parameters.
    package init(home: UUID, name: String, role: Role, person: ItemTarget? = nil) {
        self.home = home
        self.name = name
        self.role = role
        self.person = person
    }
}
