package import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// A response whose body is known.
package struct HTTPAnswer: Sendable {
    /// The status.
    package var status: HTTPResponse.Status
    /// The header fields, without those that every response has.
    package var headers: HTTPFields
    /// The body.
    package var body: ByteBuffer
    /// Whether to close the connection, because the rest of the request isn't read.
    package var closesConnection = false

    /// Creates a response with a body of a media type.
    package init(_ status: HTTPResponse.Status = .ok, type: String, _ body: ByteBuffer, _ headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
        self.headers[.contentType] = type
        self.body = body
    }

    /// Creates a response without a body.
    package init(_ status: HTTPResponse.Status) {
        self.status = status
        headers = [:]
        body = ByteBuffer()
    }

    /// Creates a response with JSON, which isn't stored.
    package init(_ status: HTTPResponse.Status = .ok, json: String) {
        self.init(status, type: "application/json", ByteBuffer(string: json), [.cacheControl: "no-store"])
    }

    /// The response to a path that doesn't exist.
    package static let notFound = HTTPAnswer(
        .notFound,
        type: "text/plain; charset=utf-8",
        ByteBuffer(string: "Not found.\n")
    )

    /// Returns the response to a request with another method than those of its path.
    package static func notAllowed(_ methods: String) -> HTTPAnswer {
        HTTPAnswer(.methodNotAllowed, type: "text/plain; charset=utf-8", ByteBuffer(string: "Use \(methods).\n"))
            .with(.allow, methods)
    }

    /// The connection must be closed, because the rest of a request isn't read.
    private struct ConnectionEnd: Error {}

    /// Sends the response.
    ///
    /// - Parameter common: Header fields of all responses of a server.
    package func write(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection,
        adding common: HTTPFields
    ) async throws {
        var head = HTTPResponse(status: status, headerFields: common)
        for field in headers { head.headerFields[field.name] = field.value }
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        // Only the request's stream ends, not the connection.
        if connection.isMultiplexed { head.headerFields[.connection] = nil }
        let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: body)
        try await writer.write(response: head, body: body)
        if closesConnection { throw ConnectionEnd() }
    }

    /// Returns the response with a further header field.
    package func with(_ name: HTTPField.Name, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// Returns the response in a form that closes the connection.
    package var closing: HTTPAnswer {
        var answer = self
        answer.closesConnection = true
        answer.headers[.connection] = "close"
        return answer
    }
}
