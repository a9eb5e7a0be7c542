import Dispatch
import HubAPI
import LocalRPC
import Synchronization

/// A connection in this process to whatever accepts sessions, with the messages of a socket.
final class AcceptorTransport: RPCTransport {
    // This is a class because a connection has an identity.

    private let acceptor: any RPCSessionAcceptor<HubEvent>
    private let session = Mutex<(any RPCSession)?>(nil)
    private let queue = DispatchQueue(label: "test.acceptor-transport")

    init(to acceptor: any RPCSessionAcceptor<HubEvent>) {
        self.acceptor = acceptor
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let opened = acceptor.acceptConnection(on: nil) { [queue] message in queue.async { receive(message) } }
        session.withLock { $0 = opened }
    }

    func send(_ request: HubRequest) {
        session.withLock { $0 }?.receive(request)
    }

    func close() {
        session.withLock { $0.take() }?.end()
    }
}
