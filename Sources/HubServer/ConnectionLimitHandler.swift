import HubAPI
import NIOCore

/// Tells a client that there is no room for it, and ends the connection.
final class ConnectionLimitHandler: ChannelInboundHandler {
    // A class, because NIO's handlers are.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limit: Int

    init(_ limit: Int) {
        self.limit = limit
    }

    func channelActive(context: ChannelHandlerContext) {
        let error = HubError(.tooManyConnections, "The hub has \(limit) connections and takes no more. Close some.")
        let line = context.channel.allocator.buffer(bytes: WireMessage.line(replyTo: nil, .failure(error)))
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line), promise: written)
    }
}
