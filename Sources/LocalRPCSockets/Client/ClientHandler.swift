import LocalRPC
import NIOCore

/// A channel handler that decodes the server's messages and encodes requests.
final class ClientHandler<Event: RPCEvent>: ChannelDuplexHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RPCRequest
    typealias OutboundOut = ByteBuffer

    private let server: String
    private let deliver: (RPCMessage<Event>) -> Void
    private var lines = LineDecoder(limit: RPCLimits.messageBytes)

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - server: The server's name, for errors.
    ///   - deliver: A closure that receives each message, and `closed` when the connection ends or a message is invalid.
    init(server: String, deliver: @escaping (RPCMessage<Event>) -> Void) {
        self.server = server
        self.deliver = deliver
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for element in unwrapInboundIn(data).withUnsafeReadableBytes({ lines.decode($0) }) {
            switch element {
            case .tooLong:
                deliver(.closed(RPCError(.malformedMessage, "The \(server) sent a message without an end.")))
            case .line(let line):
                do {
                    guard let message = try WireFormat<Event>.message(from: line) else { continue }
                    deliver(message)
                } catch {
                    deliver(.closed(error))
                }
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliver(.closed(RPCError(.connectionLost, "The \(server) ended the connection.")))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        deliver(.closed(RPCError(.connectionLost, "The connection to the \(server) failed: \(error).")))
        context.close(promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        let line = WireFormat<Event>.line(request)
        let count = line.count - 1 - request.untilBytes
        guard count <= RPCLimits.requestBytes else {
            let reason =
                "The call of \(request.method) has \(count) bytes; "
                + "the \(server) accepts \(RPCLimits.requestBytes). Split it into several calls."
            deliver(.reply(id: request.id, .failure(RPCError(.malformedMessage, reason))))
            promise?.succeed()
            return
        }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: line)), promise: promise)
    }
}
