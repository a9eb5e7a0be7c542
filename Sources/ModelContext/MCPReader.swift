/// A decoder of the messages in a stream, one on each line, regardless of how the bytes are split into reads.
///
/// A line that is too long is skipped to its end, so that one bad message doesn't end the connection.
package struct MCPReader: Sendable {
    /// A message, or what stands in its place.
    package enum Element: Hashable, Sendable {
        /// A line that isn't empty, without its end.
        case line([UInt8])
        /// A line exceeded the limit.
        case tooLong
    }

    private let limit: Int
    private var unfinished: [UInt8] = []
    private var isSkipping = false

    /// Creates a decoder.
    ///
    /// - Parameter limit: The maximum number of bytes in a line.
    package init(limit: Int = MCPLimits().messageBytes) {
        self.limit = limit
    }

    /// The number of bytes that the decoder stores.
    package var storedBytes: Int { unfinished.count }

    /// Consumes bytes and returns the lines that they complete, in order.
    package mutating func decode(_ bytes: [UInt8]) -> [Element] {
        var elements: [Element] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            if !isSkipping, unfinished.count + part.count > limit {
                isSkipping = true
                unfinished = []
                elements.append(.tooLong)
            }
            if !isSkipping { unfinished.append(contentsOf: part) }
            guard let end else { break }
            rest = rest[(end + 1)...]
            if !isSkipping {
                if unfinished.last == UInt8(ascii: "\r") { unfinished.removeLast() }
                if !unfinished.isEmpty { elements.append(.line(unfinished)) }
            }
            unfinished = []
            isSkipping = false
        }
        return elements
    }
}
