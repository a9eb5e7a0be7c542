package import DNSSD
package import HAP

/// Closures that replace what an ``AccessoryServer`` receives and sends, so that it breaks a rule of HAP. They test
/// controllers, and checks of accessories.
///
/// All closures are called on the server's event loop and must not block.
package struct TrafficRewriter: Sendable {
    /// What to do with received bytes, before they are decrypted.
    package enum Input: Hashable, Sendable {
        /// Handle them.
        case received
        /// Handle other bytes instead.
        case replaced([UInt8])
        /// Send a message instead, framed if the connection is secured.
        case answered([UInt8])
        /// Close the connection.
        case closed
    }

    /// What to do with a request.
    package enum Handling: Sendable {
        /// Handle this request instead.
        case handled(HTTPRequest)
        /// Send a message instead.
        case answered([UInt8])
        /// Handle the request, and spoil the authentication tag of the response.
        case corrupted
    }

    /// The bytes to write in place of a message, as they are on the wire.
    package struct Output: Hashable, Sendable {
        /// The pieces, which are written one by one, with a pause between them.
        package var pieces: [[UInt8]]
        /// Whether the connection is closed after the last piece.
        package var closes: Bool

        /// Creates an output.
        package init(_ pieces: [[UInt8]], closes: Bool = false) {
            self.pieces = pieces
            self.closes = closes
        }
    }

    /// Returns what to do with received bytes.
    package var input: @Sendable (_ bytes: [UInt8], _ connection: ConnectionID, _ isSecured: Bool) -> Input
    /// Returns what to do with a request.
    package var request: @Sendable (_ request: HTTPRequest, _ connection: ConnectionID, _ isSecured: Bool) -> Handling
    /// Returns the bytes to send in place of a response. `request` is the newest one, as it was handled.
    package var response:
        @Sendable (_ response: HTTPResponse, _ request: HTTPRequest?, _ connection: ConnectionID) -> [UInt8]
    /// Returns the bytes to send in place of an event.
    package var event: @Sendable (_ bytes: [UInt8]) -> [UInt8]
    /// Returns the message to send when bytes aren't frames of the session, or `nil` to close the connection as HAP
    /// asks.
    package var frameErrorAnswer: [UInt8]?
    /// Records that bytes aren't frames of the session.
    package var frameError: @Sendable (_ error: FrameError, _ connection: ConnectionID) -> Void
    /// Returns the bytes to write in place of a message, which is framed if the connection is secured. `nil` writes the
    /// message.
    package var output: @Sendable (_ bytes: [UInt8], _ connection: ConnectionID) -> Output?
    /// The maximum length of the content of a frame, or `nil` for that of HAP.
    package var frameLength: Int?
    /// Returns the TXT record to advertise.
    package var advertisement: @Sendable (TXTRecord) -> TXTRecord

    /// Creates a rewriter that changes nothing.
    package init() {
        input = { _, _, _ in .received }
        request = { request, _, _ in .handled(request) }
        response = { response, _, _ in response.encoded() }
        event = { $0 }
        frameError = { _, _ in }
        output = { _, _ in nil }
        advertisement = { $0 }
    }
}
