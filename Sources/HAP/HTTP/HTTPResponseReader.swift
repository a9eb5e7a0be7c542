/// Finds responses and events in the bytes that an accessory sends, however they are cut. The controller's end.
///
/// After each ``receive(_:)`` call ``next()`` until it returns `nil`, and ``finish()`` when the connection is closed.
/// Bodies have a length or are chunked. A response that states neither goes on to the end of the connection if it
/// announces that, and has no body otherwise, for HAP's connections stay open. Interim responses are passed over.
public struct HTTPResponseReader: Sendable {
    private var messages: HTTPMessageReader<HTTPStatusLine>

    /// What an accessory sends.
    public enum Message: Hashable, Sendable {
        /// The answer to the oldest request that has none yet.
        case response(HTTPResponse)
        /// An event; it answers no request.
        case event(EventMessage)
    }

    /// Creates a reader at the start of a connection.
    public init(limits: HTTPLimits = .response) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether every byte received belongs to a message that has been returned.
    public var isBetweenMessages: Bool {
        messages.isBetweenMessages
    }

    /// Takes bytes from the connection.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(bytes)
    }

    /// The next whole message, `nil` if more bytes are needed.
    /// - Throws: Why there are no more messages to be found; every further call throws the same.
    public mutating func next() throws(HTTPError) -> Message? {
        while let message = try messages.next() {
            let line = message.startLine
            switch line.kind {
            case .event:
                return .event(EventMessage(status: line.status, headers: message.headers, body: message.body))
            case .response where line.status.isInterim:
                continue
            case .response:
                return .response(HTTPResponse(status: line.status, headers: message.headers, body: message.body))
            }
        }
        return nil
    }

    /// The response that the end of the connection ends, `nil` if there is none.
    public mutating func finish() -> HTTPResponse? {
        messages.finish().map { HTTPResponse(status: $0.startLine.status, headers: $0.headers, body: $0.body) }
    }
}
