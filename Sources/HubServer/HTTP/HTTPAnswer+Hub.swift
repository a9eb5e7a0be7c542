import HTTPTypes
import HubAPI
import HummingbirdCore
import WebServer

extension HTTPAnswer {
    /// Creates a response with an error.
    ///
    /// - Parameter after: The number of the last event before the reply, if there was one.
    init(_ error: HubError, after: Int? = nil) {
        let after = after.map { #","after":\#($0)"# } ?? ""
        self.init(error.status, json: #"{"error":\#(error.json)\#(after)}"#)
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if error.code == .tooManyTries { headers[.retryAfter] = "\(error.parts?.retryAfter ?? 60)" }
    }

    /// Sends the response.
    func write(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on connection: RequestConnection
    ) async throws {
        try await write(to: request, writer, on: connection, adding: Self.commonHeaders)
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
        case .connectionLost, .hubSuperseded, .noLeader: .serviceUnavailable
        default: .unprocessableContent
        }
    }
}
