import HomeIdentity
import HubAPI
import LocalRPCSockets
import NIOCore
import Synchronization

/// The connections of each key, so that those of a removed device can be ended at once.
final class LinkConnections: Sendable {
    // This is a class because the listener and all connections share it.

    /// A connection whose key is known.
    struct Connection: Sendable {
        let channel: any Channel
        /// Whether it has a session, which can be told why it ends.
        var hasSession = false
        /// Whether it leads to another hub, which connects again by itself and needs no farewell.
        var isHub = false

        /// Ends the connection: tells its session why, and closes it even if the device doesn't read that.
        func end(because error: HubError, within time: TimeAmount) {
            guard hasSession else { return channel.close(promise: nil) }
            let channel = channel
            // The time begins once the message is written: an event loop that is busy would run both together, and the
            // end first.
            channel.eventLoop.execute {
                channel.writeAndFlush(SessionMessage.closed(error), promise: nil)
                channel.close(after: time)
            }
        }
    }

    private struct State {
        var connections: [PublicKey: [ObjectIdentifier: Connection]] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// Adds a connection until it closes, as soon as its key is known. Ask for the key's standing only afterwards: then
    /// a device that is removed meanwhile is either refused or closed.
    func add(_ channel: any Channel, of key: PublicKey) {
        let id = ObjectIdentifier(channel)
        let isOver = state.withLock { state in
            if !state.isOver { state.connections[key, default: [:]][id] = Connection(channel: channel) }
            return state.isOver
        }
        if isOver { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.connections[key]?[id] = nil
                if state.connections[key]?.isEmpty == true { state.connections[key] = nil }
            }
        }
    }

    /// Records that a connection has a session.
    func setHasSession(_ channel: any Channel, of key: PublicKey) {
        state.withLock { $0.connections[key]?[ObjectIdentifier(channel)]?.hasSession = true }
    }

    /// Records that a connection leads to another hub.
    func setIsHub(_ channel: any Channel, of key: PublicKey) {
        state.withLock { $0.connections[key]?[ObjectIdentifier(channel)]?.isHub = true }
    }

    /// The connections of a key.
    func connections(of key: PublicKey) -> [Connection] {
        state.withLock { $0.connections[key].map { Array($0.values) } ?? [] }
    }

    /// Ends all sessions and the connections to other hubs, and connections that are added later. The exchanges of joining
    /// devices can end.
    func endSessions(because error: HubError, within time: TimeAmount) {
        let connections = state.withLock { state in
            state.isOver = true
            return state.connections.values.flatMap(\.values)
        }
        for connection in connections where connection.hasSession || connection.isHub {
            connection.end(because: error, within: time)
        }
    }

    /// The number of connections whose key is known.
    var count: Int { state.withLock { $0.connections.values.reduce(0) { $0 + $1.count } } }
}
