/// The body of `POST /secure-message`: a request in the form that HAP uses over Bluetooth.
/// Source: HAP specification 7.3.3.
public struct SecureMessageRequest: Hashable, Sendable {
    /// What is asked for.
    public let operation: UInt8
    /// The number that the response repeats.
    public let transactionID: UInt8
    /// What it is about; over IP 0.
    public let iid: UInt16
    /// What the operation needs, TLV8.
    public let body: [UInt8]

    private static let requestControl: UInt8 = 0
    private static let headerLength = 5
    private static let lengthLength = 2

    /// Reads a request; `nil` unless it is one, whole and in one part, with nothing behind it. Answer HTTP 400 then.
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
