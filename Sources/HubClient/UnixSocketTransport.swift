import Glibc
package import HubAPI
import NIOCore
import NIOPosix

/// The way to a hub on this machine: JSON lines on its Unix socket.
///
/// Messages are received on one thread of the transport. The hub is believed only when this process's user, root, or the
/// user that ``HubSocketPath/hubUserVariable`` names runs it.
package final class UnixSocketTransport: HubTransport {
    // A class, because it is one connection; all of its state belongs to one event loop.

    private struct State {
        enum Phase {
            case connecting(waiting: [HubRequest])
            case open(any Channel)
            case over
        }

        var phase = Phase.connecting(waiting: [])
        var receive: (@Sendable (HubMessage) -> Void)?
    }

    private let path: String
    private let isTrusted: @Sendable (SocketPeer) -> Bool
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// Makes a transport to the hub whose socket is at `path`, for example ``HubSocketPath/standard(environment:)``.
    package convenience init(path: String) {
        let hubUser = HubSocketPath.hubUser()
        self.init(path: path, isTrusted: { $0.isTrusted() || $0.userID == hubUser })
    }

    /// Makes a transport with another rule for which hub is believed.
    init(path: String, isTrusted: @escaping @Sendable (SocketPeer) -> Bool) {
        self.path = path
        self.isTrusted = isTrusted
        loop = MultiThreadedEventLoopGroup.singleton.next()
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Connects. Failures arrive as `closed`: `noHub` when nothing answers, `untrustedHub` when another user does.
    package func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        loop.execute {
            self.state.value.receive = receive
            self.connect()
        }
    }

    /// Sends a request, as soon as the connection stands.
    package func send(_ request: HubRequest) {
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
            self.end(HubError(.connectionLost, "This program closed its connection to the hub."))
        }
    }

    private func connect() {
        // Nothing is read before it is known who sent it.
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MessageHandler(deliver: { self.received($0) }))
                }
            }
            .connect(unixDomainSocketPath: path)
            .flatMap { channel in
                channel.socketPeer().flatMap { peer in self.begin(on: channel, with: peer) }
            }
            .whenFailure { error in
                self.end(HubError(.noHub, self.explanation(of: error)))
            }
    }

    private func begin(on channel: any Channel, with peer: SocketPeer) -> EventLoopFuture<Void> {
        guard isTrusted(peer) else {
            channel.close(promise: nil)
            let reason =
                "The program at \(path) is run by another user (uid \(peer.userID)); it is not trusted. If that user runs "
                + "your hub, say so with \(HubSocketPath.hubUserVariable)=\(peer.userID)."
            end(HubError(.untrustedHub, reason))
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

    private func received(_ message: HubMessage) {
        guard case .open = state.value.phase else { return }
        switch message {
        case .closed(let error): end(error)
        case .reply, .event: state.value.receive?(message)
        }
    }

    private func end(_ error: HubError) {
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
            case let error as IOError where error.errnoCode == ECONNREFUSED: "the hub that made the socket has ended"
            case let error as IOError where error.errnoCode == EACCES: "this user may not open it"
            case SocketAddressError.unixDomainSocketPathTooLong: "the path is too long for a socket"
            default: "\(error)"
            }
        return "No hub answers at \(path): \(cause). Start one with `hearth hub --data DIR`, or name its socket with "
            + "\(HubSocketPath.variable) or --socket."
    }
}
