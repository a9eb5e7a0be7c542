/// The body of `POST /secure-message`: a request in the format of HAP over Bluetooth. Source: HAP specification 7.3.3.
public struct SecureMessageRequest: Hashable, Sendable {
    /// The operation code.
    public let operation: UInt8
    /// The transaction ID, which the response repeats.
    public let transactionID: UInt8
    /// The instance ID of the target, which is 0 over IP.
    public let iid: UInt16
    /// The parameters of the operation, TLV8.
    public let body: [UInt8]

    private static let requestControl: UInt8 = 0
    private static let headerLength = 5
    private static let lengthLength = 2

    /// Decodes a request. Returns `nil` unless it is complete, in one part, and not followed by other bytes; answer
    /// with HTTP 400 then.
    public init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.headerLength, bytes[0] == Self.requestControl else { return nil }
        operation = bytes[1]
        transactionID = bytes[2]
        iid = UInt16(bytes[3]) | UInt16(bytes[4]) << UInt8.bitWidth
        let rest = bytes.dropFirst(Self.headerLength)
        guard !rest.isEmpty else {
            body = []
            return
        }
        body = Array(rest.dropFirst(Self.lengthLength))
        guard rest.count >= Self.lengthLength,
            body.count == Int(bytes[5]) | Int(bytes[6]) << UInt8.bitWidth
        else { return nil }
    }
}
