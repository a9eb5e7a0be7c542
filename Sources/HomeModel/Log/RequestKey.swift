package import Foundation

/// The idempotency key of a request, valid on all connections of its client. The same key of another user or app is a
/// different request, so that no client gets another client's reply.
package struct RequestKey: Hashable, Sendable {
    /// The user who sent the request.
    package var user: UUID
    /// The app that sent the request.
    package var app: String
    /// The client's key for the request.
    package var key: UUID

    /// Creates a key.
    package init(user: UUID, app: String, key: UUID) {
        self.user = user
        self.app = app
        self.key = key
    }
}
