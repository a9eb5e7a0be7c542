/// A buffer of received bytes that are read in lines and blocks.
struct HTTPByteBuffer: Sendable {
    /// The number of consumed bytes from which the front of the buffer is removed.
    private static let compactionThreshold = 4_096

    private var bytes: [UInt8] = []
    /// The index of the first unread byte.
    private var start = 0
    /// No byte of the next line before this index is a carriage return or a line feed.
    private var searched = 0

    var isEmpty: Bool {
        start == bytes.count
    }

    /// The number of unread bytes.
    var count: Int {
        bytes.count - start
    }

    mutating func append(_ more: [UInt8]) {
        if isEmpty { (bytes, start, searched) = (more, 0, 0) } else { append { $0 += more } }
    }

    /// Calls a closure that appends bytes. The memory of bytes that were read is used again, unless it is large.
    mutating func append<E>(_ body: (inout [UInt8]) throws(E) -> Void) throws(E) {
        if isEmpty {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.compactionThreshold)
            (start, searched) = (0, 0)
        } else if start >= Self.compactionThreshold, start >= bytes.count / 2 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        try body(&bytes)
    }

    /// Reads the next line without its end, or returns `nil` if the line is incomplete.
    /// - Throws: The given error if the line is longer than the limit, or `malformedLineEnd` if a line feed or a
    ///   carriage return occurs without the other.
    mutating func readLine(limit: Int, or tooLong: HTTPError) throws(HTTPError) -> ArraySlice<UInt8>? {
        guard let length = try lineLength(after: 0, limit: limit, or: tooLong) else { return nil }
        defer { start += length + HTTPSyntax.lineEnd.count }
        return bytes[start..<start + length]
    }

    /// Returns the length of a line without its end, or `nil` if the line is incomplete. Reads nothing.
    /// - Parameter offset: The number of unread bytes before the line.
    /// - Throws: As ``readLine(limit:or:)``.
    mutating func lineLength(
        after offset: Int,
        limit: Int,
        or tooLong: HTTPError
    ) throws(HTTPError) -> Int? {
        let first = start + offset
        let end = bytes.withUnsafeBytes { [searched] in HTTPSyntax.lineEnd(in: $0, from: max(searched, first)) }
        searched = end
        if end - first > limit { throw tooLong }
        guard end < bytes.count else { return nil }
        guard bytes[end] == HTTPSyntax.carriageReturn else { throw .malformedLineEnd }
        guard end + 1 < bytes.count else { return nil }
        guard bytes[end + 1] == HTTPSyntax.lineFeed else { throw .malformedLineEnd }
        return end - first
    }

    /// Calls a closure with unread bytes.
    /// - Parameter range: Their place, counted from the first unread byte.
    func withBytes<Value>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        bytes[(start + range.lowerBound)..<start + range.upperBound].withUnsafeBytes(body)
    }

    /// Reads all bytes, which may be none.
    mutating func readAll() -> ArraySlice<UInt8> {
        defer { start = bytes.count }
        return bytes[start...]
    }

    /// Reads the given number of bytes, or returns `nil` if fewer are buffered.
    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count - start >= count else { return nil }
        defer { start += count }
        return bytes[start..<start + count]
    }
}
