import NIOCore

/// A channel handler that closes a connection that doesn't send a complete request in time, and says when it does.
final class StrangerHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let deadline: NIODeadline
    private var timeout: Scheduled<Void>?
    private var onGreeting: (() -> Void)?

    /// - Parameters:
    ///   - deadline: When the connection is closed.
    ///   - onGreeting: A closure that is called once: after the first complete request, or when the connection has ended.
    init(until deadline: NIODeadline, onGreeting: @escaping () -> Void) {
        self.deadline = deadline
        self.onGreeting = onGreeting
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        greet()
    }

    func channelInactive(context: ChannelHandlerContext) {
        greet()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if onGreeting != nil, unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n")) { greet() }
        context.fireChannelRead(data)
    }

    private func greet() {
        timeout?.cancel()
        onGreeting?()
        onGreeting = nil
    }
}
