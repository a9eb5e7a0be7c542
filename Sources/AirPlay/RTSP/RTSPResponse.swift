package import HAP

/// A response on the control connection.
package struct RTSPResponse: Hashable, Sendable {
    /// The status.
    package var status: HTTPStatus
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: [UInt8]

    /// Creates a response from its parts.
    package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes to send. `Content-Length` is always the length of the body.
    package func encoded() -> [UInt8] {
        HTTPMessage.encode(headers: headers, body: body) { line in
            line += "\(RTSPRequestLine.version) \(status.rawValue) \(status.rtspReasonPhrase)".utf8
        }
    }
}

extension HTTPStatus {
    /// 409: nothing plays to which a command could apply.
    package static let conflict = HTTPStatus(rawValue: 409)
    /// 453: another sender plays.
    package static let notEnoughBandwidth = HTTPStatus(rawValue: 453)
    /// 455: the method doesn't fit the state of the stream.
    package static let invalidState = HTTPStatus(rawValue: 455)
    /// 461: the transport isn't UDP.
    package static let unsupportedTransport = HTTPStatus(rawValue: 461)
    /// 415: the format of the audio or of a parameter isn't supported.
    package static let unsupportedMediaType = HTTPStatus(rawValue: 415)

    fileprivate var rtspReasonPhrase: String {
        switch self {
        case .notEnoughBandwidth: "Not Enough Bandwidth"
        case .invalidState: "Method Not Valid in This State"
        case .unsupportedTransport: "Unsupported Transport"
        case .unsupportedMediaType: "Unsupported Media Type"
        default: String(description.dropFirst(4))
        }
    }
}

/// A status line such as `RTSP/1.0 200 OK`. The reason phrase is optional.
struct RTSPStatusLine: HTTPStartLine {
    let status: HTTPStatus

    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: HTTPSyntax.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].count == 3, let code = Int(String(decoding: parts[1], as: UTF8.self)),
            (100...999).contains(code), line.allSatisfy(HTTPSyntax.isText)
        else { throw .malformedStartLine }
        guard parts[0].elementsEqual(RTSPRequestLine.version.utf8) || parts[0].elementsEqual("HTTP/1.1".utf8) else {
            throw parts[0].starts(with: "RTSP/".utf8) ? .unsupportedVersion : .malformedStartLine
        }
        status = HTTPStatus(rawValue: code)
    }

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        guard headers[HTTPHeaderName.transferEncoding] == nil else { throw .unsupportedTransferEncoding }
        return .length(try headers.contentLength() ?? 0)
    }

    func bodyLimit(_ limits: HTTPLimits) -> Int { limits.bodyLength }
}
