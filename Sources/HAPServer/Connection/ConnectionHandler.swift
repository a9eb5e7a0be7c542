internal import HAP
internal import NIOCore

/// Carries what happens on a channel to the server, which runs on the same event loop: calls, not messages.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let id: ConnectionID
    private let server: AccessoryServer

    init(id: ConnectionID, server: AccessoryServer) {
        self.id = id
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        server.assumeIsolated { [id] in $0.received(buffer, on: id) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { server.assumeIsolated { [id] in $0.resume(id) } }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.assumeIsolated { [id] in $0.closed(id) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Reads only when what comes can be served, so that a sender cannot make the server keep more than one request.
    func read(context: ChannelHandlerContext) {
        if server.assumeIsolated({ [id] in $0.canRead(id) }) { context.read() }
    }
}
