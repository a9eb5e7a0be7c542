/// A reader that splits the bytes from a controller into requests. The bytes may arrive in pieces of any size.
///
/// After each ``receive(_:)``, call ``next()`` until it returns `nil`. The reader then buffers at most one message
/// within the limits. It rejects ambiguous input.
public struct HTTPRequestReader: Sendable {
    private var messages: HTTPMessageReader<HTTPRequestLine>

    /// Creates a reader at the start of a connection.
    public init(limits: HTTPLimits = .request) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether all received bytes belong to requests that ``next()`` has returned.
    public var isBetweenMessages: Bool {
        messages.isBetweenMessages
    }

    /// The number of received bytes that haven't been parsed.
    package var bufferedLength: Int {
        messages.bufferedLength
    }

    /// Buffers bytes from the connection.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(Array(bytes))
    }

    /// Buffers the bytes that a closure appends, usually in the memory of requests that were read.
    package mutating func receive<E>(_ append: (inout [UInt8]) throws(E) -> Void) throws(E) {
        try messages.receive(append)
    }

    /// Returns the next complete request, or `nil` if more bytes are needed.
    /// - Throws: ``HTTPError`` if the stream is malformed. Every further call throws the same error.
    public mutating func next() throws(HTTPError) -> HTTPRequest? {
        guard let message = try messages.next() else { return nil }
        return HTTPRequest(message)
    }
}
