/// The encoding that requests, responses and events share.
package enum HTTPMessage {
    /// Returns the bytes of a message. A message without a body has no `Content-Length`.
    ///
    /// - Parameter startLine: A closure that appends the start line without its end.
    package static func encode(headers: HTTPHeaders, body: [UInt8]?, startLine: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(headers: headers, body: body, to: &bytes, startLine: startLine)
        return bytes
    }

    /// Appends the bytes of a message, as ``encode(headers:body:startLine:)`` returns them.
    static func encode(
        headers: HTTPHeaders,
        body: [UInt8]?,
        to bytes: inout [UInt8],
        startLine: (inout [UInt8]) -> Void
    ) {
        bytes.reserveCapacity(bytes.count + headroom + (body?.count ?? 0))
        startLine(&bytes)
        bytes.append(text: lineEnd)
        append(headers, to: &bytes)
        if let body {
            bytes.append(text: lengthName)
            bytes.append(decimal: body.count.magnitude)
            bytes.append(text: lineEnd)
        }
        bytes.append(text: lineEnd)
        if let body { bytes += body }
    }

    private static let lineEnd: StaticString = "\r\n"
    private static let lengthName: StaticString = "Content-Length: "
    /// The end of the headers' last line and of the headers.
    static let headEnd: StaticString = "\r\n\r\n"
    /// A length that the digits of a body's length and ``headEnd`` don't exceed.
    static let lengthRoom = 24
    /// A length that the start line and headers rarely exceed.
    private static let headroom = 160

    private static func append(_ headers: HTTPHeaders, to bytes: inout [UInt8]) {
        for index in headers.indices {
            let name = headers.name(at: index)
            guard !HTTPSyntax.isSameName(name, HTTPHeaderName.contentLength),
                !HTTPSyntax.isSameName(name, HTTPHeaderName.transferEncoding)
            else { continue }
            bytes += headers.line(at: index)
        }
    }
}
