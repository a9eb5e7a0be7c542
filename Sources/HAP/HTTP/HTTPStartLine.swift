/// The first line of a message, which also determines the length of the body.
protocol HTTPStartLine: Sendable {
    /// Parses a line without its line end.
    init(line: ArraySlice<UInt8>) throws(HTTPError)

    /// Returns how the body is delimited.
    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming

    /// Returns the maximum length of the body.
    func bodyLimit(_ limits: HTTPLimits) -> Int
}

/// The delimitation of a message's body.
enum HTTPFraming {
    case length(Int)
    case chunked
    /// The body extends to the end of the connection.
    case untilClose
}

/// A request line such as `GET /accessories HTTP/1.1`.
struct HTTPRequestLine: HTTPStartLine {
    let method: HTTPMethod
    let target: String

    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: HTTPSyntax.space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HTTPSyntax.isToken),
            parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy(HTTPSyntax.isVisible)
        else { throw .malformedStartLine }
        guard parts[2].elementsEqual("HTTP/1.1".utf8) else {
            throw parts[2].starts(with: "HTTP/".utf8) ? .unsupportedVersion : .malformedStartLine
        }
        method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        target = String(decoding: parts[1], as: UTF8.self)
    }

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        let length = try headers.contentLength()
        if headers[HTTPHeaderName.transferEncoding] != nil {
            throw length == nil ? .lengthRequired : .conflictingLengths
        }
        guard headers[HTTPHeaderName.expect] == nil else { throw .unmetExpectation }
        return .length(length ?? 0)
    }

    func bodyLimit(_ limits: HTTPLimits) -> Int { limits.bodyLength }
}

/// A status line such as `HTTP/1.1 200 OK` or `EVENT/1.0 200 OK`. The reason phrase is optional.
struct HTTPStatusLine: HTTPStartLine {
    let kind: Kind
    let status: HTTPStatus

    enum Kind {
        case response
        case event
    }

    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: HTTPSyntax.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy(ASCII.isDigit),
            let code = Int(String(decoding: parts[1], as: UTF8.self)), code >= 100, line.allSatisfy(HTTPSyntax.isText)
        else { throw .malformedStartLine }
        if parts[0].elementsEqual("HTTP/1.1".utf8) {
            kind = .response
        } else if parts[0].elementsEqual("EVENT/1.0".utf8) {
            kind = .event
        } else {
            throw parts[0].starts(with: "HTTP/".utf8) ? .unsupportedVersion : .malformedStartLine
        }
        status = HTTPStatus(rawValue: code)
    }

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        let length = try headers.contentLength()
        if status.forbidsBody { return .length(0) }
        let encodings = headers.values(of: HTTPHeaderName.transferEncoding)
        guard let encoding = encodings.first else {
            if let length { return .length(length) }
            return kind == .response && headers.announcesClose ? .untilClose : .length(0)
        }
        guard length == nil else { throw .conflictingLengths }
        guard encodings.count == 1, HTTPSyntax.isSameName(encoding, "chunked") else {
            throw .unsupportedTransferEncoding
        }
        return .chunked
    }

    func bodyLimit(_ limits: HTTPLimits) -> Int {
        switch kind {
        case .response: limits.bodyLength
        case .event: min(limits.bodyLength, limits.eventBodyLength)
        }
    }
}

extension HTTPHeaders {
    /// Whether the sender will close the connection after this message.
    fileprivate var announcesClose: Bool {
        values(of: HTTPHeaderName.connection).contains { HTTPSyntax.isSameName($0, "close") }
    }

    /// Returns the value of `Content-Length`, or `nil` if there is none.
    fileprivate func contentLength() throws(HTTPError) -> Int? {
        let values = values(of: HTTPHeaderName.contentLength)
        guard let value = values.first else { return nil }
        guard values.count == 1, !value.isEmpty, value.utf8.allSatisfy(ASCII.isDigit) else {
            throw .malformedContentLength
        }
        guard let length = Int(value) else { throw .bodyTooLarge }
        return length
    }
}
