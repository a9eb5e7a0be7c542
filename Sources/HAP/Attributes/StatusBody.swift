public import HAPCatalog

/// The body `{"status":0}` of the response to `PUT /prepare`, and of some error responses.
public struct StatusBody: Hashable, Sendable {
    /// The outcome of the whole request.
    public var status: HAPStatus

    /// Creates a body.
    public init(_ status: HAPStatus) {
        self.status = status
    }

    /// Decodes a body. A status without its minus sign is accepted.
    /// - Throws: ``AttributeDecodingError`` if the body is malformed.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        guard let status = try AttributeObject(parsing: body, from: .accessory).status(AttributeKey.status) else {
            throw AttributeDecodingError(path: AttributeKey.status, reason: "is missing")
        }
        self.status = status
    }

    /// The body.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member(AttributeKey.status, status) }
        return writer.bytes
    }

    /// The response to send.
    public func response(_ code: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status: code, json: encoded())
    }
}
