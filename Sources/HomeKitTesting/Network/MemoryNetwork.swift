import HAPClient
import HAPServer
import NIOCore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An in-memory network whose ports exist only in this process.
final class MemoryNetwork: Sendable {
    // This is a class because accessories and the hub share it.

    private struct Listener {
        let eventLoop: any EventLoop
        let accept: ServerListener.Accept
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastPort = 0
    }

    private let state = Mutex(State())

    /// Opens a port for an accessory server, or a new port if `port` is 0.
    func open(_ eventLoop: any EventLoop, _ port: Int, _ accept: @escaping ServerListener.Accept) -> ServerListener {
        let port = state.withLock { state in
            if port == 0 { state.lastPort += 1 }
            let port = port == 0 ? state.lastPort : port
            state.listeners[port] = Listener(eventLoop: eventLoop, accept: accept)
            return port
        }
        return ServerListener(port: port) { [self] in
            _ = state.withLock { $0.listeners.removeValue(forKey: port) }
        }
    }

    /// A connector to the ports. It ignores the host.
    var connector: AccessoryConnector {
        AccessoryConnector { address, _, eventLoop, initializer in
            guard let listener = self.state.withLock({ $0.listeners[address.port] }) else {
                return eventLoop.makeFailedFuture(IOError(errnoCode: ECONNREFUSED, reason: "connection refused"))
            }
            let (client, server) = MemoryChannel.pair(eventLoop, listener.eventLoop)
            return listener.eventLoop
                .submit {
                    do {
                        try listener.accept(server)
                        server.open()
                    } catch {
                        server.close(promise: nil)
                        throw error
                    }
                }
                .hop(to: eventLoop)
                .flatMap { initializer(client) }
                .map { () -> any Channel in
                    client.open()
                    return client
                }
                .flatMapErrorThrowing { error in
                    client.close(promise: nil)
                    throw error
                }
        }
    }
}
