package import HAPCatalog

/// An HTTP request from a controller to an accessory.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The bytes of ``target``.
    private var targetBytes: [UInt8]
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: [UInt8]

    /// Creates a request from its parts.
    public init(method: HTTPMethod, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.init(method: method, target: Array(target.utf8), headers: headers, body: body)
    }

    init(method: HTTPMethod, target: [UInt8], headers: HTTPHeaders, body: [UInt8]) {
        self.method = method
        targetBytes = target
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

    /// The path and query, as in the request line.
    public var target: String {
        get { String(decoding: targetBytes, as: UTF8.self) }
        set { targetBytes = Array(newValue.utf8) }
    }

    /// The target without its query.
    public var path: String {
        String(decoding: targetBytes[..<pathEnd], as: UTF8.self)
    }

    /// The target's query without the question mark, or `nil` if it has none.
    public var query: String? {
        pathEnd < targetBytes.count ? String(decoding: queryBytes, as: UTF8.self) : nil
    }

    /// The endpoint at the path, or `nil` if it is unknown.
    package var endpoint: HAPEndpoint? {
        HAPEndpoint(path: targetBytes[..<pathEnd])
    }

    /// The bytes of ``query``. Empty if there is none.
    package var queryBytes: ArraySlice<UInt8> {
        targetBytes[pathEnd...].dropFirst()
    }

    /// The index of the question mark, or the end of the target.
    private var pathEnd: Int {
        targetBytes.firstIndex(of: UInt8(ascii: "?")) ?? targetBytes.count
    }

    /// Returns the bytes to send. `Content-Length` is always the length of the body.
    public func encoded() -> [UInt8] {
        let hasLength = method != .get || !body.isEmpty
        return HTTPMessage.encode(headers: headers, body: hasLength ? body : nil) { line in
            line += method.rawValue.utf8.lazy.filter(HTTPSyntax.isToken)
            line.append(HTTPSyntax.space)
            line += targetBytes.lazy.filter(HTTPSyntax.isVisible)
            line.append(text: " HTTP/1.1")
        }
    }
}
