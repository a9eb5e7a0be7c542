package import NIOCore

/// Encrypts the connection of a server's channel, or finds out that the client doesn't encrypt it.
///
/// The first byte tells: a TLS client begins with a handshake record. Once it is clear what the connection is, the
/// handler fires a ``TLSServerEvent``. Nothing passes before. Failed and truncated connections are closed.
package final class TLSServerHandler: ChannelDuplexHandler, RemovableChannelHandler {
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
        /// The client and the server agree on keys.
        case handshaking
        /// Data is exchanged.
        case encrypted
        /// The client doesn't encrypt.
        case plain
        /// The connection is over.
        case closed
    }

    private let context: TLSContext
    private let handshakeTime: TimeAmount
    private var session: TLSSession?
    private var phase = Phase.waiting
    private var deadline: Scheduled<Void>?
    private var hasClientEnded = false
    private var hasServerEnded = false

    /// Creates a handler for one connection.
    ///
    /// - Parameter handshakeTime: The maximum time from the start of the connection to the end of the handshake.
    package init(_ context: TLSContext, handshakeTime: TimeAmount) {
        self.context = context
        self.handshakeTime = handshakeTime
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: handshakeTime) { bound.value.close(promise: nil) }
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
        guard first == Self.handshakeRecord else {
            deadline?.cancel()
            phase = .plain
            return context.fireUserInboundEventTriggered(TLSServerEvent.plain)
        }
        do {
            session = try TLSSession(self.context)
            phase = .handshaking
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
            context.fireUserInboundEventTriggered(TLSServerEvent.encrypted(session?.applicationProtocol))
        }
        if plaintext.readableBytes > 0, phase == .encrypted { context.fireChannelRead(wrapInboundOut(plaintext)) }
        switch state {
        case .handshaking, .open: break
        case .ended: endInput(context)
        case .failed(let error): fail(error, context)
        }
    }

    /// Handles the client's announcement that it sends no more. Responses can still be sent.
    private func endInput(_ context: ChannelHandlerContext) {
        guard !hasClientEnded, phase == .encrypted else { return }
        hasClientEnded = true
        if hasServerEnded { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        guard phase != .closed else { return }
        phase = .closed
        deadline?.cancel()
        context.fireErrorCaught(error)
        // What was written explains the failure to the client.
        context.close(promise: nil)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed, phase != .plain else {
            return context.fireUserInboundEventTriggered(event)
        }
        // Without TLS's own announcement, somebody may have cut the connection.
        if !hasClientEnded { fail(TLSError("The connection was cut"), context) }
    }

    // MARK: To the network

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch phase {
        case .plain: context.write(data, promise: promise)
        case .encrypted where !hasServerEnded:
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
        hasServerEnded = true
        session?.close()
        flushOutput(context, promise: nil)
        guard mode == .output, !hasClientEnded else {
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
package enum TLSServerEvent: Sendable {
    /// It is encrypted. The client chose a protocol, or none.
    case encrypted(ApplicationProtocol?)
    /// It isn't encrypted. The first bytes follow.
    case plain
}
