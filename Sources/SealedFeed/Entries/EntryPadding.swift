/// Hides the length of content: the plaintext of an entry is a length, the content and zeros up to a power of two.
enum EntryPadding {
    /// Pads a piece of content, at most ``FeedLimits/maximumPieceBytes``.
    static func pad(_ piece: [UInt8]) -> [UInt8] {
        let length = (0..<FeedLimits.lengthByteCount).reversed().map {
            UInt8(truncatingIfNeeded: piece.count >> ($0 * 8))
        }
        let plaintext = length + piece
        return plaintext + [UInt8](repeating: 0, count: paddedSize(of: plaintext.count) - plaintext.count)
    }

    /// Returns the piece of content; `nil` if it isn't padded as ``pad(_:)`` does it.
    static func unpad(_ plaintext: [UInt8]) -> [UInt8]? {
        guard plaintext.count >= FeedLimits.lengthByteCount else { return nil }
        let length = plaintext.prefix(FeedLimits.lengthByteCount).reduce(0) { $0 << 8 | Int($1) }
        let end = FeedLimits.lengthByteCount + length
        guard end <= plaintext.count, paddedSize(of: end) == plaintext.count,
            plaintext[end...].allSatisfy({ $0 == 0 })
        else { return nil }
        return Array(plaintext[FeedLimits.lengthByteCount..<end])
    }

    /// Returns whether a padded plaintext can have a number of bytes.
    static func isPaddedSize(_ count: Int) -> Bool {
        count >= FeedLimits.minimumPaddedBytes && count <= FeedLimits.maximumPaddedBytes
            && paddedSize(of: count) == count
    }

    private static func paddedSize(of count: Int) -> Int {
        var size = FeedLimits.minimumPaddedBytes
        while size < count { size *= 2 }
        return size
    }
}
