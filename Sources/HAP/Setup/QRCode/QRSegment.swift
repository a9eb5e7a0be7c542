/// The contents of QR codes in two modes: alphanumeric, with two characters in 11 bits and a single one in 6 (ISO/IEC 18004,
/// 7.4.4), and bytes (7.4.5).
enum QRSegment {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
    private static let alphanumericMode = 0b0010
    private static let byteMode = 0b0100
    private static let modeBits = 4
    /// The width of the count in versions 1 to 9.
    private static let countBits = 9
    private static let pairBits = 11
    private static let singleBits = 6
    private static let terminatorBits = 4
    private static let padding: [UInt8] = [0b1110_1100, 0b0001_0001]

    /// Returns the values of the characters, or `nil` if one is not supported.
    static func values(of text: String) -> [Int]? {
        let values = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        return values.count == text.utf8.count ? values : nil
    }

    /// Returns the number of bits for the given number of characters, without the terminator.
    static func bits(of count: Int) -> Int {
        modeBits + countBits + count / 2 * pairBits + count % 2 * singleBits
    }

    /// Returns the data codewords: mode, count, characters, terminator, padding.
    ///
    /// - Parameter count: The number of codewords, which is enough for the values.
    static func codewords(of values: [Int], count: Int) -> [UInt8] {
        var bits: [Bool] = []
        append(alphanumericMode, modeBits, to: &bits)
        append(values.count, countBits, to: &bits)
        for first in stride(from: 0, to: values.count, by: 2) {
            if first + 1 < values.count {
                append(values[first] * alphabet.count + values[first + 1], pairBits, to: &bits)
            } else {
                append(values[first], singleBits, to: &bits)
            }
        }
        return codewords(bits, count: count)
    }

    /// Returns the number of bits for the given number of bytes, without the terminator.
    static func bits(ofBytes count: Int, _ format: QRFormat) -> Int {
        modeBits + format.byteCountBits + 8 * count
    }

    /// Returns the data codewords: mode, count, bytes, terminator, padding.
    static func codewords(ofBytes bytes: [UInt8], _ format: QRFormat) -> [UInt8] {
        var bits: [Bool] = []
        append(byteMode, modeBits, to: &bits)
        append(bytes.count, format.byteCountBits, to: &bits)
        for byte in bytes { append(Int(byte), 8, to: &bits) }
        return codewords(bits, count: format.dataCodewords)
    }

    private static func append(_ value: Int, _ width: Int, to bits: inout [Bool]) {
        for bit in (0..<width).reversed() { bits.append(value >> bit & 1 == 1) }
    }

    private static func codewords(_ bits: [Bool], count: Int) -> [UInt8] {
        var bits = bits
        append(0, min(terminatorBits, 8 * count - bits.count), to: &bits)
        append(0, (8 - bits.count % 8) % 8, to: &bits)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<count - codewords.count { codewords.append(padding[index % padding.count]) }
        return codewords
    }
}
