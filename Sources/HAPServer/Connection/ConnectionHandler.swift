internal import ChannelSockets
internal import HAP
internal import NIOCore

/// A channel handler that forwards events to the server with direct calls, because both run on the same event loop.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The server's method for received bytes, without its isolation.
    ///
    /// Call it only on the server's event loop. `assumeIsolated` casts its closure in the same way; but to ask the runtime
    /// for the executor and to make two closures, for each message, takes as long as to parse a request.
    private static let receive: @Sendable (AccessoryServer, ByteBuffer, Connection) -> Void = {
        let receive: @Sendable (isolated AccessoryServer, ByteBuffer, Connection) -> Void = { $0.received($1, on: $2) }
        return unsafeBitCast(receive, to: (@Sendable (AccessoryServer, ByteBuffer, Connection) -> Void).self)
    }()

    private let id: ConnectionID
    private let connection: NIOLoopBound<Connection>
    private let server: AccessoryServer

    init(_ connection: Connection, id: ConnectionID, server: AccessoryServer) {
        self.id = id
        self.connection = NIOLoopBound(connection, eventLoop: connection.eventLoop)
        self.server = server
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connection.value.writer = SocketWriter(context)
        connection.value.isWritable = context.channel.isWritable
        if context.channel.isActive { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connection.value.writer = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.read()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // `connection.value` checks that this is its event loop, on which the server accepted it.
        Self.receive(server, unwrapInboundIn(data), connection.value)
    }

    /// Reads on only if the input can be handled, so that a sender can't make the server buffer more than one request.
    func channelReadComplete(context: ChannelHandlerContext) {
        if connection.value.canRead { context.read() }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection.value.isWritable = context.channel.isWritable
        if connection.value.isWritable { onServer { [id] in $0.resume(id) } }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        onServer { [id] in $0.closed(id) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Calls `body` on the server. A closure that is passed to `assumeIsolated` itself would check its isolation again.
    private func onServer(_ body: (isolated AccessoryServer) -> Void) {
        server.assumeIsolated(body)
    }
}
