import HAPCatalog

/// An HTTP response from an accessory to a controller.
public struct HTTPResponse: Hashable, Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, joined if it was sent in chunks.
    public var body: [UInt8]

    /// Creates a response from its parts.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a HAP JSON body.
    public init(status: HTTPStatus, json: [UInt8]) {
        self.init(status: status, headers: .json, body: json)
    }

    /// Returns the bytes to send. `Content-Length` is always the length of the body. If the status forbids a body,
    /// neither is sent.
    public func encoded() -> [UInt8] {
        HTTPMessage.encode(headers: headers, body: status.forbidsBody ? nil : body) { line in
            line.append(text: "HTTP/1.1 ")
            status.append(to: &line)
        }
    }
}
