import HAPClient
import HAPServer
import NIOCore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ports that exist in this process only, and connections to them in memory.
final class MemoryNetwork: Sendable {
    // A class, because accessories and the hub share it.

    private struct Listener {
        let eventLoop: any EventLoop
        let accept: ServerListener.Accept
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastPort = 0
    }

    private let state = Mutex(State())

    /// Opens a port for an accessory server: a new one for 0.
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

    /// Connects to the ports, whatever the host.
    var connector: AccessoryConnector {
        AccessoryConnector { address, _, eventLoop, initializer in
            guard let listener = self.state.withLock({ $0.listeners[address.port] }) else {
                return eventLoop.makeFailedFuture(IOError(errnoCode: ECONNREFUSED, reason: "nobody listens"))
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
