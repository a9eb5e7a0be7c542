package import NIOCore
import Synchronization

/// The open connections of a listener, up to a limit.
package final class OpenChannels: Sendable {
    // This is a class because the listener and the initializer of each connection share it.

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isOver = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty register.
    ///
    /// - Parameter limit: The maximum number of connections.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection until it closes. After ``end(sending:within:)``, it closes the connection instead.
    ///
    /// - Returns: Whether the limit allows it.
    package func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let (isOver, isAdded) = state.withLock { state in
            let isAdded = state.channels.count < limit
            if !state.isOver, isAdded { state.channels[id] = channel }
            return (state.isOver, isAdded)
        }
        if isOver { channel.close(promise: nil) }
        if isAdded, !isOver {
            channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: id) } }
        }
        return isAdded
    }

    /// Ends all connections and waits until they are closed.
    ///
    /// - Parameters:
    ///   - message: A last message to write to each, for its handlers; `nil` closes the connections immediately.
    ///   - limit: The time that clients have to read the message.
    package func end(sending message: (some Sendable)?, within limit: TimeAmount) async {
        let channels = state.withLock { state in
            state.isOver = true
            return Array(state.channels.values)
        }
        for channel in channels {
            guard let message else {
                channel.close(promise: nil)
                continue
            }
            // The time begins once the message is written: an event loop that is busy would run both together, and the
            // end first.
            channel.eventLoop.execute {
                channel.writeAndFlush(message, promise: nil)
                channel.close(after: limit)
            }
        }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    /// Closes all connections and waits until they are closed.
    package func close() async {
        await end(sending: nil as Never?, within: .zero)
    }
}

extension Channel {
    /// Closes the channel after a time, unless it closes before. Call it on the channel's event loop.
    package func close(after time: TimeAmount) {
        let timeout = eventLoop.scheduleTask(in: time) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timeout.cancel() }
    }
}
