import Glibc
package import LocalRPC
import NIOCore
import NIOPosix

/// A connection to a server on this machine: JSON lines on its Unix socket.
///
/// Messages arrive on one thread of the transport. The transport sends nothing before it has checked the credentials of
/// the server.
package final class UnixSocketTransport<Event: RPCEvent>: RPCTransport {
    // This is a class because it is one connection. All of its state belongs to one event loop.

    private struct State {
        enum Phase {
            case connecting(waiting: [RPCRequest])
            case open(any Channel)
            case over
        }

        var phase = Phase.connecting(waiting: [])
        var receive: (@Sendable (RPCMessage<Event>) -> Void)?
    }

    private let path: String
    private let server: SocketServer
    private let isTrusted: @Sendable (SocketPeer) -> Bool
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

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
        self.path = path
        self.server = server
        self.isTrusted = isTrusted
        loop = MultiThreadedEventLoopGroup.singleton.next()
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Connects. Failures arrive as `closed`: `noHub` if no server responds, `untrustedHub` if another user's program does.
    package func open(_ receive: @escaping @Sendable (RPCMessage<Event>) -> Void) {
        loop.execute {
            self.state.value.receive = receive
            self.connect()
        }
    }

    /// Sends a request as soon as the connection is open.
    package func send(_ request: RPCRequest) {
        loop.execute {
            switch self.state.value.phase {
            case .connecting(let waiting): self.state.value.phase = .connecting(waiting: waiting + [request])
            case .open(let channel): channel.writeAndFlush(request, promise: nil)
            case .over: break
            }
        }
    }

    /// Ends the connection.
    package func close() {
        loop.execute {
            self.end(RPCError(.connectionLost, "This program closed its connection to the \(self.server.name)."))
        }
    }

    private func connect() {
        // Nothing is read before the peer's credentials are known.
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ClientHandler<Event>(server: self.server.name) { self.received($0) }
                    )
                }
            }
            .connect(unixDomainSocketPath: path)
            .flatMap { channel in
                channel.socketPeer().flatMap { peer in self.begin(on: channel, with: peer) }
            }
            .whenFailure { error in
                self.end(RPCError(.noHub, self.explanation(of: error)))
            }
    }

    private func begin(on channel: any Channel, with peer: SocketPeer) -> EventLoopFuture<Void> {
        guard isTrusted(peer) else {
            channel.close(promise: nil)
            let reason = "Another user (uid \(peer.userID)) runs the program at \(path), so it is not trusted."
            end(RPCError(.untrustedHub, server.trustAdvice.map { "\(reason) \($0(peer.userID))" } ?? reason))
            return loop.makeSucceededVoidFuture()
        }
        guard case .connecting(let waiting) = state.value.phase else {
            return channel.close()
        }
        state.value.phase = .open(channel)
        for request in waiting {
            channel.write(request, promise: nil)
        }
        channel.flush()
        return channel.setOption(.autoRead, value: true)
    }

    private func received(_ message: RPCMessage<Event>) {
        guard case .open = state.value.phase else { return }
        switch message {
        case .closed(let error): end(error)
        case .reply, .event: state.value.receive?(message)
        }
    }

    private func end(_ error: RPCError) {
        let phase = state.value.phase
        if case .over = phase { return }
        let receive = state.value.receive
        state.value = State(phase: .over)
        if case .open(let channel) = phase { channel.close(promise: nil) }
        receive?(.closed(error))
    }

    private func explanation(of error: any Error) -> String {
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
