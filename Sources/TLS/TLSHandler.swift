package import NIOCore

/// Encrypts a connection.
///
/// Once it is clear what the connection is, the handler fires a ``TLSEvent``. Nothing passes before. Failed and truncated
/// connections are closed. A server of HTTP finds out whether its client encrypts: the first byte tells, because a TLS
/// client begins with a handshake record.
package final class TLSHandler: ChannelDuplexHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The type of the record that begins a handshake (RFC 8446, 5.1).
    private static let handshakeRecord: UInt8 = 22

    private enum Phase {
        /// No byte has been received.
        case waiting
        /// The two sides agree on keys.
        case handshaking
        /// Data is exchanged.
        case encrypted
        /// The client of a server of HTTP doesn't encrypt.
        case plain
        /// The connection is over.
        case closed
    }

    private let context: TLSContext
    private let role: TLSSession.Role
    private let verifier: PeerVerifier?
    private let handshakeTime: TimeAmount
    private var session: TLSSession?
    private var phase = Phase.waiting
    private var deadline: Scheduled<Void>?
    /// Whether the other side sends no more.
    private var hasPeerEnded = false
    /// Whether this side sends no more.
    private var hasEnded = false

    /// Creates a handler for one connection to a server of HTTP.
    ///
    /// - Parameter handshakeTime: The maximum time from the start of the connection to the end of the handshake.
    package init(_ context: TLSContext, handshakeTime: TimeAmount) {
        self.context = context
        self.handshakeTime = handshakeTime
        role = .server
        verifier = nil
    }

    /// Creates a handler for one end of a connection between a hub and a device.
    ///
    /// - Parameters:
    ///   - context: Pinned settings.
    ///   - name: The protocol that a client offers; `nil` for a server.
    ///   - handshakeTime: The maximum time from the start of the connection to the end of the handshake.
    ///   - accepts: A closure that decides about the 32 bytes of the other end's key.
    package init(
        pinned context: TLSContext,
        offering name: ApplicationProtocol? = nil,
        handshakeTime: TimeAmount,
        accepts: @escaping ([UInt8]) -> Bool
    ) {
        self.context = context
        self.handshakeTime = handshakeTime
        role = name.map { .client($0) } ?? .server
        verifier = PeerVerifier(accepts: accepts)
    }

    /// Creates a handler for one connection of a client of HTTP.
    ///
    /// - Parameters:
    ///   - context: The settings of clients.
    ///   - host: The name or IP address that the server's certificate must be for.
    ///   - handshakeTime: The maximum time from the start of the connection to the end of the handshake.
    ///   - accepts: A closure that decides about the digest of the server's key, for settings that pin servers.
    package init(
        client context: TLSContext,
        host: String,
        handshakeTime: TimeAmount,
        accepts: (([UInt8]) -> Bool)? = nil
    ) {
        self.context = context
        self.handshakeTime = handshakeTime
        role = .webClient(host: host)
        verifier = accepts.map(PeerVerifier.init)
    }

    private var isClient: Bool {
        switch role {
        case .server: false
        case .client, .webClient: true
        }
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: handshakeTime) { bound.value.close(promise: nil) }
        if isClient, context.channel.isActive { start(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        if isClient, phase == .waiting { start(context) }
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        session = nil
    }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        phase = .closed
        session = nil
        context.fireChannelInactive()
    }

    // MARK: From the network

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if phase == .waiting { begin(buffer, context) }
        switch phase {
        case .plain: context.fireChannelRead(data)
        case .handshaking, .encrypted: receive(buffer, context)
        case .waiting, .closed: break
        }
    }

    private func begin(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return }
        guard first == Self.handshakeRecord || self.context.isPinned else {
            deadline?.cancel()
            phase = .plain
            return context.fireUserInboundEventTriggered(TLSEvent.plain)
        }
        start(context)
    }

    private func start(_ context: ChannelHandlerContext) {
        do {
            session = try TLSSession(self.context, as: role, verifier: verifier)
            phase = .handshaking
            flushOutput(context, promise: nil)
            if case .failed(let error)? = session?.state { fail(error, context) }
        } catch {
            fail(error, context)
        }
    }

    private func receive(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        var plaintext = ByteBuffer()
        buffer.withUnsafeReadableBytes { bytes in
            session?.receive(bytes) { plaintext.writeBytes($0) }
        }
        guard let state = session?.state else { return }
        flushOutput(context, promise: nil)
        if phase == .handshaking, state == .open || state == .ended {
            phase = .encrypted
            deadline?.cancel()
            let name = session?.applicationProtocol
            let event = session?.peerKey.map { TLSEvent.pinned(name, key: $0) } ?? .encrypted(name)
            context.fireUserInboundEventTriggered(event)
        }
        if plaintext.readableBytes > 0, phase == .encrypted { context.fireChannelRead(wrapInboundOut(plaintext)) }
        switch state {
        case .handshaking, .open: break
        case .ended: endInput(context)
        case .failed(let error): fail(error, context)
        }
    }

    /// Handles the other side's announcement that it sends no more. A server can still send responses.
    private func endInput(_ context: ChannelHandlerContext) {
        guard !hasPeerEnded, phase == .encrypted else { return }
        hasPeerEnded = true
        if hasEnded || isClient { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        guard phase != .closed else { return }
        phase = .closed
        deadline?.cancel()
        context.fireErrorCaught(error)
        // What was written explains the failure to the other side.
        context.close(promise: nil)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed, phase != .plain else {
            return context.fireUserInboundEventTriggered(event)
        }
        // Without TLS's own announcement, somebody may have cut the connection.
        if !hasPeerEnded { fail(TLSError("The connection was cut"), context) }
    }

    // MARK: To the network

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch phase {
        case .plain: context.write(data, promise: promise)
        case .encrypted where !hasEnded:
            let buffer = unwrapOutboundIn(data)
            buffer.withUnsafeReadableBytes { session?.send($0) }
            if case .failed(let error)? = session?.state {
                promise?.fail(error)
                return fail(error, context)
            }
            writeOutput(context, promise: promise)
        case .waiting, .handshaking, .encrypted, .closed: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard phase == .encrypted, mode != .input else { return context.close(mode: mode, promise: promise) }
        hasEnded = true
        session?.close()
        flushOutput(context, promise: nil)
        guard mode == .output, !hasPeerEnded else {
            phase = .closed
            return context.close(mode: .all, promise: promise)
        }
        context.close(mode: .output, promise: promise)
    }

    /// Writes what TLS has to send, without flushing it.
    private func writeOutput(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let count = session?.outputCount ?? 0
        var buffer = context.channel.allocator.buffer(capacity: count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            session?.takeOutput(UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(count))) ?? 0
        }
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    private func flushOutput(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        guard let count = session?.outputCount, count > 0 else { return }
        writeOutput(context, promise: promise)
        context.flush()
    }
}

/// What a connection turned out to be.
package enum TLSEvent: Sendable {
    /// It is encrypted. The client chose a protocol, or none.
    case encrypted(ApplicationProtocol?)
    /// It is encrypted, and the other end has proved that it has a key that was accepted, 32 bytes.
    case pinned(ApplicationProtocol?, key: [UInt8])
    /// It isn't encrypted. The first bytes follow.
    case plain
}
