import LocalRPC
import NIOCore

/// A channel handler that rejects a client because the server has too many connections.
final class ConnectionLimitHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: String
    private let limit: Int

    init(of server: String, limit: Int) {
        self.server = server
        self.limit = limit
    }

    func channelActive(context: ChannelHandlerContext) {
        let error = RPCError(.tooManyConnections, "The \(server) has the maximum of \(limit) connections. Close some.")
        let line = context.channel.allocator.buffer(bytes: WireFormat<NoEvents>.line(replyTo: nil, .failure(error)))
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line), promise: written)
    }
}
