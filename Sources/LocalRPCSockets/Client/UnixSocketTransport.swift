import Glibc
package import LocalRPC
import NIOCore
import NIOPosix

/// A connection to a server on this machine: JSON lines on its Unix socket.
///
/// Messages arrive on one thread of the transport. The transport sends nothing before it has checked the credentials of
/// the server.
package final class UnixSocketTransport<Event: RPCEvent>: RPCTransport {
    // This is a class because it is one connection.

    private let transport: ChannelTransport<Event>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - server: The expected server.
    ///   - isTrusted: A closure that decides whether the peer can be the server.
    package init(
        path: String,
        to server: SocketServer,
        isTrusted: @escaping @Sendable (SocketPeer) -> Bool = { $0.isTrusted() }
    ) {
        transport = ChannelTransport(to: server.name) { error in
            RPCError(.noHub, Self.explanation(of: error, at: path, server))
        } connect: { loop, addHandler in
            // Nothing is read before the peer's credentials are known.
            ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try addHandler(channel) }
                }
                .connect(unixDomainSocketPath: path)
                .flatMap { channel in
                    channel.socketPeer().flatMapThrowing { peer in
                        guard isTrusted(peer) else {
                            channel.close(promise: nil)
                            throw Self.distrust(of: peer, at: path, server)
                        }
                        return channel
                    }
                }
        }
    }

    /// Connects. Failures arrive as `closed`: `noHub` if no server responds, `untrustedHub` if another user's program does.
    package func open(_ receive: @escaping @Sendable (RPCMessage<Event>) -> Void) {
        transport.open(receive)
    }

    /// Sends a request as soon as the connection is open.
    package func send(_ request: RPCRequest) {
        transport.send(request)
    }

    /// Ends the connection.
    package func close() {
        transport.close()
    }

    private static func distrust(of peer: SocketPeer, at path: String, _ server: SocketServer) -> RPCError {
        let reason = "Another user (uid \(peer.userID)) runs the program at \(path), so it is not trusted."
        return RPCError(.untrustedHub, server.trustAdvice.map { "\(reason) \($0(peer.userID))" } ?? reason)
    }

    private static func explanation(of error: any Error, at path: String, _ server: SocketServer) -> String {
        let cause =
            switch error {
            case let error as IOError where error.errnoCode == ENOENT: "there is no such socket"
            case let error as IOError where error.errnoCode == ECONNREFUSED:
                "the \(server.name) that created the socket has ended"
            case let error as IOError where error.errnoCode == EACCES: "this user has no permission to open it"
            case SocketAddressError.unixDomainSocketPathTooLong: "the path is too long for a socket"
            default: "\(error)"
            }
        return "No \(server.name) answers at \(path): \(cause). \(server.startAdvice)"
    }
}
