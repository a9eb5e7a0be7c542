package import Foundation

/// A decoder that splits the bytes of a stream into lines, regardless of how the bytes are split into reads.
package struct LineDecoder {
    /// A line, or the end of decoding.
    package enum Element: Hashable, Sendable {
        /// A line without its terminator.
        case line(Data)
        /// A line exceeds the limit. The decoder returns nothing more.
        case tooLong
    }

    private let limit: Int
    private var unfinished = Data()
    private var isOver = false

    /// Creates a decoder.
    ///
    /// - Parameter limit: The maximum number of bytes in a line, without its terminator.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether the last line has no end yet.
    package var hasUnfinishedLine: Bool { !unfinished.isEmpty }

    /// Consumes bytes and returns the lines that they complete, in order.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [Element] {
        var elements: [Element] = []
        var rest = bytes
        while !isOver, !rest.isEmpty {
            let end = Self.terminator(in: rest)
            let part = UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
            guard unfinished.count + part.count <= limit else {
                isOver = true
                unfinished = Data()
                elements.append(.tooLong)
                break
            }
            unfinished.append(contentsOf: part)
            guard let end else { break }
            elements.append(.line(unfinished))
            unfinished = Data()
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        return elements
    }

    /// Returns the offset of the first terminator. A line can have megabytes, so the C library searches.
    private static func terminator(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress,
            let found = memchr(start, Int32(UInt8(ascii: "\n")), bytes.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }
}
