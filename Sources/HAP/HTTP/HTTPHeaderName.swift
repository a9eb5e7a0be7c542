/// The names of the header fields that HAP uses.
public enum HTTPHeaderName {
    /// Whether the connection stays open.
    public static let connection = "Connection"
    /// The length of the body in bytes.
    public static let contentLength = "Content-Length"
    /// The media type of the body; see `HAPContentType`.
    public static let contentType = "Content-Type"
    /// The response that the sender expects before it sends the body.
    public static let expect = "Expect"
    /// The accessory's host.
    public static let host = "Host"
    /// The transfer coding of the body, such as `chunked`.
    public static let transferEncoding = "Transfer-Encoding"
}
