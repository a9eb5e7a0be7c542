package import LocalRPC
package import NIOCore
import NIOPosix

/// A connection to a server over a channel: JSON lines. The transports of sockets differ in how they connect.
///
/// Messages arrive on one thread of the transport. Requests wait until the connection is open.
package final class ChannelTransport<Event: RPCEvent>: RPCTransport {
    // This is a class because it is one connection. All of its state belongs to one event loop.

    /// Connects on an event loop.
    ///
    /// The second argument adds the handler of messages to a channel; nothing may reach it before the result is there.
    /// The result is the channel, once its server is known to be the expected one.
    package typealias Connect =
        @Sendable (any EventLoop, @escaping @Sendable (any Channel) throws -> Void) -> EventLoopFuture<any Channel>

    private struct State {
        enum Phase {
            case connecting(waiting: [RPCRequest])
            case open(any Channel)
            case over
        }

        var phase = Phase.connecting(waiting: [])
        var receive: (@Sendable (RPCMessage<Event>) -> Void)?
    }

    private let server: String
    private let connect: Connect
    private let explain: @Sendable (any Error) -> RPCError
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - server: The server's name without an article, for errors.
    ///   - explain: A closure that returns the error of a connection that can't be opened.
    ///   - connect: A closure that connects.
    package init(
        to server: String,
        explain: @escaping @Sendable (any Error) -> RPCError,
        connect: @escaping Connect
    ) {
        self.server = server
        self.explain = explain
        self.connect = connect
        loop = MultiThreadedEventLoopGroup.singleton.next()
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Connects. Failures arrive as `closed`.
    package func open(_ receive: @escaping @Sendable (RPCMessage<Event>) -> Void) {
        loop.execute {
            self.state.value.receive = receive
            self.connect(self.loop) { channel in
                let handler = ClientHandler<Event>(server: self.server) { self.received($0) }
                try channel.pipeline.syncOperations.addHandler(handler)
            }
            .whenComplete { result in
                switch result {
                case .success(let channel): self.begin(on: channel)
                case .failure(let error): self.end((error as? RPCError) ?? self.explain(error))
                }
            }
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
            self.end(RPCError(.connectionLost, "This program closed its connection to the \(self.server)."))
        }
    }

    private func begin(on channel: any Channel) {
        guard case .connecting(let waiting) = state.value.phase else { return channel.close(promise: nil) }
        state.value.phase = .open(channel)
        for request in waiting {
            channel.write(request, promise: nil)
        }
        channel.flush()
        channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
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
}
