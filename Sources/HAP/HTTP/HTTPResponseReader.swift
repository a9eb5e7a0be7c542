/// A reader that splits the bytes from an accessory into responses and events. The bytes may arrive in pieces of any
/// size.
///
/// After each ``receive(_:)``, call ``next()`` until it returns `nil`. Call ``finish()`` when the connection closes.
///
/// Bodies have a length or are chunked. A response with neither extends to the end of the connection if it has
/// `Connection: close`; otherwise it has no body, because HAP connections stay open. Interim responses are skipped.
public struct HTTPResponseReader: Sendable {
    private var messages: HTTPMessageReader<HTTPStatusLine>

    /// A message from an accessory.
    public enum Message: Hashable, Sendable {
        /// The response to the oldest outstanding request.
        case response(HTTPResponse)
        /// An event, which doesn't belong to a request.
        case event(EventMessage)
    }

    /// Creates a reader at the start of a connection.
    public init(limits: HTTPLimits = .response) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether all received bytes belong to messages that ``next()`` has returned.
    public var isBetweenMessages: Bool {
        messages.isBetweenMessages
    }

    /// Buffers bytes from the connection.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(Array(bytes))
    }

    /// Returns the next complete message, or `nil` if more bytes are needed.
    /// - Throws: ``HTTPError`` if the stream is malformed. Every further call throws the same error.
    public mutating func next() throws(HTTPError) -> Message? {
        while let message = try messages.next() {
            let line = message.startLine
            switch line.kind {
            case .event:
                return .event(EventMessage(status: line.status, headers: message.headers, body: Array(message.body)))
            case .response where line.status.isInterim:
                continue
            case .response:
                return .response(HTTPResponse(status: line.status, headers: message.headers, body: Array(message.body)))
            }
        }
        return nil
    }

    /// Returns the response that is delimited by the end of the connection, or `nil` if there is none.
    public mutating func finish() -> HTTPResponse? {
        messages.finish().map { HTTPResponse(status: $0.startLine.status, headers: $0.headers, body: Array($0.body)) }
    }
}
