/// An error in a stream of HTTP messages. The message boundaries are lost after an error: answer with ``status``, then
/// close the connection.
public enum HTTPError: Error, Hashable, Sendable {
    /// The first line is not a request, status or event line.
    case malformedStartLine
    /// The HTTP version is not 1.1.
    case unsupportedVersion
    /// The start line is longer than the limit.
    case startLineTooLong
    /// A line ends in a line feed alone, or contains a carriage return.
    case malformedLineEnd
    /// A header line is not `name: value`, or contains a control character.
    case malformedHeader
    /// The header section is longer than the limit.
    case headersTooLarge
    /// Content-Length is not a decimal number, or occurs more than once.
    case malformedContentLength
    /// The message has both a Content-Length and a Transfer-Encoding.
    case conflictingLengths
    /// A request has a Transfer-Encoding. HAP requests must have a Content-Length.
    case lengthRequired
    /// A request expects an interim response before its body is sent.
    case unmetExpectation
    /// The Transfer-Encoding is not chunked.
    case unsupportedTransferEncoding
    /// The size or end of a chunk is malformed.
    case malformedChunk
    /// The body is longer than the limit.
    case bodyTooLarge

    /// The status with which a server answers.
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
    /// The reason, for logs.
    public var description: String {
        switch self {
        case .malformedStartLine: "the first line is not a request, status or event line"
        case .unsupportedVersion: "the version is not HTTP/1.1"
        case .startLineTooLong: "the first line is too long"
        case .malformedLineEnd: "a line does not end in CR LF, or contains a CR"
        case .malformedHeader: "a header line is not 'name: value'"
        case .headersTooLarge: "the headers are too large"
        case .malformedContentLength: "Content-Length is not one decimal number"
        case .conflictingLengths: "the message has both Content-Length and Transfer-Encoding"
        case .lengthRequired: "the request has a Transfer-Encoding instead of a Content-Length"
        case .unmetExpectation: "the request expects an interim response"
        case .unsupportedTransferEncoding: "the Transfer-Encoding is not chunked"
        case .malformedChunk: "a chunk is malformed"
        case .bodyTooLarge: "the body is too large"
        }
    }
}
