internal import HAP
internal import NIOCore

/// A TCP connection to an accessory server.
///
/// It encodes requests, and decodes responses and events. Bytes are plaintext at first, and in encrypted frames once the
/// connection is secured. Only its event loop uses it.
///
/// This is a class because NIO's handlers are. It isn't Sendable: other threads hold it in a `NIOLoopBound`.
final class AccessoryConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A message from the accessory, or the end of the connection.
    enum Inbound {
        /// The response to the last request.
        case response(HTTPResponse)
        /// The response to the last request, if its end is the end of the connection. ``closed(_:)`` follows.
        case lastResponse(HTTPResponse)
        /// An event.
        case event(EventMessage)
        /// The connection has ended. Nothing follows.
        case closed(UnreachableCause)
    }

    /// The address of the accessory server.
    let address: AccessoryAddress
    /// The limits of a response once the connection is secured.
    private let limits: HTTPLimits
    private var reader = HTTPResponseReader(limits: .pairing)
    private var frames: (sealer: FrameSealer, opener: FrameOpener)?
    private var context: ChannelHandlerContext?
    private var isAwaitingResponse = false
    private var receive: ((Inbound) -> Void)?
    /// Why the connection has ended; `nil` while it is open.
    private var end: UnreachableCause?

    init(to address: AccessoryAddress, limits: HTTPLimits) {
        self.address = address
        self.limits = limits
    }

    /// Sets the receiver of arrivals, which come in order on the event loop. If the connection has already ended,
    /// `receive` is called immediately.
    func onInbound(_ receive: @escaping (Inbound) -> Void) {
        if let end {
            receive(.closed(end))
        } else {
            self.receive = receive
        }
    }

    /// Sends a request. The response to the previous one must have arrived.
    func send(_ request: HTTPRequest) {
        guard let context, end == nil else { return }
        precondition(!isAwaitingResponse, "The previous request has no response yet.")
        isAwaitingResponse = true
        var bytes = request.encoded()
        do {
            if let sealed = try frames?.sealer.seal(bytes) { bytes = sealed }
        } catch {
            return close(because: .protocolViolation("a request could not be encrypted"))
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Encrypts every byte from here on, in both directions, with these keys.
    func secure(with keys: SessionKeys) {
        guard reader.isBetweenMessages else {
            return close(because: .protocolViolation("it sent plain bytes on a secured connection"))
        }
        reader = HTTPResponseReader(limits: limits)
        frames = (FrameSealer(key: keys.controllerToAccessory), FrameOpener(key: keys.accessoryToController))
    }

    /// Whether the connection can no longer send.
    var isOver: Bool { end != nil || context == nil }

    /// The connection's channel; `nil` once it is gone.
    var channel: (any Channel)? { context?.channel }

    /// Closes the connection. Nothing more arrives, not even ``Arrival/closed(_:)``.
    func close() {
        receive = nil
        close(because: .connectionLost)
    }

    /// Closes the connection. The cause is the last arrival.
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
            if let plaintext = try buffer.withUnsafeReadableBytes({ try frames?.opener.open($0) }) {
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
                        return close(because: .protocolViolation("it sent a response without a request"))
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
