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
        let parts = line.withUnsafeBytes { bytes in
            Result { () throws(HTTPError) in try HTTPStatusLine.parts(bytes) }
        }
        (kind, status) = try parts.get()
    }

    private static func parts(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> (Kind, HTTPStatus) {
        var versionEnd = 0
        while versionEnd < line.count, line[versionEnd] != HTTPSyntax.space { versionEnd += 1 }
        let digitsEnd = versionEnd + 1 + statusLength
        guard digitsEnd <= line.count, digitsEnd == line.count || line[digitsEnd] == HTTPSyntax.space,
            line.allSatisfy(HTTPSyntax.isText)
        else { throw .malformedStartLine }
        var code = 0
        for digit in line[(versionEnd + 1)..<digitsEnd] {
            guard ASCII.isDigit(digit) else { throw .malformedStartLine }
            code = 10 * code + Int(digit - UInt8(ascii: "0"))
        }
        guard code >= lowestStatus else { throw .malformedStartLine }
        let version = UnsafeRawBufferPointer(rebasing: line[..<versionEnd])
        if HTTPSyntax.isSame(version, "HTTP/1.1") { return (.response, HTTPStatus(rawValue: code)) }
        if HTTPSyntax.isSame(version, "EVENT/1.0") { return (.event, HTTPStatus(rawValue: code)) }
        throw version.starts(with: "HTTP/".utf8) ? .unsupportedVersion : .malformedStartLine
    }

    /// The number of digits of a status.
    private static let statusLength = 3
    private static let lowestStatus = 100

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        var length = ContentLength()
        var (encodings, isChunked, announcesClose) = (0, false, false)
        headers.forEachField { name, value in
            if HTTPSyntax.isSameName(name, HTTPHeaderName.contentLength) {
                length.add(value)
            } else if HTTPSyntax.isSameName(name, HTTPHeaderName.transferEncoding) {
                encodings += 1
                isChunked = HTTPSyntax.isSameName(value, "chunked")
            } else if HTTPSyntax.isSameName(name, HTTPHeaderName.connection) {
                announcesClose = announcesClose || HTTPSyntax.isSameName(value, "close")
            }
        }
        let bytes = try length.value()
        if status.forbidsBody { return .length(0) }
        if encodings > 0 {
            guard bytes == nil else { throw .conflictingLengths }
            guard encodings == 1, isChunked else { throw .unsupportedTransferEncoding }
            return .chunked
        }
        if let bytes { return .length(bytes) }
        return kind == .response && announcesClose ? .untilClose : .length(0)
    }

    func bodyLimit(_ limits: HTTPLimits) -> Int {
        switch kind {
        case .response: limits.bodyLength
        case .event: min(limits.bodyLength, limits.eventBodyLength)
        }
    }
}

extension HTTPHeaders {
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
