import NIOCore
import NIOHTTP2

/// A channel handler that closes an HTTP/2 connection that has had no request for a while, or that has too many.
///
/// The connection's manager asks the client to end an idle connection; this handler ends one whose client doesn't answer. The
/// limit of open requests is a setting that applies once the client has acknowledged it; this handler ends a connection
/// whose client exceeds it without having done so. A client that exceeds it afterward, or violates the protocol in another
/// way, is told so by the connection, which this handler then closes.
final class HTTP2Guard: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let idleTime: TimeAmount
    private let limit: Int
    private var requests = 0
    private var context: ChannelHandlerContext?
    private var end: Scheduled<Void>?

    /// - Parameters:
    ///   - idleTime: The maximum time without an open request.
    ///   - limit: The maximum number of open requests.
    init(idleTime: TimeAmount, limit: Int) {
        self.idleTime = idleTime
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        schedule()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end?.cancel()
    }

    /// Counts a request until its channel closes. Call this for each stream on the connection's event loop: a multiplexer
    /// tells only its streams' initializer of them.
    func add(_ stream: any Channel) {
        requests += 1
        end?.cancel()
        let bound = NIOLoopBound(self, eventLoop: stream.eventLoop)
        stream.closeFuture.whenComplete { _ in bound.value.remove() }
        // The multiplexer must finish opening the stream before its connection can close.
        if requests > limit { stream.eventLoop.execute { bound.value.context?.close(promise: nil) } }
    }

    private func remove() {
        requests -= 1
        if requests == 0 { schedule() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        // An error of one request ends only that request.
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }

    private func schedule() {
        guard let context else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        end = context.eventLoop.scheduleTask(in: idleTime) { bound.value.close(promise: nil) }
    }
}
