import HTTPTypes
import HummingbirdCore
import NIOCore
import WebServer

/// Responds to clients that don't encrypt though the hub does: sends browsers to HTTPS, and lets devices get the
/// authority's certificate, which they need before.
struct PlainResponder: Sendable {
    let origin: RequestOrigin
    let trust: TrustEndpoint?
    let page: PageEndpoint

    /// Responds to a request.
    @Sendable func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        try await answer(to: request, connection).write(to: request, writer, on: connection)
    }

    private func answer(to request: Request, _ connection: RequestConnection) -> HTTPAnswer {
        if let refusal = origin.refusal(of: request.head, at: connection.channel.localAddress) { return refusal }
        guard request.method == .get || request.method == .head else {
            // What such a request contains was readable on its way, so it isn't sent again.
            return HTTPAnswer(
                .forbidden,
                type: "text/plain; charset=utf-8",
                ByteBuffer(string: "This hub requires encryption. Use https:// instead of http://.\n")
            )
            .closing
        }
        let path = request.uri.path
        if let trust, let answer = trust.answer(to: path) { return answer }
        if trust != nil, path.hasPrefix(PageEndpoint.assetPrefix) { return page.answer(to: request) }
        let location = "https://\(request.head.authority ?? "")\(request.head.path ?? "/")"
        return HTTPAnswer(.permanentRedirect).with(.location, location).with(.cacheControl, "no-store")
    }
}
