/// The response to a ``SecureMessageRequest``. Source: HAP specification 7.3.3.
public struct SecureMessageResponse: Hashable, Sendable {
    /// The outcome.
    public enum Status: UInt8, Hashable, Sendable {
        /// The operation is not supported.
        case unsupported = 1
        /// The target of the request does not exist.
        case invalidInstanceID = 4
    }

    /// The transaction ID of the request.
    public let transactionID: UInt8
    /// The outcome.
    public let status: Status

    private static let responseControl: UInt8 = 1 << 1

    /// Creates the response to a request.
    public init(to request: SecureMessageRequest, status: Status) {
        transactionID = request.transactionID
        self.status = status
    }

    /// The body to send.
    public func encoded() -> [UInt8] {
        [Self.responseControl, transactionID, status.rawValue]
    }
}
