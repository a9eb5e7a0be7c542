import Foundation
import NIOCore
import NIOHTTP1
import RelayAPI

/// A channel handler that receives answers, one request at a time, on one connection.
final class ExchangeHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = HTTPClientResponsePart

    /// The answer that is being received.
    private enum Exchange {
        case none
        /// The whole answer is wanted.
        case whole(RelayHTTPResponse, EventLoopPromise<RelayHTTPResponse>)
        /// The head is wanted, then the body's bytes as they come.
        case stream(EventLoopPromise<RelayHTTPResponse>, (Data) -> Void)
        /// The stream has begun.
        case streaming((Data) -> Void)
    }

    /// The maximum size of an answer: a page of entries, and the entry that exceeds it.
    private static let answerBytes = RelayLimits.pageBytes + RelayLimits.entryBytes + RelayLimits.jsonBytes

    private var exchange = Exchange.none
    /// Whether the connection can be used again after the answer.
    private(set) var isReusable = false

    /// Begins to wait for a whole answer.
    func expectAnswer(_ promise: EventLoopPromise<RelayHTTPResponse>) {
        isReusable = false
        exchange = .whole(RelayHTTPResponse(status: 0), promise)
    }

    /// Begins to wait for a stream. The promise gets the head, with the body only if the status isn't 200.
    func expectStream(_ promise: EventLoopPromise<RelayHTTPResponse>, deliver: @escaping (Data) -> Void) {
        exchange = .stream(promise, deliver)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), exchange) {
        case (.head(let head), .whole(var response, let promise)):
            response.status = Int(head.status.code)
            isReusable = head.isKeepAlive
            exchange = .whole(response, promise)
        case (.head(let head), .stream(let promise, let deliver)):
            let stream = head.headers.first(name: "Hearth-Stream")
            let response = RelayHTTPResponse(status: Int(head.status.code), stream: stream)
            guard head.status == .ok else { return exchange = .whole(response, promise) }
            exchange = .streaming(deliver)
            promise.succeed(response)
        case (.body(let bytes), .whole(var response, let promise)):
            guard response.body.count + bytes.readableBytes <= Self.answerBytes else {
                exchange = .none
                promise.fail(RelayClientError.invalidAnswer("The answer is too long."))
                return context.close(promise: nil)
            }
            response.body.append(contentsOf: bytes.readableBytesView)
            exchange = .whole(response, promise)
        case (.body(let bytes), .streaming(let deliver)): deliver(Data(bytes.readableBytesView))
        case (.end, .whole(let response, let promise)):
            exchange = .none
            promise.succeed(response)
        case (.end, .streaming): context.close(promise: nil)
        default: context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("\(error)")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("The connection has ended.")
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // A request may come between the end of the connection and this.
        fail("The connection has ended.")
    }

    private func fail(_ reason: String) {
        isReusable = false
        switch exchange {
        case .whole(_, let promise), .stream(let promise, _): promise.fail(RelayClientError.unreachable(reason))
        case .none, .streaming: break
        }
        exchange = .none
    }
}
