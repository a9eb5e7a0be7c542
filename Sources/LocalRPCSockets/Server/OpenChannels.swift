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
        let timeouts = channels.map { channel -> Scheduled<Void>? in
            guard let message else {
                channel.close(promise: nil)
                return nil
            }
            channel.writeAndFlush(message, promise: nil)
            return channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
        for (channel, timeout) in zip(channels, timeouts) {
            try? await channel.closeFuture.get()
            timeout?.cancel()
        }
    }

    /// Closes all connections and waits until they are closed.
    package func close() async {
        await end(sending: nil as Never?, within: .zero)
    }
}
