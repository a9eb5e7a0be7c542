import Foundation
import NIOCore
import NIOHTTP1
import RelayAPI

/// A channel handler that receives answers, one request at a time, on one connection.
final class ExchangeHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = HTTPClientResponsePart
    /// A closure that gets an answer, once, on the channel's event loop.
    typealias Completion = (Result<RelayHTTPResponse, RelayClientError>) -> Void

    /// The answer that is being received.
    private enum Exchange {
        case none
        /// The whole answer is wanted.
        case whole(RelayHTTPResponse, Completion)
        /// The head is wanted, then the body's bytes as they come.
        case stream(Completion, (Data) -> Void)
        /// The stream has begun.
        case streaming((Data) -> Void)
    }

    /// The maximum size of an answer: a page of entries, and the entry that exceeds it.
    private static let answerBytes = RelayLimits.pageBytes + RelayLimits.entryBytes + RelayLimits.jsonBytes

    private var exchange = Exchange.none
    /// Whether the connection can be used again after the answer.
    private(set) var isReusable = false

    /// Begins to wait for a whole answer.
    func expectAnswer(_ complete: @escaping Completion) {
        isReusable = false
        exchange = .whole(RelayHTTPResponse(status: 0), complete)
    }

    /// Begins to wait for a stream. What completes it is the head, with the body only if the status isn't 200.
    func expectStream(_ complete: @escaping Completion, deliver: @escaping (Data) -> Void) {
        exchange = .stream(complete, deliver)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), exchange) {
        case (.head(let head), .whole(var response, let complete)):
            response.status = Int(head.status.code)
            isReusable = head.isKeepAlive
            exchange = .whole(response, complete)
        case (.head(let head), .stream(let complete, let deliver)):
            let stream = head.headers.first(name: "Hearth-Stream")
            let response = RelayHTTPResponse(status: Int(head.status.code), stream: stream)
            guard head.status == .ok else { return exchange = .whole(response, complete) }
            exchange = .streaming(deliver)
            complete(.success(response))
        case (.body(let bytes), .whole(var response, let complete)):
            guard response.body.count + bytes.readableBytes <= Self.answerBytes else {
                exchange = .none
                complete(.failure(.invalidAnswer("The answer is too long.")))
                return context.close(promise: nil)
            }
            response.body.append(contentsOf: bytes.readableBytesView)
            exchange = .whole(response, complete)
        case (.body(let bytes), .streaming(let deliver)): deliver(Data(bytes.readableBytesView))
        case (.end, .whole(let response, let complete)):
            exchange = .none
            complete(.success(response))
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
        let failed = exchange
        exchange = .none
        switch failed {
        case .whole(_, let complete), .stream(let complete, _): complete(.failure(.unreachable(reason)))
        case .none, .streaming: break
        }
    }
}
