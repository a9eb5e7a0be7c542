package import Foundation
package import HubAPI

/// The authority of a connection: the user, the device, the kind of client and the way.
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
        /// A device of the user's that isn't the hub's machine: a browser that has signed in, or an agent's. It chooses its
        /// app identifier, and the way limits the methods that it can call.
        case device
    }

    /// The user whose rights the connection has.
    package var user: UUID
    /// The ID of the client's device.
    package var device: UUID
    /// The kind of client.
    package var client: Client
    /// The way by which the client reaches the hub.
    package var way: Way

    /// Creates an authority.
    ///
    /// - Parameter way: The way; by default ``LocalRPC/Way/near`` for devices and ``LocalRPC/Way/here`` for others.
    package init(user: UUID, device: UUID, client: Client, way: Way? = nil) {
        self.user = user
        self.device = device
        self.client = client
        self.way = way ?? (client == .device ? .near : .here)
    }

    /// The app's identifier if the connection is limited to one app; `nil` if the client chooses its identifier.
    package var app: String? {
        if case .app(let app) = client { app } else { nil }
    }
}
