/// Bytes that have been received and not yet read, handed out as lines and as blocks.
struct HTTPByteBuffer: Sendable {
    /// From how many read bytes on the front is cut off.
    private static let compactionThreshold = 4_096

    private var bytes: [UInt8] = []
    /// The first byte that has not been read.
    private var start = 0
    /// The first byte that has not been searched for a line's end.
    private var searched = 0

    var isEmpty: Bool {
        start == bytes.count
    }

    /// The bytes that have not been read.
    var count: Int {
        bytes.count - start
    }

    mutating func append(_ more: some Collection<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.count <= Self.compactionThreshold)
            searched -= start
            start = 0
        } else if start >= Self.compactionThreshold, start >= bytes.count / 2 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes += more
    }

    /// The next line without its end, `nil` if it is not whole yet.
    /// - Throws: The given error for a line longer than the limit, `malformedLineEnd` for a line feed or a carriage
    ///   return without the other.
    mutating func line(limit: Int, or tooLong: HTTPError) throws(HTTPError) -> ArraySlice<UInt8>? {
        searched = max(searched, start)
        let end = bytes[searched...].firstIndex(of: HTTPSyntax.lineFeed)
        // The limit is for the line alone, and a carriage return follows it.
        if (end ?? bytes.count) - start > limit + 1 { throw tooLong }
        guard let end else {
            searched = bytes.count
            return nil
        }
        guard end > start, bytes[end - 1] == HTTPSyntax.carriageReturn else { throw .malformedLineEnd }
        let line = bytes[start..<end - 1]
        guard !line.contains(HTTPSyntax.carriageReturn) else { throw .malformedLineEnd }
        start = end + 1
        return line
    }

    /// All bytes that are there, which may be none.
    mutating func takeAll() -> ArraySlice<UInt8> {
        defer { start = bytes.count }
        return bytes[start...]
    }

    /// The next bytes, `nil` if there are not so many yet.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count - start >= count else { return nil }
        defer { start += count }
        return bytes[start..<start + count]
    }
}
