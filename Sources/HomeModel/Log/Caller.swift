package import Foundation

/// Who asks for something. Made by the listener that a request came in through, never read from a message.
package struct Caller: Hashable, Sendable {
    /// The user.
    package var user: UUID
    /// The device that the user is on.
    package var device: UUID
    /// The app's identifier, for example `com.example.lights`.
    package var app: String
    /// This one connection of the app; changes are marked "mine" by it.
    package var client: UUID

    /// Makes a caller.
    package init(user: UUID, device: UUID, app: String, client: UUID) {
        self.user = user
        self.device = device
        self.app = app
        self.client = client
    }
}
