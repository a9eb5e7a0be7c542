/// Why a stream of bytes is not, or is no longer, HAP's HTTP. After one the stream has no message boundaries any more:
/// answer with ``status``, then close the connection.
public enum HTTPError: Error, Hashable, Sendable {
    /// The first line is no request line, status line or event line.
    case malformedStartLine
    /// Another version of HTTP than 1.1.
    case unsupportedVersion
    /// The start line is longer than the limit.
    case startLineTooLong
    /// A line ends in a line feed alone, or holds a carriage return.
    case malformedLineEnd
    /// A header line that is not `name: value`, or that holds a control character.
    case malformedHeader
    /// The header section is longer than the limit.
    case headersTooLarge
    /// A Content-Length that is no decimal number, or more than one.
    case malformedContentLength
    /// A Content-Length beside a Transfer-Encoding.
    case conflictingLengths
    /// A request with a Transfer-Encoding: HAP's requests state their length.
    case lengthRequired
    /// A request that wants an interim response before it sends its body.
    case unmetExpectation
    /// A Transfer-Encoding other than chunked.
    case unsupportedTransferEncoding
    /// A chunk whose size or end is malformed.
    case malformedChunk
    /// The body is longer than the limit.
    case bodyTooLarge

    /// What a server answers.
    public var status: HTTPStatus {
        switch self {
        case .malformedStartLine, .malformedLineEnd, .malformedHeader, .malformedContentLength, .conflictingLengths,
            .malformedChunk:
            .badRequest
        case .unsupportedVersion: .versionNotSupported
        case .startLineTooLong: .uriTooLong
        case .headersTooLarge: .headerFieldsTooLarge
        case .lengthRequired: .lengthRequired
        case .unmetExpectation: .expectationFailed
        case .unsupportedTransferEncoding: .notImplemented
        case .bodyTooLarge: .contentTooLarge
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .malformedStartLine: "the first line is no request, status or event line"
        case .unsupportedVersion: "the version is not HTTP/1.1"
        case .startLineTooLong: "the first line is too long"
        case .malformedLineEnd: "a line does not end in CR LF, or holds a CR"
        case .malformedHeader: "a header line is not 'name: value'"
        case .headersTooLarge: "the headers are too large"
        case .malformedContentLength: "Content-Length is not one decimal number"
        case .conflictingLengths: "Content-Length stands beside Transfer-Encoding"
        case .lengthRequired: "the request has a Transfer-Encoding; it has to state a Content-Length"
        case .unmetExpectation: "the request expects an interim response"
        case .unsupportedTransferEncoding: "the Transfer-Encoding is not chunked"
        case .malformedChunk: "a chunk is malformed"
        case .bodyTooLarge: "the body is too large"
        }
    }
}
