package import Foundation

/// A request to change a user's own log. ``Account/decide(_:)`` holds the rules.
package enum AccountRequest: Hashable, Sendable {
    /// Adds a home. The first one becomes the primary home.
    case addHome(id: UUID, name: String)
    /// Removes a home. If it was the primary home, the next one becomes primary.
    case removeHome(UUID)
    /// Renames a home in the user's list.
    case renameHome(UUID, name: String)
    /// Sets the home that is used by default.
    case setPrimaryHome(UUID)
    /// Allows or denies an app the use of the user's homes.
    case decideApp(String, purpose: String, isAllowed: Bool)
    /// Forgets the decision about an app.
    case forgetApp(String)
}
