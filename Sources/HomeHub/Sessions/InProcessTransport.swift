import Dispatch
public import HubAPI
import Synchronization

/// The way to a hub in the same process: the same messages as on a socket, without the socket.
public final class InProcessTransport: HubTransport {
    // A class, because a connection has an identity.

    private let hub: HomeHub
    private let authority: SessionAuthority
    private let session = Mutex<HubSession?>(nil)
    private let queue = DispatchQueue(label: "hearth.in-process-transport")

    /// Makes a way to the hub.
    ///
    /// - Parameter authority: Whose client it is, and what it can do.
    public init(to hub: HomeHub, as authority: SessionAuthority) {
        self.hub = hub
        self.authority = authority
    }

    /// Opens a session on the hub. `receive` runs on a queue of the transport's own.
    public func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let queue = queue
        let opened = hub.accept(as: authority) { message in
            // Handed over, so that a handler may call back into the transport.
            queue.async { receive(message) }
        }
        session.withLock { $0 = opened }
    }

    /// Hands a request to the hub.
    public func send(_ request: HubRequest) {
        session.withLock { $0 }?.receive(request)
    }

    /// Ends the session.
    public func close() {
        session.withLock { $0 }?.close()
    }
}
