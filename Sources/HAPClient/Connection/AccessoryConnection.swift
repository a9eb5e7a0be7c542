internal import HAP
internal import NIOCore

/// One TCP connection to an accessory server: turns requests into bytes and bytes into responses and events, plain at
/// first and in frames once it is secured. It lives on its event loop and is used only there.
///
/// A class because a channel handler is one. It is not Sendable: others hold it in a `NIOLoopBound`.
final class AccessoryConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What comes from the accessory.
    enum Inbound {
        /// The answer to the request that was sent last.
        case response(HTTPResponse)
        /// The answer to the request that was sent last, which the end of the connection ended: ``closed(_:)`` follows.
        case lastResponse(HTTPResponse)
        /// An event.
        case event(EventMessage)
        /// The connection is over. Nothing comes after it.
        case closed(UnreachableCause)
    }

    /// Where the accessory server was reached.
    let address: AccessoryAddress
    /// What is read of a response once the connection is secured.
    private let limits: HTTPLimits
    private var reader = HTTPResponseReader(limits: .pairing)
    private var frames: (sealer: FrameSealer, opener: FrameOpener)?
    private var context: ChannelHandlerContext?
    private var isAwaitingResponse = false
    private var receive: ((Inbound) -> Void)?
    /// Why the connection is over, `nil` while it stands.
    private var end: UnreachableCause?

    init(to address: AccessoryAddress, limits: HTTPLimits) {
        self.address = address
        self.limits = limits
    }

    /// Sets who hears of arrivals, in order and on the event loop. If the connection is over, that comes at once.
    func onInbound(_ receive: @escaping (Inbound) -> Void) {
        if let end {
            receive(.closed(end))
        } else {
            self.receive = receive
        }
    }

    /// Sends a request. The former one must have been answered.
    func send(_ request: HTTPRequest) {
        guard let context, end == nil else { return }
        precondition(!isAwaitingResponse, "one request at a time")
        isAwaitingResponse = true
        var bytes = request.encoded()
        do {
            if let sealed = try frames?.sealer.seal(bytes) { bytes = sealed }
        } catch {
            return close(because: .protocolViolation("a request could not be encrypted"))
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// From now on every byte in both directions travels in frames under these keys.
    func secure(with keys: SessionKeys) {
        guard reader.isBetweenMessages else {
            return close(because: .protocolViolation("it sent plain bytes on a secured connection"))
        }
        reader = HTTPResponseReader(limits: limits)
        frames = (FrameSealer(key: keys.controllerToAccessory), FrameOpener(key: keys.accessoryToController))
    }

    /// Whether nothing can be sent any more.
    var isOver: Bool { end != nil || context == nil }

    /// The connection's channel, nil once it is gone.
    var channel: (any Channel)? { context?.channel }

    /// Closes the connection. Nothing arrives any more, not even the close.
    func close() {
        receive = nil
        close(because: .connectionLost)
    }

    /// Closes the connection; the cause arrives as the last.
    func close(because cause: UnreachableCause) {
        finish(cause)
        context?.close(promise: nil)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        do {
            if let plaintext = try frames?.opener.open(buffer.readableBytesView) {
                reader.receive(plaintext)
            } else {
                reader.receive(buffer.readableBytesView)
            }
        } catch {
            return close(because: .protocolViolation("it sent a frame that can't be read"))
        }
        deliverMessages()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isAwaitingResponse, frames?.opener.isBetweenFrames ?? true, let response = reader.finish() {
            receive?(.lastResponse(response))
        }
        finish(.connectionLost)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(because: UnreachableCause(error))
    }

    private func deliverMessages() {
        do {
            while receive != nil, let message = try reader.next() {
                switch message {
                case .event(let event):
                    receive?(.event(event))
                case .response(let response):
                    guard isAwaitingResponse else {
                        return close(because: .protocolViolation("it answered without being asked"))
                    }
                    isAwaitingResponse = false
                    receive?(.response(response))
                }
            }
        } catch {
            close(because: .protocolViolation(error.description))
        }
    }

    private func finish(_ cause: UnreachableCause) {
        guard end == nil else { return }
        end = cause
        let receive = receive
        self.receive = nil
        receive?(.closed(cause))
    }
}
