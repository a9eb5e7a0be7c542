import HAPCatalog

/// The request `PUT /prepare`, which announces a timed write. Source: HAP specification 6.7.2.4.
public struct PrepareRequest: Hashable, Sendable {
    /// The time within which the write must arrive, in milliseconds.
    public var timeToLive: UInt64
    /// The ID of the timed write, chosen at random by the controller.
    public var pid: UInt64

    /// Creates a request.
    public init(timeToLive: UInt64, pid: UInt64) {
        self.timeToLive = timeToLive
        self.pid = pid
    }

    /// Decodes the body of a request.
    /// - Throws: ``AttributeDecodingError`` if the body is malformed.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .controller)
        timeToLive = try root.id(AttributeKey.timeToLive)
        pid = try root.id(AttributeKey.pid)
    }

    /// The body.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(AttributeKey.timeToLive, timeToLive)
            writer.member(AttributeKey.pid, pid)
        }
        return writer.bytes
    }

    /// The request to send.
    /// - Parameter host: The accessory's host, and its port if it is not 80.
    public func request(host: String) -> HTTPRequest {
        HTTPRequest(.put, HAPEndpoint.prepare.path, host: host, contentType: HAPContentType.json, body: encoded())
    }
}
