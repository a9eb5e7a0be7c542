package import HAPCatalog

/// An HTTP request from a controller to an accessory.
public struct HTTPRequest: Hashable, Sendable {
    /// The request as a connection reads it, so that nothing is copied afterwards.
    private var message: HTTPMessageReader<HTTPRequestLine>.Message

    /// Creates a request from its parts.
    public init(method: HTTPMethod, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        let line = HTTPRequestLine(method: method, target: ArraySlice(target.utf8))
        self.init(HTTPMessageReader.Message(startLine: line, headers: headers, body: body[...]))
    }

    init(_ message: HTTPMessageReader<HTTPRequestLine>.Message) {
        self.message = message
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
        if let contentType { message.headers.add(HTTPHeaderName.contentType, contentType) }
    }

    /// The method.
    public var method: HTTPMethod {
        get { message.startLine.method }
        set { message.startLine.method = newValue }
    }

    /// The path and query, as in the request line.
    public var target: String {
        get { String(decoding: targetBytes, as: UTF8.self) }
        set { message.startLine.target = ArraySlice(newValue.utf8) }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { message.headers }
        set { message.headers = newValue }
    }

    /// The body.
    public var body: [UInt8] {
        get { Array(message.body) }
        set { message.body = newValue[...] }
    }

    /// The bytes of ``body``, which may be a part of what a connection received.
    package var bodyBytes: ArraySlice<UInt8> { message.body }

    /// The target without its query.
    public var path: String {
        String(decoding: targetBytes[..<pathEnd], as: UTF8.self)
    }

    /// The target's query without the question mark, or `nil` if it has none.
    public var query: String? {
        pathEnd < targetBytes.endIndex ? String(decoding: queryBytes, as: UTF8.self) : nil
    }

    /// The endpoint at the path, or `nil` if it is unknown.
    package var endpoint: HAPEndpoint? {
        HAPEndpoint(path: targetBytes[..<pathEnd])
    }

    /// The bytes of ``query``. Empty if there is none.
    package var queryBytes: ArraySlice<UInt8> {
        targetBytes[pathEnd...].dropFirst()
    }

    /// The bytes of ``target``, which may be a part of what a connection received.
    private var targetBytes: ArraySlice<UInt8> { message.startLine.target }

    /// The index of the question mark, or the end of the target.
    private var pathEnd: Int {
        targetBytes.firstIndex(of: UInt8(ascii: "?")) ?? targetBytes.endIndex
    }

    /// Returns the bytes to send. `Content-Length` is always the length of the body.
    public func encoded() -> [UInt8] {
        let hasLength = method != .get || !bodyBytes.isEmpty
        return HTTPMessage.encode(headers: headers, body: hasLength ? body : nil) { line in
            line += method.rawValue.utf8.lazy.filter(HTTPSyntax.isToken)
            line.append(HTTPSyntax.space)
            line += targetBytes.lazy.filter(HTTPSyntax.isVisible)
            line.append(text: " HTTP/1.1")
        }
    }
}
