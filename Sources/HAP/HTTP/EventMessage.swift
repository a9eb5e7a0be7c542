import HAPCatalog

/// An event: a message in the form of a response that an accessory sends unsolicited, between responses. Source: HAP
/// specification 6.8.2.
public struct EventMessage: Hashable, Sendable {
    /// The status, 200.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, which `CharacteristicEvent` decodes.
    public var body: [UInt8]

    /// Creates an event from its parts.
    public init(status: HTTPStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates an event with a HAP JSON body.
    public init(json: [UInt8]) {
        self.init(headers: .json, body: json)
    }

    /// Returns the bytes to send. `Content-Length` is always the length of the body.
    public func encoded() -> [UInt8] {
        HTTPMessage.encode(headers: headers, body: body) { line in
            line.append(text: "EVENT/1.0 ")
            status.append(to: &line)
        }
    }
}
