import NIOCore
import NIOHTTP2

/// A channel handler that closes an HTTP/2 connection that has had no request for a while.
///
/// The connection's manager asks the client to end an idle connection. This handler ends one whose client doesn't answer.
final class IdleStreamGuard: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let idleTime: TimeAmount
    private var requests: Set<HTTP2StreamID> = []
    private var end: Scheduled<Void>?

    /// - Parameter idleTime: The maximum time without an open request.
    init(idleTime: TimeAmount) {
        self.idleTime = idleTime
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end?.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2StreamCreatedEvent:
            requests.insert(event.streamID)
            end?.cancel()
        case let event as StreamClosedEvent:
            if requests.remove(event.streamID) != nil, requests.isEmpty { schedule(context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func schedule(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        end = context.eventLoop.scheduleTask(in: idleTime) { bound.value.close(promise: nil) }
    }
}
