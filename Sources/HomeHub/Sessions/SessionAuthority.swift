package import Foundation

/// The authority of a connection: the user, the device and the kind of client.
///
/// The code that accepts the connection creates it from information of the operating system or a certificate, never
/// from a message.
package struct SessionAuthority: Hashable, Sendable {
    /// The kind of client.
    package enum Client: Hashable, Sendable {
        /// A program of the user's own, such as `hearth`. It chooses its app identifier and can call every method.
        case person
        /// A specific app, regardless of what the client claims. It can call the methods for apps, and can't specify
        /// network addresses.
        case app(String)
        /// A device that has signed in over HTTP. It can call every method except those for the hub's own machine.
        case device
    }

    /// The user whose rights the connection has.
    package var user: UUID
    /// The ID of the client's device.
    package var device: UUID
    /// The kind of client.
    package var client: Client

    /// Creates an authority.
    package init(user: UUID, device: UUID, client: Client) {
        self.user = user
        self.device = device
        self.client = client
    }

    /// The app's identifier if the connection is limited to one app; `nil` if the client chooses its identifier.
    package var app: String? {
        if case .app(let app) = client { app } else { nil }
    }
}
