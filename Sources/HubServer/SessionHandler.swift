import Foundation
import HubAPI
import Logging
import NIOCore

/// Carries one connection's requests to its session and the session's messages to the connection.
///
/// A client can do no harm but to itself: lines are bounded, a client that asks faster than it is answered is read more
/// slowly, and one that does not read what it is sent gets a reset in place of events, or is let go of.
final class SessionHandler: ChannelDuplexHandler {
    // A class, because NIO's handlers are; it is used on its channel's event loop only.

    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HubMessage
    typealias OutboundOut = ByteBuffer

    private let acceptor: any HubSessionAcceptor
    private let logger: Logger

    private var session: (any ConnectionSession)?
    private var lines = LineDecoder(limit: HubProtocol.requestLimit)
    private var waiting: ArraySlice<LineDecoder.Piece> = []
    /// The lengths of the requests without a reply, by their ids, which a client may use twice.
    private var unanswered: [Int: [Int]] = [:]
    private var unansweredCount = 0
    private var unansweredBytes = 0
    private var backlog: Backlog
    private var isReadHeld = false
    private var isInputOver = false
    private var isEnding = false

    /// Makes the handler of a connection.
    ///
    /// - Parameters:
    ///   - acceptor: Makes the session, once the connection stands.
    ///   - limits: What the client may leave unread.
    ///   - logger: Told why a connection was ended.
    init(acceptor: any HubSessionAcceptor, limits: Backlog.Limits, logger: Logger) {
        self.acceptor = acceptor
        backlog = Backlog(limits: limits)
        self.logger = logger
    }

    // MARK: Beginning and end

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        session = acceptor.acceptConnection { message in
            // Never within the session's call, which may hold a lock.
            channel.eventLoop.execute { channel.writeAndFlush(message, promise: nil) }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        endSession()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("A connection failed.", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func endSession() {
        let session = session
        self.session = nil
        waiting = []
        session?.end()
    }

    /// Tells the client why and closes once that is written; what is still to come from the session is dropped.
    private func end(with error: HubError, context: ChannelHandlerContext) {
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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        waiting += unwrapInboundIn(data).withUnsafeReadableBytes { lines.take($0) }
        takeWaiting(context: context)
    }

    func read(context: ChannelHandlerContext) {
        if waiting.isEmpty {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        // A client may say that it has asked all it will ask and still read the answers.
        isInputOver = true
        if lines.hasUnfinishedLine {
            refuse(HubError(.malformedMessage, "The last message does not end with a newline."), context: context)
        }
        closeIfAllIsAnswered(context: context)
    }

    /// Whether the client's next request is taken: not before it has been answered, and has read, most of what it asked.
    private var mayTake: Bool {
        unansweredCount < SocketLimits.unansweredRequests && unansweredBytes < SocketLimits.unansweredBytes
            && !backlog.isBehind && !isEnding
    }

    private func takeWaiting(context: ChannelHandlerContext) {
        while mayTake, let piece = waiting.popFirst() {
            switch piece {
            case .line(let line): take(line, context: context)
            case .overlong:
                let reason = "The message is longer than \(HubProtocol.requestLimit) bytes."
                end(with: HubError(.malformedMessage, reason), context: context)
            }
        }
        if isReadHeld, waiting.isEmpty {
            isReadHeld = false
            context.read()
        }
    }

    private func take(_ line: Data, context: ChannelHandlerContext) {
        guard String(validating: line, as: UTF8.self) != nil else {
            refuse(HubError(.malformedMessage, "The message is not UTF-8."), context: context)
            return
        }
        do {
            let request = try WireMessage.request(from: line)
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

    private func noteReply(to id: Int) {
        guard let bytes = unanswered[id]?.popLast() else { return }
        if unanswered[id]?.isEmpty == true { unanswered[id] = nil }
        unansweredCount -= 1
        unansweredBytes -= bytes
    }

    private func refuse(_ error: HubError, context: ChannelHandlerContext) {
        send(WireMessage.line(replyTo: nil, .failure(error)), promise: nil, context: context)
        context.flush()
    }

    // MARK: To the client

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .reply(let id, let reply):
            send(WireMessage.line(replyTo: id, reply), promise: promise, context: context)
            noteReply(to: id)
            takeWaiting(context: context)
            closeIfAllIsAnswered(context: context)
        case .event(let event):
            do {
                let isReset = if case .reset = event { true } else { false }
                send(try WireMessage.line(event), isReset: isReset, promise: promise, context: context)
            } catch {
                // A client that missed an event would show a home that is not so.
                logger.error("An event cannot be written as JSON.", metadata: ["error": "\(error)"])
                promise?.fail(error)
                context.close(promise: nil)
            }
        case .closed(let error):
            promise?.succeed()
            end(with: error, context: context)
        }
    }

    private func send(
        _ line: Data,
        isReset: Bool = false,
        promise: EventLoopPromise<Void>?,
        context: ChannelHandlerContext
    ) {
        guard backlog.allows(unread: unread(context)) else {
            logger.warning("A client does not read what it is sent; its connection is ended.")
            promise?.fail(ChannelError.outputClosed)
            context.close(promise: nil)
            return
        }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: line)), promise: promise)
        if backlog.sent(bytes: line.count, isReset: isReset, unread: unread(context)) {
            logger.debug("A client is behind; it gets a reset in place of events.")
            session?.fallBehind()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if backlog.drained() { session?.catchUp() }
            takeWaiting(context: context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func unread(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
