package import Foundation

/// The origin of a request. Created by the listener that receives the request, never decoded from a message.
package struct Caller: Hashable, Sendable {
    /// The user.
    package var user: UUID
    /// The user's device.
    package var device: UUID
    /// The app's identifier, for example `com.example.lights`.
    package var app: String
    /// The app's connection. Changes are marked with `isMine` for it.
    package var client: UUID
    /// Whether the request came through a relay, from outside the home's network. Logs don't keep it.
    package var isAway: Bool

    /// Creates a caller.
    package init(user: UUID, device: UUID, app: String, client: UUID, isAway: Bool = false) {
        self.user = user
        self.device = device
        self.app = app
        self.client = client
        self.isAway = isAway
    }
}
