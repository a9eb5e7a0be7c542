import HAPCatalog

/// An HTTP response, as an accessory sends it and a controller receives it.
public struct HTTPResponse: Hashable, Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, put together if it came in chunks.
    public var body: [UInt8]

    /// Creates a response from its parts.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a HAP JSON body.
    public init(status: HTTPStatus, json: [UInt8]) {
        self.init(status: status, headers: [HTTPHeaderName.contentType: HAPContentType.json], body: json)
    }

    /// The bytes to send. The length is that of the body, whatever the headers say; a status that forbids a body has
    /// none.
    public func encoded() -> [UInt8] {
        HTTPMessage.encode(
            startLine: "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)",
            headers: headers,
            body: status.forbidsBody ? nil : body
        )
    }
}
