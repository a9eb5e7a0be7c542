/// What requests, responses and events have in common on the wire.
enum HTTPMessage {
    /// The bytes of a message; without a body it states no length.
    static func encode(startLine: [UInt8], headers: HTTPHeaders, body: [UInt8]?) -> [UInt8] {
        var headers = headers
        headers.remove(HTTPHeaderName.contentLength)
        headers.remove(HTTPHeaderName.transferEncoding)
        if let body { headers.add(HTTPHeaderName.contentLength, String(body.count)) }
        var bytes = startLine + "\r\n".utf8
        headers.encode(to: &bytes)
        bytes += "\r\n".utf8
        bytes += body ?? []
        return bytes
    }
}
