/// The encoding that requests, responses and events share.
enum HTTPMessage {
    /// Returns the bytes of a message. A message without a body has no `Content-Length`.
    static func encode(startLine: String, headers: HTTPHeaders, body: [UInt8]?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headroom + (body?.count ?? 0))
        bytes += startLine.utf8
        bytes += lineEnd
        for field in headers
        where !HTTPSyntax.isSameName(field.name, HTTPHeaderName.contentLength)
            && !HTTPSyntax.isSameName(field.name, HTTPHeaderName.transferEncoding)
        {
            encode(field, to: &bytes)
        }
        if let body {
            encode(HTTPHeaders.Field(name: HTTPHeaderName.contentLength, value: String(body.count)), to: &bytes)
        }
        bytes += lineEnd
        bytes += body ?? []
        return bytes
    }

    private static let lineEnd = "\r\n".utf8
    /// A length that the start line and headers rarely exceed.
    private static let headroom = 160

    /// Appends a field as a line. Replaces characters that would break the line with spaces.
    private static func encode(_ field: HTTPHeaders.Field, to bytes: inout [UInt8]) {
        for byte in field.name.utf8 { bytes.append(HTTPSyntax.isToken(byte) ? byte : UInt8(ascii: "_")) }
        bytes += ": ".utf8
        for byte in field.value.utf8 { bytes.append(HTTPSyntax.isText(byte) ? byte : HTTPSyntax.space) }
        bytes += lineEnd
    }
}
