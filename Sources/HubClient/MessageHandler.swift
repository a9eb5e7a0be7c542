import HubAPI
import NIOCore

/// Turns the bytes of a connection into the hub's messages, and requests into bytes.
final class MessageHandler: ChannelDuplexHandler {
    // A class, because NIO's handlers are; it is used on its channel's event loop only.

    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HubRequest
    typealias OutboundOut = ByteBuffer

    private let deliver: (HubMessage) -> Void
    private var lines = LineDecoder(limit: HubProtocol.messageLimit)

    /// Makes a handler. `deliver` gets each message, and `closed` when the connection ends or makes no sense.
    init(deliver: @escaping (HubMessage) -> Void) {
        self.deliver = deliver
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for piece in unwrapInboundIn(data).withUnsafeReadableBytes({ lines.take($0) }) {
            switch piece {
            case .overlong:
                deliver(.closed(HubError(.malformedMessage, "The hub sent a message without an end.")))
            case .line(let line):
                do {
                    guard let message = try WireMessage.message(from: line) else { continue }
                    deliver(message)
                } catch {
                    deliver(.closed(error))
                }
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliver(.closed(HubError(.connectionLost, "The hub ended the connection.")))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        deliver(.closed(HubError(.connectionLost, "The connection to the hub failed: \(error).")))
        context.close(promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        let line = WireMessage.line(request)
        guard line.count - 1 <= HubProtocol.requestLimit else {
            let reason =
                "The call of \(request.method) takes \(line.count) bytes; "
                + "a hub takes \(HubProtocol.requestLimit). Make several calls of it."
            deliver(.reply(id: request.id, .failure(HubError(.malformedMessage, reason))))
            promise?.succeed()
            return
        }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: line)), promise: promise)
    }
}
