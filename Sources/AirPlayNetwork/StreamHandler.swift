internal import NIOCore

/// Passes the bytes of a connection on. This is a class because NIO's handlers are.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receive: @Sendable (ByteBuffer) -> Void
    private let close: @Sendable () -> Void

    /// - Parameters:
    ///   - receive: A closure that takes bytes, called on the event loop.
    ///   - close: A closure that is called once the connection is closed.
    init(receive: @escaping @Sendable (ByteBuffer) -> Void, close: @escaping @Sendable () -> Void) {
        self.receive = receive
        self.close = close
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Sends bytes.
    func send(_ bytes: [UInt8]) {
        writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Sends bytes and closes the connection.
    func sendAndClose(_ bytes: [UInt8]) {
        writeAndFlush(ByteBuffer(bytes: bytes)).assumeIsolated().whenComplete { _ in self.close(promise: nil) }
    }
}
