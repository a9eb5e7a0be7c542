package import HomeIdentity
package import HubAPI
package import Logging
import NIOCore
import NIOPosix

/// The hub's end of connections that somebody else has opened, such as through a relay: serves each as the port on the
/// network does. Whoever carries them can neither read nor change what they carry.
package final class SocketAcceptor: Sendable {
    // This is a class because it owns the connections, and stops once.

    private let state: LinkServer

    /// Creates an acceptor.
    ///
    /// - Parameters:
    ///   - key: The hub's key.
    ///   - door: The hub.
    ///   - limits: The limits of sources and devices.
    ///   - logger: A logger for connections that were refused or failed.
    ///   - peer: A closure that returns what serves a device.
    ///   - hub: A closure that returns what takes the connection of another hub; `nil` for none.
    /// - Throws: ``HubError`` with `networkRefused` if the key can't be used.
    package init(
        key: IdentityKey,
        door: any NetworkDoor,
        limits: NetworkLimits = NetworkLimits(),
        logger: Logger,
        peer: @escaping LinkPeer.Lookup,
        hub: @escaping HubLink.Lookup = { _ in nil }
    ) throws(HubError) {
        do {
            state = try LinkServer(
                key: key,
                door: door,
                scope: .local,
                limits: limits,
                logger: logger,
                peer: peer,
                hub: hub
            )
        } catch {
            throw HubError(.networkRefused, "The hub's key can't be used: \(error).")
        }
    }

    /// Serves a connection.
    ///
    /// - Parameters:
    ///   - socket: The connected socket, which this closes.
    ///   - source: What the limits of strangers count, such as the feed of a pipe.
    ///   - invitation: A closure that returns the only invitation with which a device can join; `nil` for any.
    ///   - accepts: A closure that decides which of the hub's devices may connect. The handshake asks it, on any thread.
    package func accept(
        _ socket: CInt,
        from source: String,
        invitation: (@Sendable (PublicKey) -> InvitationID?)? = nil,
        accepts: @escaping @Sendable (PublicKey) -> Bool
    ) {
        let source = LinkServer.Source(network: source, address: "", accepts: accepts, invitation: invitation)
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { [state] channel in
                channel.eventLoop.makeCompletedFuture { try state.accept(channel, from: source) }
            }
            .withConnectedSocket(socket)
            .whenFailure { _ in }
    }

    /// Ends the connections of a device, also those that are being opened. Each is told the reason.
    package func close(connectionsOf key: PublicKey, because error: HubError) {
        state.close(connectionsOf: key, because: error)
    }

    /// The number of connections whose key is known.
    package var connectionCount: Int { state.connections.count }

    /// Tells every device that the hub is stopping, and ends the connections.
    package func stop() async { await state.stop() }
}
