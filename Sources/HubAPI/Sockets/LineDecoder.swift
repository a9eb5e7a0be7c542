package import Foundation

/// Cuts what a socket brings into the lines of ``WireMessage``, however the bytes are split.
package struct LineDecoder {
    /// A finding in the stream.
    package enum Piece: Hashable, Sendable {
        /// A line without its terminator.
        case line(Data)
        /// A line grew past the limit. Where the next one begins is unknown: nothing further comes.
        case overlong
    }

    private let limit: Int
    private var unfinished = Data()
    private var isOver = false

    /// Begins a stream.
    ///
    /// - Parameter limit: The most bytes in a line, its terminator not counted.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether bytes of a line wait for its end.
    package var hasUnfinishedLine: Bool { !unfinished.isEmpty }

    /// Takes in the next bytes and gives the lines that they end, in order.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Piece] {
        var pieces: [Piece] = []
        var rest = bytes
        while !isOver, !rest.isEmpty {
            let end = Self.terminator(in: rest)
            let part = UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
            guard unfinished.count + part.count <= limit else {
                isOver = true
                unfinished = Data()
                pieces.append(.overlong)
                break
            }
            unfinished.append(contentsOf: part)
            guard let end else { break }
            pieces.append(.line(unfinished))
            unfinished = Data()
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        return pieces
    }

    /// The offset of the first terminator. A home may be a line of megabytes, so the C library looks for it.
    private static func terminator(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress,
            let found = memchr(start, Int32(WireMessage.terminator), bytes.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }
}
