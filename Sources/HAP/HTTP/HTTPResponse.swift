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
        var bytes: [UInt8] = []
        encode(to: &bytes)
        return bytes
    }

    /// Appends the bytes to send, as ``encoded()`` returns them.
    package func encode(to bytes: inout [UInt8]) {
        if status == .ok, headers == .json { return encode(afterHead: Self.jsonHead, to: &bytes) }
        HTTPMessage.encode(headers: headers, body: status.forbidsBody ? nil : body, to: &bytes) { line in
            line.append(text: "HTTP/1.1 ")
            status.append(to: &line)
        }
    }

    /// Appends the length of the body and the body to the beginning of a response.
    private func encode(afterHead head: [UInt8], to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + head.count + HTTPMessage.lengthRoom + body.count)
        bytes += head
        bytes.append(decimal: body.count.magnitude)
        bytes.append(text: HTTPMessage.headEnd)
        bytes += body
    }

    /// The beginning of most responses, up to the length of the body.
    private static let jsonHead = {
        var bytes: [UInt8] = []
        HTTPMessage.encode(headers: .json, body: [], to: &bytes) { $0.append(text: "HTTP/1.1 200 OK") }
        return Array(bytes.dropLast("0\r\n\r\n".utf8.count))
    }()
}
