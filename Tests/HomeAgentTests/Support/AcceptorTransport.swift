import Dispatch
import HubAPI
import LocalRPC
import Synchronization

/// A connection in this process to whatever accepts sessions, with the messages of a socket.
final class AcceptorTransport: RPCTransport {
    // This is a class because a connection has an identity.

    private struct State {
        var session: (any RPCSession)?
        var receive: (@Sendable (HubMessage) -> Void)?
    }

    private let acceptor: any RPCSessionAcceptor<HubEvent>
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "test.acceptor-transport")

    init(to acceptor: any RPCSessionAcceptor<HubEvent>) {
        self.acceptor = acceptor
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        state.withLock { $0.receive = receive }
        let opened = acceptor.acceptConnection(on: nil) { [self] message in
            queue.async { self.deliver(message) }
        }
        state.withLock { $0.session = opened }
    }

    private func deliver(_ message: HubMessage) {
        let receive = state.withLock { state in
            if case .closed = message { return state.receive.take() }
            return state.receive
        }
        receive?(message)
    }

    func send(_ request: HubRequest) {
        state.withLock { $0.session }?.receive(request)
    }

    func close() {
        state.withLock { $0.session.take() }?.end()
        queue.async { self.deliver(.closed(HubError(.connectionLost, "This client closed its connection."))) }
    }
}
