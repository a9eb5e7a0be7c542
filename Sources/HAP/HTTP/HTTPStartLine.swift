/// The first line of a message, which also determines the length of the body.
package protocol HTTPStartLine: Sendable {
    /// Parses a line without its line end.
    init(line: ArraySlice<UInt8>) throws(HTTPError)

    /// Returns how the body is delimited.
    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming

    /// Returns the maximum length of the body.
    func bodyLimit(_ limits: HTTPLimits) -> Int
}

/// The delimitation of a message's body.
package enum HTTPFraming {
    case length(Int)
    case chunked
    /// The body extends to the end of the connection.
    case untilClose
}

/// A request line such as `GET /accessories HTTP/1.1`.
struct HTTPRequestLine: HTTPStartLine, Hashable {
    var method: HTTPMethod
    /// The path and query.
    var target: ArraySlice<UInt8>

    init(method: HTTPMethod, target: ArraySlice<UInt8>) {
        self.method = method
        self.target = target
    }

    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.withUnsafeBytes { bytes in
            Result { () throws(HTTPError) in try HTTPRequestLine.parts(bytes) }
        }
        let (method, target) = try parts.get()
        self.method = method
        self.target = line[line.startIndex + target.lowerBound..<line.startIndex + target.upperBound]
    }

    /// Returns the method, and the place of the target.
    private static func parts(
        _ line: UnsafeRawBufferPointer
    ) throws(HTTPError) -> (method: HTTPMethod, target: Range<Int>) {
        var methodEnd = 0
        while methodEnd < line.count, HTTPSyntax.isToken(line[methodEnd]) { methodEnd += 1 }
        let targetStart = methodEnd + 1
        var targetEnd = targetStart
        while targetEnd < line.count, HTTPSyntax.isVisible(line[targetEnd]) { targetEnd += 1 }
        // Each part ends where a space follows, and the version is the last one.
        guard methodEnd > 0, targetStart < targetEnd, targetEnd < line.count, line[methodEnd] == HTTPSyntax.space,
            line[targetStart] == UInt8(ascii: "/"), line[targetEnd] == HTTPSyntax.space
        else { throw .malformedStartLine }
        let version = UnsafeRawBufferPointer(rebasing: line[(targetEnd + 1)...])
        guard HTTPSyntax.isSame(version, "HTTP/1.1") else {
            let isAnother = version.starts(with: "HTTP/".utf8) && !version.contains(HTTPSyntax.space)
            throw isAnother ? .unsupportedVersion : .malformedStartLine
        }
        return (HTTPMethod(UnsafeRawBufferPointer(rebasing: line[..<methodEnd])), targetStart..<targetEnd)
    }

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        var length = ContentLength()
        var (isEncoded, hasExpectation) = (false, false)
        // One pass costs less than a search for each of the names.
        headers.forEachField { name, value in
            if HTTPSyntax.isSameName(name, HTTPHeaderName.contentLength) {
                length.add(value)
            } else if HTTPSyntax.isSameName(name, HTTPHeaderName.transferEncoding) {
                isEncoded = true
            } else if HTTPSyntax.isSameName(name, HTTPHeaderName.expect) {
                hasExpectation = true
            }
        }
        let bytes = try length.value()
        if isEncoded { throw bytes == nil ? .lengthRequired : .conflictingLengths }
        guard !hasExpectation else { throw .unmetExpectation }
        return .length(bytes ?? 0)
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
        let version = line.prefix { $0 != HTTPSyntax.space }
        let digits = line[version.endIndex...].dropFirst().prefix { $0 != HTTPSyntax.space }
        guard digits.count == Self.statusLength, digits.allSatisfy(ASCII.isDigit), line.allSatisfy(HTTPSyntax.isText)
        else { throw .malformedStartLine }
        let code = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
        guard code >= Self.lowestStatus else { throw .malformedStartLine }
        if HTTPSyntax.isSame(version, "HTTP/1.1") {
            kind = .response
        } else if HTTPSyntax.isSame(version, "EVENT/1.0") {
            kind = .event
        } else {
            throw version.starts(with: "HTTP/".utf8) ? .unsupportedVersion : .malformedStartLine
        }
        status = HTTPStatus(rawValue: code)
    }

    /// The number of digits of a status.
    private static let statusLength = 3
    private static let lowestStatus = 100

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        let length = try headers.contentLength()
        if status.forbidsBody { return .length(0) }
        guard let encoding = headers.firstIndex(of: HTTPHeaderName.transferEncoding) else {
            if let length { return .length(length) }
            return kind == .response && headers.announcesClose ? .untilClose : .length(0)
        }
        guard length == nil else { throw .conflictingLengths }
        guard headers.firstIndex(of: HTTPHeaderName.transferEncoding, from: headers.index(after: encoding)) == nil,
            HTTPSyntax.isSameName(headers.value(at: encoding), "chunked")
        else { throw .unsupportedTransferEncoding }
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
        indices.contains { index in
            HTTPSyntax.isSameName(name(at: index), HTTPHeaderName.connection)
                && HTTPSyntax.isSameName(value(at: index), "close")
        }
    }

    /// Returns the value of `Content-Length`, or `nil` if there is none.
    package func contentLength() throws(HTTPError) -> Int? {
        var length = ContentLength()
        forEachField { name, value in
            if HTTPSyntax.isSameName(name, HTTPHeaderName.contentLength) { length.add(value) }
        }
        return try length.value()
    }
}

/// The length that a message's fields give its body.
private struct ContentLength {
    private var result: Result<Int, HTTPError>?

    /// Adds the value of a field. A second one is an error.
    mutating func add(_ digits: UnsafeRawBufferPointer) {
        guard result == nil, !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else {
            result = .failure(.malformedContentLength)
            return
        }
        var length = 0
        for digit in digits {
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !overflow, !isTooLarge else {
                result = .failure(.bodyTooLarge)
                return
            }
            length = sum
        }
        result = .success(length)
    }

    /// Returns the length, or `nil` if no field gives one.
    func value() throws(HTTPError) -> Int? {
        try result?.get()
    }
}
