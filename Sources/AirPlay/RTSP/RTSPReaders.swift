package import HAP

extension HTTPLimits {
    /// The limits of the control connection: 1 KiB, 16 KiB, and 8 MiB for artwork.
    package static let rtsp = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 8_388_608)
    /// The limits before a sender has a stream: 1 KiB, 16 KiB, and 128 KiB for descriptions and property lists.
    package static let rtspSetup = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 131_072)
}

/// A reader that splits the bytes from a sender into requests. The bytes may arrive in pieces of any size.
///
/// After each ``receive(_:)``, call ``next()`` until it returns `nil`.
package struct RTSPRequestReader: Sendable {
    private var messages: HTTPMessageReader<RTSPRequestLine>

    /// Creates a reader at the start of a connection.
    package init(limits: HTTPLimits = .rtsp) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether all received bytes belong to requests that ``next()`` has returned.
    package var isBetweenMessages: Bool { messages.isBetweenMessages }

    /// The maximum lengths. A change applies to what is read next.
    package var limits: HTTPLimits {
        get { messages.limits }
        set { messages.limits = newValue }
    }

    /// Buffers bytes from the connection.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(Array(bytes))
    }

    /// Returns the next complete request, or `nil` if more bytes are needed.
    ///
    /// - Throws: `HTTPError` if the stream is malformed. Every further call throws the same error.
    package mutating func next() throws(HTTPError) -> RTSPRequest? {
        guard let message = try messages.next() else { return nil }
        let line = message.startLine
        return RTSPRequest(line.method, line.uri, headers: message.headers, body: Array(message.body))
    }
}

/// A reader that splits the bytes from a receiver into responses. The bytes may arrive in pieces of any size.
///
/// After each ``receive(_:)``, call ``next()`` until it returns `nil`.
package struct RTSPResponseReader: Sendable {
    private var messages: HTTPMessageReader<RTSPStatusLine>

    /// Creates a reader at the start of a connection.
    package init(limits: HTTPLimits = .rtsp) {
        messages = HTTPMessageReader(limits: limits)
    }

    /// Whether all received bytes belong to responses that ``next()`` has returned.
    package var isBetweenMessages: Bool { messages.isBetweenMessages }

    /// Buffers bytes from the connection.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        messages.receive(Array(bytes))
    }

    /// Returns the next complete response, or `nil` if more bytes are needed.
    ///
    /// - Throws: `HTTPError` if the stream is malformed. Every further call throws the same error.
    package mutating func next() throws(HTTPError) -> RTSPResponse? {
        guard let message = try messages.next() else { return nil }
        return RTSPResponse(message.startLine.status, headers: message.headers, body: Array(message.body))
    }
}
