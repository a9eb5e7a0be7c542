package import Foundation

/// The idempotency key of a request, valid on all connections of its client. The same key of another user, device or app
/// is a different request, so that no client gets another client's reply.
package struct RequestKey: Hashable, Sendable {
    /// The sender: the user, on the hub's machine or on one of their devices.
    package var sender: UUID
    /// The app that sent the request.
    package var app: String
    /// The client's key for the request.
    package var key: UUID

    /// Creates a key.
    package init(sender: UUID, app: String, key: UUID) {
        self.sender = sender
        self.app = app
        self.key = key
    }
}
