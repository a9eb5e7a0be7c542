import HubAPI
import NIOCore
import NIOHTTP1

/// A channel handler that responds to the requests on one connection of a ``MetricsListener``.
final class MetricsHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let exposition: @Sendable () async -> String
    private var request: HTTPRequestHead?
    private var bodyBytes = 0
    private let size: RequestSizeLimit
    private let limits: MetricsListener.Limits
    /// The timer that closes the connection if the next request isn't complete in time.
    private var deadline: Scheduled<Void>?

    init(
        size: RequestSizeLimit,
        limits: MetricsListener.Limits,
        exposition: @escaping @Sendable () async -> String
    ) {
        self.size = size
        self.limits = limits
        self.exposition = exposition
    }

    func channelActive(context: ChannelHandlerContext) {
        setDeadline(in: limits.firstRequestTime, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    private func setDeadline(in time: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
            bodyBytes = 0
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
        case .end:
            guard let request else { return }
            self.request = nil
            deadline?.cancel()
            size.reset()
            answer(request, context: context)
        }
    }

    private func answer(_ request: HTTPRequestHead, context: ChannelHandlerContext) {
        let path = request.uri.prefix { $0 != "?" }
        guard path == MetricsListener.path else {
            return send(
                .notFound,
                "Not found. The metrics are at \(MetricsListener.path).\n",
                request,
                context: context
            )
        }
        guard request.method == .GET || request.method == .HEAD else {
            return send(.methodNotAllowed, "Use GET.\n", request, context: context)
        }
        guard bodyBytes == 0 else {
            return send(.payloadTooLarge, "The request must not have a body.\n", request, context: context)
        }
        let promise = context.eventLoop.makePromise(of: String.self)
        promise.completeWithTask { [exposition] in await exposition() }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { text in
            let (handler, context) = bound.value
            handler.send(.ok, text, request, context: context)
        }
    }

    private func send(
        _ status: HTTPResponseStatus,
        _ text: String,
        _ request: HTTPRequestHead,
        context: ChannelHandlerContext
    ) {
        let body = context.channel.allocator.buffer(string: text)
        var headers = HTTPHeaders([
            ("Content-Type", status == .ok ? MetricsListener.contentType : "text/plain; charset=utf-8"),
            ("Content-Length", "\(body.readableBytes)"), ("Cache-Control", "no-store"),
        ])
        if status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        let isLast = !request.isKeepAlive || status != .ok
        if isLast { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        // A client that doesn't read the response in time is disconnected.
        let limit = context.eventLoop.scheduleTask(in: limits.readTime) { channel.close(promise: nil) }
        written.futureResult.whenComplete { _ in
            limit.cancel()
            if isLast { channel.close(promise: nil) }
        }
        setDeadline(in: limits.requestTime, context)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// A channel handler that closes a connection if a request exceeds the size limit, before anything parses it.
final class RequestSizeLimit: ChannelInboundHandler {
    // This is a class because NIO's handlers are.

    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let limit: Int
    private var bytes = 0

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Starts counting again, because a request is complete.
    func reset() { bytes = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        guard bytes <= limit else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
