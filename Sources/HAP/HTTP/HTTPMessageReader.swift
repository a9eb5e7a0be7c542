internal import HAPCatalog

/// A reader that splits a stream of bytes into messages, each with a start line, headers and a body. The bytes may
/// arrive in pieces of any size.
package struct HTTPMessageReader<StartLine: HTTPStartLine>: Sendable {
    /// The maximum number of blank lines before a start line, which are skipped (RFC 9112, section 2.2). Some senders
    /// end bodies with one.
    private static var blankLineLimit: Int { 2 }
    /// The maximum length of a line with a chunk's size.
    private static var chunkLineLimit: Int { 256 }

    /// The maximum lengths. A change applies to what is read next.
    package var limits: HTTPLimits
    private var buffer = HTTPByteBuffer()
    private var phase = Phase.startLine(blankLines: 0)
    /// The message being read, once its start line is complete.
    private var message: Message?
    private var failure: HTTPError?

    /// A message.
    package struct Message: Sendable {
        package var startLine: StartLine
        package var headers = HTTPHeaders()
        /// May be a part of what was received.
        package var body: ArraySlice<UInt8> = []

        fileprivate var framing: HTTPFraming {
            get throws(HTTPError) { try startLine.framing(headers) }
        }
    }

    /// The part of a message that the next bytes belong to.
    private enum Phase: Sendable {
        case startLine(blankLines: Int)
        /// The length of the header lines that are complete.
        case headers(length: Int)
        case body(length: Int)
        case chunkSize
        case chunk(length: Int)
        case chunkEnd
        case trailers(room: Int)
        case untilClose
        case end
    }

    package init(limits: HTTPLimits) {
        self.limits = limits
    }

    package var isBetweenMessages: Bool {
        if case .startLine = phase { buffer.isEmpty } else { false }
    }

    package var bufferedLength: Int {
        buffer.count
    }

    package mutating func receive(_ bytes: [UInt8]) {
        if failure == nil { buffer.append(bytes) }
    }

    /// Receives what a closure appends to the buffered bytes.
    package mutating func receive<E>(_ append: (inout [UInt8]) throws(E) -> Void) throws(E) {
        if failure == nil { try buffer.append(append) }
    }

    package mutating func next() throws(HTTPError) -> Message? {
        if let failure { throw failure }
        do {
            while let next = try readPart() {
                phase = next
                if case .end = next, let message = message.take() {
                    phase = .startLine(blankLines: 0)
                    return message
                }
            }
            return nil
        } catch {
            failure = error
            buffer = HTTPByteBuffer()
            message = nil
            throw error
        }
    }

    /// Returns the message that is delimited by the end of the connection, or `nil` if there is none.
    mutating func finish() -> Message? {
        guard case .untilClose = phase, failure == nil else { return nil }
        phase = .startLine(blankLines: 0)
        defer { message = nil }
        return message
    }

    /// Reads the next part and returns the following phase, or `nil` if more bytes are needed.
    private mutating func readPart() throws(HTTPError) -> Phase? {
        switch phase {
        case .startLine(let blankLines):
            guard let line = try buffer.readLine(limit: limits.startLineLength, or: .startLineTooLong) else {
                return nil
            }
            if line.isEmpty {
                guard blankLines < Self.blankLineLimit else { throw .malformedStartLine }
                return .startLine(blankLines: blankLines + 1)
            }
            message = Message(startLine: try StartLine(line: line))
            return .headers(length: 0)
        case .headers(let length):
            guard let headers = try readHeaders(after: length) else { return nil }
            message?.headers = headers
            return try body()
        case .body(let length):
            guard let bytes = buffer.read(length) else { return nil }
            message?.body = bytes
            return .end
        case .chunkSize:
            guard let line = try buffer.readLine(limit: Self.chunkLineLimit, or: .malformedChunk) else { return nil }
            let length = try chunkLength(line)
            guard length > 0 else { return .trailers(room: limits.headerLength) }
            guard length <= room else { throw .bodyTooLarge }
            return .chunk(length: length)
        case .chunk(let length):
            guard let bytes = buffer.read(length) else { return nil }
            message?.body += bytes
            return .chunkEnd
        case .chunkEnd:
            guard let line = try buffer.readLine(limit: 0, or: .malformedChunk) else { return nil }
            guard line.isEmpty else { throw .malformedChunk }
            return .chunkSize
        case .trailers(let room):
            guard let line = try buffer.readLine(limit: room, or: .headersTooLarge) else { return nil }
            guard !line.isEmpty else { return .end }
            guard line.withUnsafeBytes(HTTPHeaders.isField) else { throw .malformedHeader }
            return .trailers(room: max(0, room - line.count - HTTPSyntax.lineEnd.count))
        case .untilClose:
            let bytes = buffer.readAll()
            guard bytes.count <= room else { throw .bodyTooLarge }
            message?.body += bytes
            return nil
        case .end:
            return nil
        }
    }

    /// Reads the header section with its end, or returns `nil` if it is incomplete.
    ///
    /// - Parameter length: The length of the lines that are known to be complete.
    private mutating func readHeaders(after length: Int) throws(HTTPError) -> HTTPHeaders? {
        var length = length
        while let count = try buffer.lineLength(
            after: length,
            limit: max(0, limits.headerLength - length),
            or: .headersTooLarge
        ) {
            let end = length + count
            guard count > 0 else {
                let lines = buffer.read(end + HTTPSyntax.lineEnd.count)
                return lines.map { HTTPHeaders(lines: $0.dropLast(HTTPSyntax.lineEnd.count)) }
            }
            guard buffer.withBytes(length..<end, HTTPHeaders.isField) else { throw .malformedHeader }
            length = end + HTTPSyntax.lineEnd.count
        }
        phase = .headers(length: length)
        return nil
    }

    /// The number of bytes by which the body may grow.
    private var room: Int {
        message.map { $0.startLine.bodyLimit(limits) - $0.body.count } ?? 0
    }

    private func body() throws(HTTPError) -> Phase {
        guard let framing = try message?.framing else { return .end }
        switch framing {
        case .length(let length):
            guard length <= room else { throw .bodyTooLarge }
            return length == 0 ? .end : .body(length: length)
        case .chunked:
            return .chunkSize
        case .untilClose:
            return .untilClose
        }
    }

    /// Parses a chunk's size in hex, and ignores extensions after it.
    private func chunkLength(_ line: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        let length = line.prefix { $0 != UInt8(ascii: ";") }.withUnsafeBytes { text -> Int? in
            let digits = HTTPSyntax.trimmed(text)
            guard (1...8).contains(digits.count) else { return nil }
            var length = 0
            for byte in digits {
                guard let digit = HexDigit.value(of: byte) else { return nil }
                length = length << 4 | Int(digit)
            }
            return length
        }
        guard let length, line.allSatisfy(HTTPSyntax.isText) else { throw .malformedChunk }
        return length
    }
}

extension HTTPMessageReader.Message: Equatable where StartLine: Equatable {}
extension HTTPMessageReader.Message: Hashable where StartLine: Hashable {}
