/// The values of `Content-Type` in HAP messages.
public enum HAPContentType {
    /// JSON: attributes, reads, writes, events.
    public static let json = "application/hap+json"
    /// TLV8: pairing.
    public static let pairing = "application/pairing+tlv8"
    /// A snapshot.
    public static let jpeg = "image/jpeg"
    /// A HAP PDU.
    public static let octets = "application/octet-stream"
}
