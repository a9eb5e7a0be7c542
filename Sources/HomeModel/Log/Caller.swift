public import Foundation

/// Who asks for something. Made by the listener that a request came in through, never read from a message.
public struct Caller: Hashable, Sendable {
    /// The user.
    public var user: UUID
    /// The device that the user is on.
    public var device: UUID
    /// The app's identifier, for example `com.example.lights`.
    public var app: String
    /// This one connection of the app; changes are marked "mine" by it.
    public var client: UUID

    /// Makes a caller.
    public init(user: UUID, device: UUID, app: String, client: UUID) {
        self.user = user
        self.device = device
        self.app = app
        self.client = client
    }
}
