public import HAPCatalog

/// The body `{"status":0}`: the answer to `PUT /prepare`, and what some refusals carry.
public struct StatusBody: Hashable, Sendable {
    /// The outcome of the whole request.
    public var status: HAPStatus

    /// Creates a body.
    public init(_ status: HAPStatus) {
        self.status = status
    }

    /// Reads a body. Accessories that leave the status's sign out are understood.
    /// - Throws: What is wrong, and where.
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
