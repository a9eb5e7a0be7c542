/// The header fields that HAP uses.
public enum HTTPHeaderName {
    /// Whether the connection stays open.
    public static let connection = "Connection"
    /// The bytes of the body.
    public static let contentLength = "Content-Length"
    /// What the body is, see `HAPContentType`.
    public static let contentType = "Content-Type"
    /// What the sender waits for before it sends the body.
    public static let expect = "Expect"
    /// The accessory's host.
    public static let host = "Host"
    /// How the body is cut.
    public static let transferEncoding = "Transfer-Encoding"
}
