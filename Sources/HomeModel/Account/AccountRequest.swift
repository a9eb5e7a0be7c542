package import Foundation

/// What can be asked of a user's own log. ``Account/decide(_:)`` holds the rule of each.
package enum AccountRequest: Hashable, Sendable {
    /// Adds a home; the first one becomes the primary home.
    case addHome(id: UUID, name: String)
    /// Removes a home; the next one becomes the primary home if this one was.
    case removeHome(UUID)
    /// Gives a home another name in the user's list.
    case renameHome(UUID, name: String)
    /// Makes a home the one that is meant unless another is named.
    case setPrimaryHome(UUID)
    /// Allows an app the use of the user's homes, or denies it.
    case decideApp(String, purpose: String, isAllowed: Bool)
    /// Forgets what was decided of an app.
    case forgetApp(String)
}
