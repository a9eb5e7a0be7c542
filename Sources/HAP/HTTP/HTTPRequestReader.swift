/// Finds requests in the bytes that a controller sends, however they are cut. The accessory's end.
///
/// After each ``receive(_:)`` call ``next()`` until it returns `nil`: then no more is held than one message within the
/// limits. Anything that two readers could understand differently is refused.
public struct HTTPRequestReader: Sendable {
    private var messages: HTTPMessageReader<HTTPRequestLine>

    /// Creates a reader at the start of a connection.
    public init(limits: HTTPLimits = .request) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether every byte received belongs to a request that has been returned.
    public var isBetweenMessages: Bool {
        messages.isBetweenMessages
    }

    /// The bytes received that belong to no request that has been begun.
    package var bufferedLength: Int {
        messages.bufferedLength
    }

    /// Takes bytes from the connection.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(bytes)
    }

    /// The next whole request, `nil` if more bytes are needed.
    /// - Throws: Why there are no more requests to be found; every further call throws the same.
    public mutating func next() throws(HTTPError) -> HTTPRequest? {
        guard let message = try messages.next() else { return nil }
        return HTTPRequest(
            method: message.startLine.method,
            target: message.startLine.target,
            headers: message.headers,
            body: message.body
        )
    }
}
