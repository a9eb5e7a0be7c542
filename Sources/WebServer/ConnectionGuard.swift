package import NIOCore
import Synchronization

/// The number of connections of each network address.
package final class ConnectionCounter: Sendable {
    // This is a class because all connections share it.

    private let limit: Int
    private let localLimit: Int
    private let counts = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - limit: The maximum number of connections from one address.
    ///   - localLimit: The maximum number from this machine; `nil` for as many as from another address.
    init(limit: Int, localLimit: Int? = nil) {
        self.limit = limit
        self.localLimit = localLimit ?? limit
    }

    /// The number of connections of all addresses.
    package var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Counts a connection.
    ///
    /// - Returns: Whether the limit allows it. If so, ``remove(_:)`` must follow.
    func add(_ address: String) -> Bool {
        let limit = RequestConnection.isLocal(address) ? localLimit : limit
        return counts.withLock { counts in
            guard counts[address, default: 0] < limit else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    /// Counts the end of a connection.
    func remove(_ address: String) {
        counts.withLock { counts in
            guard let count = counts[address] else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }
}

/// A channel handler that closes a connection if its address has too many, or if its client reads nothing for too long.
package final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    package typealias InboundIn = Any
    package typealias InboundOut = Any

    private let counter: ConnectionCounter?
    private let stallTime: TimeAmount
    private var address: String?
    private var stall: Scheduled<Void>?
    /// Called when the client has read enough that more can be written.
    package var onWritable: (() -> Void)?

    /// - Parameters:
    ///   - counter: The number of connections; `nil` if the channel is one of many on a connection.
    ///   - stallTime: The maximum time that the client reads nothing.
    package init(_ counter: ConnectionCounter?, stallTime: TimeAmount) {
        self.counter = counter
        self.stallTime = stallTime
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard let counter, address == nil, let address = context.channel.remoteAddress?.network else { return }
        guard counter.add(address) else { return context.close(promise: nil) }
        self.address = address
    }

    package func channelInactive(context: ChannelHandlerContext) {
        stall?.cancel()
        if let address { counter?.remove(address) }
        address = nil
        onWritable = nil
        context.fireChannelInactive()
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable { watch(context) }
        context.fireChannelWritabilityChanged()
        if context.channel.isWritable { onWritable?() }
    }

    /// Closes the connection if the client reads nothing in time.
    private func watch(_ context: ChannelHandlerContext) {
        let unread = unread(context.channel)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        stall = context.eventLoop.scheduleTask(in: stallTime) {
            let (handler, context) = bound.value
            guard !context.channel.isWritable else { return }
            if handler.unread(context.channel) < unread {
                handler.watch(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    /// The number of bytes that wait for the client.
    ///
    /// A stream of HTTP/2 can't tell it, so one that can't be written to for all of the time counts as not read.
    private func unread(_ channel: any Channel) -> Int {
        guard counter != nil else { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
