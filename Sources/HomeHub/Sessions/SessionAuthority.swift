package import Foundation

/// The authority of a connection: the user, the device and the kind of client.
///
/// Whoever accepts the connection makes it, from what the operating system or a certificate says. It is never read from a
/// message.
package struct SessionAuthority: Hashable, Sendable {
    /// The kind of client.
    package enum Client: Hashable, Sendable {
        /// A program of the user's own, such as `hearth`. It says which app it is, and can call every method.
        case person
        /// One app, whatever the client says. It can call the methods for apps, and can't have the hub connect to addresses.
        case app(String)
    }

    /// The user whose rights the connection has.
    package var user: UUID
    /// The device at the other end.
    package var device: UUID
    /// The kind of client.
    package var client: Client

    /// Creates an authority.
    package init(user: UUID, device: UUID, client: Client) {
        self.user = user
        self.device = device
        self.client = client
    }

    /// The app's identifier if the connection can only be that app; `nil` if the client says which app it is.
    package var app: String? {
        if case .app(let app) = client { app } else { nil }
    }
}
