package import HAP

/// A reader of a connection that a sender has had turned around: the receiver's consent, and then its events. The bytes may
/// arrive in pieces of any size.
///
/// After each ``receive(_:)``, call ``next()`` until it returns `nil`.
package struct VideoEventReader: Sendable {
    private static let limits = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 65_536)
    private static let headerEnd = Array("\r\n\r\n".utf8)
    private static let consent = Array("HTTP/1.1 \(HTTPStatus.switchingProtocols.rawValue) ".utf8)

    /// The receiver's response, until it is complete.
    private var response: [UInt8]? = []
    private var events = RTSPRequestReader(limits: limits)

    /// Creates a reader at the start of a connection.
    package init() {}

    /// Buffers bytes from the connection.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard var response else { return events.receive(bytes) }
        response += bytes
        self.response = response
    }

    /// Returns the state in the next event, `stopped` if it is another one's, or `nil` if more bytes are needed.
    ///
    /// - Throws: `HTTPError` if the receiver refuses, or the bytes are malformed.
    package mutating func next() throws(HTTPError) -> VideoStatus.State? {
        if let response {
            guard let end = Self.end(of: response) else {
                guard response.count <= Self.limits.headerLength else { throw .headersTooLarge }
                return nil
            }
            guard response.starts(with: Self.consent) else { throw .malformedStartLine }
            self.response = nil
            events.receive(response[end...])
        }
        while let request = try events.next() {
            if let state = VideoStatus.State(event: request.body) { return state }
        }
        return nil
    }

    private static func end(of response: [UInt8]) -> Int? {
        guard response.count >= headerEnd.count else { return nil }
        return (headerEnd.count...response.count).first {
            response[..<$0].suffix(headerEnd.count).elementsEqual(headerEnd)
        }
    }
}
