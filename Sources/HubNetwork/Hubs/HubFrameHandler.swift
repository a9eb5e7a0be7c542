import LocalRPC
import NIOCore
import TLS

/// A channel handler that reads and writes the frames between two hubs.
final class HubFrameHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let onOpen: () -> Void
    private let onFrame: (HubFrame) -> Void
    private let onClose: () -> Void
    private var lines = LineDecoder(limit: HubLinkLimits.lineBytes)

    /// - Parameter onOpen: A closure that is called when the other end has proved its key. At the accepting end it has done so
    ///   before.
    init(onOpen: @escaping () -> Void, onFrame: @escaping (HubFrame) -> Void, onClose: @escaping () -> Void) {
        self.onOpen = onOpen
        self.onFrame = onFrame
        self.onClose = onClose
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .pinned(let name, _)? = event as? TLSEvent {
            guard name == .hearthHub else { return context.close(promise: nil) }
            return onOpen()
        }
        // Neither end sends the end of its data and goes on.
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for element in unwrapInboundIn(data).withUnsafeReadableBytes({ lines.decode($0) }) {
            guard case .line(let line) = element, let frame = HubFrame(line: line) else {
                return context.close(promise: nil)
            }
            onFrame(frame)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
