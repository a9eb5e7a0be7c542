/// An HTTP request from a controller to an accessory.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path and query, as in the request line.
    public var target: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: [UInt8]

    /// Creates a request from its parts.
    public init(method: HTTPMethod, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// Creates a request with the headers that a controller sends.
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and query.
    ///   - host: The accessory's host, and its port if it is not 80.
    ///   - contentType: The media type of the body.
    ///   - body: The body.
    public init(
        _ method: HTTPMethod,
        _ target: String,
        host: String,
        contentType: String? = nil,
        body: [UInt8] = []
    ) {
        self.init(method: method, target: target, headers: [HTTPHeaderName.host: host], body: body)
        if let contentType { headers.add(HTTPHeaderName.contentType, contentType) }
    }

    /// The target without its query.
    public var path: String {
        String(target[..<(questionMark ?? target.endIndex)])
    }

    /// The target's query without the question mark, or `nil` if it has none.
    public var query: String? {
        questionMark.map { String(target[target.utf8.index(after: $0)...]) }
    }

    private var questionMark: String.Index? {
        target.utf8.firstIndex(of: UInt8(ascii: "?"))
    }

    /// Returns the bytes to send. `Content-Length` is always the length of the body.
    public func encoded() -> [UInt8] {
        let method = String(decoding: method.rawValue.utf8.filter(HTTPSyntax.isToken), as: UTF8.self)
        let target = String(decoding: target.utf8.filter(HTTPSyntax.isVisible), as: UTF8.self)
        let hasLength = self.method != .get || !body.isEmpty
        return HTTPMessage.encode(
            startLine: "\(method) \(target) HTTP/1.1",
            headers: headers,
            body: hasLength ? body : nil
        )
    }
}
