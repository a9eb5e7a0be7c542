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
    public init(status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
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
        switch status {
        case .ok where headers == .json: encode(afterHead: Self.jsonHead, to: &bytes)
        case .noContent where headers.isEmpty: bytes += Self.plainNoContent
        default: encodeParts(to: &bytes)
        }
    }

    private func encodeParts(to bytes: inout [UInt8]) {
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

    /// The beginning of most responses with a body, up to its length.
    private static let jsonHead = {
        var bytes: [UInt8] = []
        HTTPResponse(status: .ok, json: []).encodeParts(to: &bytes)
        return Array(bytes.dropLast("0\r\n\r\n".utf8.count))
    }()

    /// The response to most writes.
    private static let plainNoContent = {
        var bytes: [UInt8] = []
        HTTPResponse(status: .noContent).encodeParts(to: &bytes)
        return bytes
    }()
}
