import ChannelSockets
import Foundation
package import LocalRPC
package import Logging
package import NIOCore

/// A channel handler that connects one connection to its session.
///
/// A client can harm only itself. Its lines are limited in length. If it sends requests faster than the server replies,
/// it is read more slowly. If it doesn't read its messages, it gets a reset in place of events, or is disconnected.
package final class SessionHandler: ChannelDuplexHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it. It isn't generic: code for any
    // type of event looks up the types that it uses at run time, once for each client of an event.

    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = SessionMessage
    package typealias OutboundOut = ByteBuffer

    /// Creates the session of a channel. The session sends its messages to the handler.
    private typealias Accept = (any Channel, NIOLoopBound<SessionHandler>) -> any RPCSession

    // What each event needs comes first, so that it is close together.
    private var context: ChannelHandlerContext?
    /// What writes the lines; `nil` if handlers between this one and the socket do.
    private var writer: SocketWriter?
    private var backlog: Backlog
    /// Whether the channel has less to write than its mark.
    private var isWritable = true
    private var isEnding = false
    private var isReadHeld = false
    private var isInputOver = false
    private var session: (any RPCSession)?
    private var lines = LineDecoder(limit: RPCLimits.requestBytes + RPCRequest.maximumUntilBytes)
    private var waiting: ArraySlice<LineDecoder.Element> = []
    /// The sizes of the requests without a reply, by ID. There can be several, because a client may reuse an ID.
    private var unanswered: [Int: [Int]] = [:]
    private var unansweredCount = 0
    private var unansweredBytes = 0

    private let accept: Accept
    private let isNextToSocket: Bool
    private let logger: Logger

    /// Creates the handler of a connection.
    ///
    /// - Parameters:
    ///   - acceptor: The server.
    ///   - events: The writer of events, which connections of one listener share.
    ///   - limits: The number of bytes that the client can leave unread.
    ///   - isNextToSocket: Whether lines leave as they are, with no other handler between this one and the socket.
    ///   - logger: A logger for the reasons of ended connections.
    package convenience init<Event: RPCEvent>(
        acceptor: any RPCSessionAcceptor<Event>,
        events: EventLines<Event>,
        limits: Backlog.Limits,
        isNextToSocket: Bool,
        logger: Logger
    ) {
        self.init(limits: limits, isNextToSocket: isNextToSocket, logger: logger) { channel, handler in
            acceptor.acceptConnection(on: EventLoopExecutor(channel.eventLoop)) { message in
                // After the end of the connection nobody reads it, such as the session's farewell.
                guard channel.isActive else { return }
                // The message becomes a line and is sent later, because the session may hold a lock during this call. It
                // starts at the handler rather than at the end of the pipeline, which would put it in a box for each of
                // many clients.
                switch message {
                case .reply(let id, let reply):
                    channel.eventLoop.execute {
                        handler.value.deliver {
                            .reply(id: id, ByteBuffer(bytes: WireFormat<Event>.line(replyTo: id, reply)))
                        }
                    }
                case .event(let event):
                    channel.eventLoop.execute {
                        handler.value.deliver { .event(try events.line(of: event), isReset: event.isReset) }
                    }
                case .closed(let error):
                    channel.eventLoop.execute { handler.value.deliver { .closed(error) } }
                }
            }
        }
    }

    private init(limits: Backlog.Limits, isNextToSocket: Bool, logger: Logger, accept: @escaping Accept) {
        self.accept = accept
        self.isNextToSocket = isNextToSocket
        backlog = Backlog(limits: limits)
        self.logger = logger
    }

    // MARK: Start and end

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if isNextToSocket { writer = SocketWriter(context) }
        isWritable = context.channel.isWritable
        // A connection that agrees on keys first is active before its handler is there.
        if context.channel.isActive { begin(context: context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        writer = nil
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context: context)
        context.fireChannelActive()
    }

    private func begin(context: ChannelHandlerContext) {
        guard session == nil else { return }
        session = accept(context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
    }

    package func channelInactive(context: ChannelHandlerContext) {
        endSession()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("A connection failed.", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func endSession() {
        let session = session
        self.session = nil
        waiting = []
        session?.end()
    }

    /// Sends the reason to the client, then closes the connection. Later messages of the session are dropped.
    private func end(with error: RPCError, context: ChannelHandlerContext) {
        guard !isEnding else { return }
        refuse(error, context: context)
        closeOnceWritten(context: context)
        endSession()
    }

    private func closeOnceWritten(context: ChannelHandlerContext) {
        guard !isEnding else { return }
        isEnding = true
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(channel.allocator.buffer(capacity: 0)), promise: written)
    }

    // MARK: From the client

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        waiting += unwrapInboundIn(data).withUnsafeReadableBytes { lines.decode($0) }
        handleWaiting(context: context)
    }

    package func read(context: ChannelHandlerContext) {
        if waiting.isEmpty {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        // A client can close its sending side and still read replies.
        isInputOver = true
        if lines.hasUnfinishedLine {
            refuse(RPCError(.malformedMessage, "The last message does not end with a newline."), context: context)
        }
        closeIfAllIsAnswered(context: context)
    }

    /// Whether the next request can be handled: few enough requests are unanswered, and the client reads its messages.
    private var canHandleRequest: Bool {
        unansweredCount < SocketLimits.unansweredRequests && unansweredBytes < SocketLimits.unansweredBytes
            && !backlog.isPaused && !isEnding
    }

    private func handleWaiting(context: ChannelHandlerContext) {
        while canHandleRequest, let element = waiting.popFirst() {
            switch element {
            case .line(let line): handle(line, context: context)
            case .tooLong: endTooLong(context: context)
            }
        }
        if isReadHeld, waiting.isEmpty {
            isReadHeld = false
            context.read()
        }
    }

    private func endTooLong(context: ChannelHandlerContext) {
        let reason = "The message is longer than \(RPCLimits.requestBytes) bytes."
        end(with: RPCError(.malformedMessage, reason), context: context)
    }

    private func handle(_ line: Data, context: ChannelHandlerContext) {
        guard line.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
            refuse(RPCError(.malformedMessage, "The message is not UTF-8."), context: context)
            return
        }
        do {
            let request = try WireFormat<NoEvents>.request(from: line)
            guard line.count - request.untilBytes <= RPCLimits.requestBytes else {
                return endTooLong(context: context)
            }
            unanswered[request.id, default: []].append(line.count)
            unansweredCount += 1
            unansweredBytes += line.count
            session?.receive(request)
        } catch {
            refuse(error, context: context)
        }
    }

    private func closeIfAllIsAnswered(context: ChannelHandlerContext) {
        if isInputOver, unansweredCount == 0, waiting.isEmpty { closeOnceWritten(context: context) }
    }

    private func recordReply(to id: Int) {
        guard let bytes = unanswered[id]?.popLast() else { return }
        if unanswered[id]?.isEmpty == true { unanswered[id] = nil }
        unansweredCount -= 1
        unansweredBytes -= bytes
    }

    private func refuse(_ error: RPCError, context: ChannelHandlerContext) {
        let line = WireFormat<NoEvents>.line(replyTo: nil, .failure(error))
        send(context.channel.allocator.buffer(bytes: line))
    }

    // MARK: To the client

    /// Sends a message.
    ///
    /// - Parameter message: A closure that writes the message as a line.
    private func deliver(_ message: () throws -> SessionMessage) {
        guard context != nil, !isEnding else { return }
        do {
            send(try message())
        } catch {
            // A client that missed an event would show a wrong state.
            logger.error("An event cannot be written as JSON.", metadata: ["error": "\(error)"])
            context?.close(promise: nil)
        }
    }

    /// Sends a message from outside the session: its end.
    ///
    /// - Parameter promise: A promise that succeeds when the message is taken, or fails if the connection is ending.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        send(unwrapOutboundIn(data))
        promise?.succeed()
    }

    // These methods read the context only if they need it. Each client has its own, and to read it for every event would
    // bring another object into the processor's caches.

    private func send(_ message: SessionMessage) {
        guard !isEnding else { return }
        switch message {
        case .reply(let id, let line):
            send(line)
            recordReply(to: id)
            guard let context else { return }
            handleWaiting(context: context)
            closeIfAllIsAnswered(context: context)
        case .event(let line, let isReset):
            send(line, isReset: isReset)
        case .closed(let error):
            if let context { end(with: error, context: context) }
        }
    }

    private func send(_ line: ByteBuffer, isReset: Bool = false) {
        guard backlog.allows(unread: unreadBytes) else {
            logger.warning("A client does not read its messages; its connection is ended.")
            context?.close(promise: nil)
            return
        }
        let count = line.readableBytes
        if let writer {
            writer.write(line)
        } else {
            context?.writeAndFlush(wrapOutboundOut(line), promise: nil)
        }
        // The socket may have taken all of it already. Nothing would then resume what paused for it.
        if backlog.sent(bytes: count, isReset: isReset, unread: unreadBytes) {
            logger.debug("A client is behind; it gets a reset in place of events.")
            session?.pauseEvents()
        }
    }

    /// The bytes that the client hasn't read. A channel that is writable has less than its mark for that, which is below
    /// all limits, and counts as read: to ask it for the number takes longer than to send a message.
    private var unreadBytes: Int {
        isWritable ? 0 : (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            if backlog.drained() { session?.resumeEvents() }
            handleWaiting(context: context)
        }
        context.fireChannelWritabilityChanged()
    }
}
