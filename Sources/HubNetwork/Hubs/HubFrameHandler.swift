import LocalRPC
import NIOCore
import TLS

/// A channel handler that reads and writes the frames between two hubs.
final class HubFrameHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let onOpen: () -> Void
    private let onFrame: (HubFrame) -> Bool
    private let onClose: () -> Void
    private var context: ChannelHandlerContext?
    /// What has come after reading should have stopped, in order: the rest of what was read at once.
    private var rest: ArraySlice<HubFrame> = []
    private var isStopped = false
    private var lines = LineDecoder(limit: HubLinkLimits.lineBytes)

    /// - Parameter onOpen: A closure that is called when the other end has proved its key. At the accepting end it has done so
    ///   before.
    /// - Parameter onFrame: A closure that takes a frame, and returns whether it takes another one. If not, nothing is read
    ///   before ``resume()``.
    init(onOpen: @escaping () -> Void, onFrame: @escaping (HubFrame) -> Bool, onClose: @escaping () -> Void) {
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
            rest.append(frame)
        }
        deliver()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Goes on to deliver frames, and to read.
    func resume() {
        guard isStopped else { return }
        isStopped = false
        deliver()
        if !isStopped { setReading(true) }
    }

    private func deliver() {
        while !isStopped, let frame = rest.popFirst() {
            guard !onFrame(frame) else { continue }
            isStopped = true
            setReading(false)
        }
    }

    private func setReading(_ isOn: Bool) {
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
