import Foundation
import HTTPTypes
import HubAPI
import HummingbirdCore
import NIOCore

/// A response whose body is known.
struct HTTPAnswer: Sendable {
    /// The status.
    var status: HTTPResponse.Status
    /// The header fields, without those that every response has.
    var headers: HTTPFields
    /// The body.
    var body: ByteBuffer
    /// Whether to close the connection, because the rest of the request isn't read.
    var closesConnection = false

    /// Creates a response with a body of a media type.
    init(_ status: HTTPResponse.Status = .ok, type: String, _ body: ByteBuffer, _ headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
        self.headers[.contentType] = type
        self.body = body
    }

    /// Creates a response without a body.
    init(_ status: HTTPResponse.Status) {
        self.status = status
        headers = [:]
        body = ByteBuffer()
    }

    /// Creates a response with JSON, which isn't stored.
    init(_ status: HTTPResponse.Status = .ok, json: String) {
        self.init(status, type: "application/json", ByteBuffer(string: json), [.cacheControl: "no-store"])
    }

    /// Creates a response with an error.
    ///
    /// - Parameter after: The number of the last event before the reply, if there was one.
    init(_ error: HubError, after: Int? = nil) {
        let after = after.map { #","after":\#($0)"# } ?? ""
        self.init(error.status, json: #"{"error":\#(error.json)\#(after)}"#)
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if error.code == .tooManyTries { headers[.retryAfter] = "\(error.parts?.retryAfter ?? 60)" }
    }

    /// The response to a path that doesn't exist.
    static let notFound = HTTPAnswer(
        .notFound,
        type: "text/plain; charset=utf-8",
        ByteBuffer(string: "Not found.\n")
    )

    /// Returns the response to a request with another method than those of its path.
    static func notAllowed(_ methods: String) -> HTTPAnswer {
        HTTPAnswer(.methodNotAllowed, type: "text/plain; charset=utf-8", ByteBuffer(string: "Use \(methods).\n"))
            .with(.allow, methods)
    }

    /// The connection must be closed, because the rest of a request isn't read.
    private struct ConnectionEnd: Error {}

    /// Sends the response.
    func write(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        var head = HTTPResponse(status: status, headerFields: Self.commonHeaders)
        for field in headers { head.headerFields[field.name] = field.value }
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        // Only the request's stream ends, not the connection.
        if connection.isMultiplexed { head.headerFields[.connection] = nil }
        let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: body)
        try await writer.write(response: head, body: body)
        if closesConnection { throw ConnectionEnd() }
    }

    /// Returns the response with a further header field.
    func with(_ name: HTTPField.Name, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// Returns the response in a form that closes the connection.
    var closing: HTTPAnswer {
        var answer = self
        answer.closesConnection = true
        answer.headers[.connection] = "close"
        return answer
    }

    /// The fields of every response. There is no Strict-Transport-Security: it would apply to all ports of the host.
    static let commonHeaders: HTTPFields = {
        var fields = HTTPFields()
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
            "media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ]
        let values = [
            ("Content-Security-Policy", policy.joined(separator: "; ")), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(self), microphone=(), geolocation=()"),
        ]
        for (name, value) in values {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}

extension HubError {
    /// The status of a response with the error. Rules of the home and problems of accessories are 422.
    fileprivate var status: HTTPResponse.Status {
        switch code {
        case .malformedMessage, .versionMismatch: .badRequest
        case .signedOut, .wrongCode, .deviceRemoved: .unauthorized
        case .appNotAllowed, .notHere, .insecureConnection, HubError.Code(rawValue: "insufficientPrivileges"):
            .forbidden
        case .unknownMethod, HubError.Code(rawValue: "notFound"): .notFound
        case .keyReused, .notAllowedNow: .conflict
        case .streamEnded: .gone
        case .tooManyRequests, .tooManyTries: .tooManyRequests
        case .hubFailure, .storeFailure: .internalServerError
        case .connectionLost, .hubSuperseded: .serviceUnavailable
        default: .unprocessableContent
        }
    }
}
