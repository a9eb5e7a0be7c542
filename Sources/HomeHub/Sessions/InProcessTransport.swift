import Dispatch
public import Foundation
public import HubAPI
import Synchronization

/// The way to a hub in the same process: the same messages as on a socket, without the socket.
public final class InProcessTransport: HubTransport {
    // A class, because a connection has an identity.

    private let hub: HomeHub
    private let user: UUID?
    private let session = Mutex<HubSession?>(nil)
    private let queue = DispatchQueue(label: "hearth.in-process-transport")

    /// Makes a way to the hub.
    ///
    /// - Parameter user: Whose client it is; the hub's own user unless given.
    public init(to hub: HomeHub, as user: UUID? = nil) {
        self.hub = hub
        self.user = user
    }

    /// Opens a session on the hub. `receive` runs on a queue of the transport's own.
    public func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let queue = queue
        let opened = hub.accept(as: user) { message in
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
