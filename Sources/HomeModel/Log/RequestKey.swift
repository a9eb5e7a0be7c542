package import Foundation

/// Names a request as its client does, on whichever connection it comes. Nobody gets the replies to another's requests:
/// the same key of another user or app is another request.
package struct RequestKey: Hashable, Sendable {
    /// The user who asked.
    package var user: UUID
    /// The app by which they asked.
    package var app: String
    /// What the client calls the request.
    package var key: UUID

    /// Names a request.
    package init(user: UUID, app: String, key: UUID) {
        self.user = user
        self.app = app
        self.key = key
    }
}
