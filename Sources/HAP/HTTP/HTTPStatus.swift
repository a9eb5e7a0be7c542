/// The status code of a response. Unknown codes are preserved. Source: HAP specification, table 4-2, RFC 9110.
public struct HTTPStatus: RawRepresentable, Hashable, Sendable {
    /// The three-digit code.
    public let rawValue: Int

    /// Creates a status from its code.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 200.
    public static let ok = HTTPStatus(rawValue: 200)
    /// 204: success, without a body.
    public static let noContent = HTTPStatus(rawValue: 204)
    /// 207: the body has a status for each entry.
    public static let multiStatus = HTTPStatus(rawValue: 207)
    /// 304.
    public static let notModified = HTTPStatus(rawValue: 304)
    /// 400: the request is malformed.
    public static let badRequest = HTTPStatus(rawValue: 400)
    /// 401: sent by some accessories instead of 470.
    public static let unauthorized = HTTPStatus(rawValue: 401)
    /// 404: the path does not exist.
    public static let notFound = HTTPStatus(rawValue: 404)
    /// 405: the path does not support the method.
    public static let methodNotAllowed = HTTPStatus(rawValue: 405)
    /// 411: the request has a body without a length.
    public static let lengthRequired = HTTPStatus(rawValue: 411)
    /// 413: the body is too large.
    public static let contentTooLarge = HTTPStatus(rawValue: 413)
    /// 414: the request target is too long.
    public static let uriTooLong = HTTPStatus(rawValue: 414)
    /// 417: the request's `Expect` can't be met.
    public static let expectationFailed = HTTPStatus(rawValue: 417)
    /// 422: the request is well formed but invalid.
    public static let unprocessableContent = HTTPStatus(rawValue: 422)
    /// 429: too many pairing attempts.
    public static let tooManyRequests = HTTPStatus(rawValue: 429)
    /// 431: the headers are too large.
    public static let headerFieldsTooLarge = HTTPStatus(rawValue: 431)
    /// 470: the connection has no verified session. Defined by HAP.
    public static let connectionAuthorizationRequired = HTTPStatus(rawValue: 470)
    /// 500.
    public static let internalServerError = HTTPStatus(rawValue: 500)
    /// 501: the transfer coding is not supported.
    public static let notImplemented = HTTPStatus(rawValue: 501)
    /// 503: too many connections.
    public static let serviceUnavailable = HTTPStatus(rawValue: 503)
    /// 505: the version is not HTTP/1.1.
    public static let versionNotSupported = HTTPStatus(rawValue: 505)

    /// The reason phrase in a status line, or an empty string for an unknown code.
    public var reasonPhrase: String { phrase.description }

    private var phrase: StaticString {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .multiStatus: "Multi-Status"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .lengthRequired: "Length Required"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .expectationFailed: "Expectation Failed"
        case .unprocessableContent: "Unprocessable Content"
        case .tooManyRequests: "Too Many Requests"
        case .headerFieldsTooLarge: "Request Header Fields Too Large"
        case .connectionAuthorizationRequired: "Connection Authorization Required"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        default: ""
        }
    }

    /// Whether this is the status of an interim response (1xx), which precedes the final one.
    public var isInterim: Bool {
        100..<200 ~= rawValue
    }

    /// Whether a response with this status never has a body, regardless of its headers.
    public var forbidsBody: Bool {
        isInterim || self == .noContent || self == .notModified
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its reason phrase.
    public var description: String {
        reasonPhrase.isEmpty ? String(rawValue) : "\(rawValue) \(reasonPhrase)"
    }
}

extension HTTPStatus {
    /// Appends the code and the reason phrase, as in a status line.
    func append(to line: inout [UInt8]) {
        line.append(decimal: rawValue.magnitude)
        line.append(UInt8(ascii: " "))
        line.append(text: phrase)
    }
}
