/// The size of a QR code and its share of error correction (ISO/IEC 18004, table 9): the levels that this package makes,
/// up to version 10.
struct QRFormat: Hashable, Sendable {
    /// How much damage a reader can correct.
    enum Level: Int, Sendable {
        // The raw values are those of the format information.

        /// About 15% of the codewords.
        case medium = 0b00
        /// About 25% of the codewords.
        case quartile = 0b11
    }

    /// The version, 1 to 10, which determines the size.
    let version: Int
    let level: Level
    /// The number of codewords for error correction in each block.
    let correctionCodewords: Int
    /// The number of data codewords of each block.
    let blocks: [Int]

    private init(_ version: Int, _ level: Level, correction: Int, blocks: [Int]) {
        self.version = version
        self.level = level
        correctionCodewords = correction
        self.blocks = blocks
    }

    /// The format of setup payloads.
    static let setupPayload = QRFormat(2, .quartile, correction: 22, blocks: [22])

    /// The formats for other texts, the smallest first.
    static let medium: [QRFormat] = [
        QRFormat(1, .medium, correction: 10, blocks: [16]),
        QRFormat(2, .medium, correction: 16, blocks: [28]),
        QRFormat(3, .medium, correction: 26, blocks: [44]),
        QRFormat(4, .medium, correction: 18, blocks: [32, 32]),
        QRFormat(5, .medium, correction: 24, blocks: [43, 43]),
        QRFormat(6, .medium, correction: 16, blocks: [27, 27, 27, 27]),
        QRFormat(7, .medium, correction: 18, blocks: [31, 31, 31, 31]),
        QRFormat(8, .medium, correction: 22, blocks: [38, 38, 39, 39]),
        QRFormat(9, .medium, correction: 22, blocks: [36, 36, 36, 37, 37]),
        QRFormat(10, .medium, correction: 26, blocks: [43, 43, 43, 43, 44]),
    ]

    /// The number of modules per side.
    var side: Int { 4 * version + 17 }
    /// The number of data codewords of all blocks.
    var dataCodewords: Int { blocks.reduce(0, +) }
    /// The width of the number of bytes in byte mode.
    var byteCountBits: Int { version < 10 ? 8 : 16 }

    /// The centers of the alignment patterns, in both directions (ISO/IEC 18004, annex E).
    var alignmentCenters: [Int] {
        switch version {
        case 1: []
        case 2...6: [6, side - 7]
        default: [6, side / 2, side - 7]
        }
    }

    /// Returns the codewords of a symbol in their order: those of all blocks by turns, data before error correction
    /// (ISO/IEC 18004, 7.6).
    func codewords(of data: [UInt8]) -> [UInt8] {
        var rest = data[...]
        let parts = blocks.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let corrections = parts.map { QRCorrection.codewords(for: $0, count: correctionCodewords) }
        return Self.interleaved(parts) + Self.interleaved(corrections)
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    }
}
