package import HomeIdentity
package import HubAPI
package import Logging
package import NIOCore
import NIOPosix
import TLS

/// The hub's port on the network: TLS 1.3, in which both ends prove that they have their keys.
///
/// Devices that the hub knows get sessions, as at its Unix socket. While an invitation is open, unknown devices can join.
/// A device that was removed is told so.
package final class LinkListener: Sendable {
    // This is a class because it is one open port that is stopped once.

    /// The port.
    package let port: Int
    private let server: any Channel
    private let state: LinkServer

    private init(port: Int, server: any Channel, state: LinkServer) {
        self.port = port
        self.server = server
        self.state = state
    }

    /// Opens the port; once this returns, devices can connect.
    ///
    /// - Parameters:
    ///   - address: The address to listen at; port 0 for any free one.
    ///   - key: The hub's key.
    ///   - door: The hub.
    ///   - scope: The peers that can connect.
    ///   - limits: The limits of addresses and devices.
    ///   - logger: A logger for connections that were refused or failed.
    ///   - peer: A closure that returns what serves a device.
    ///   - hub: A closure that returns what takes the connection of another hub; `nil` for none.
    /// - Throws: ``HubError`` with `networkRefused` if the port can't be opened.
    package static func start(
        at address: SocketAddress,
        key: IdentityKey,
        door: any NetworkDoor,
        scope: NetworkScope = .local,
        limits: NetworkLimits = NetworkLimits(),
        logger: Logger,
        peer: @escaping LinkPeer.Lookup,
        hub: @escaping HubLink.Lookup = { _ in nil }
    ) async throws(HubError) -> LinkListener {
        do {
            let state = try LinkServer(
                key: key,
                door: door,
                scope: scope,
                limits: limits,
                logger: logger,
                peer: peer,
                hub: hub
            )
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try state.accept(channel) }
                }
                .bind(to: address)
                .get()
            return LinkListener(port: server.localAddress?.port ?? 0, server: server, state: state)
        } catch {
            throw HubError(
                .networkRefused,
                "The hub can't listen at \(address.ipAddress ?? "") port \(address.port ?? 0): \(error). "
                    + "Choose another address or port with --network."
            )
        }
    }

    /// Ends the connections of a device that was removed, also those that are being opened.
    ///
    /// Each is told the reason, and is closed even if the device doesn't read it.
    package func close(connectionsOf key: PublicKey, because error: HubError) {
        state.close(connectionsOf: key, because: error)
    }

    /// The number of connections whose key is known.
    package var connectionCount: Int { state.connections.count }

    /// Closes the port, tells every device that the hub is stopping, and ends the connections.
    package func stop() async {
        try? await server.close()
        await state.stop()
    }
}
