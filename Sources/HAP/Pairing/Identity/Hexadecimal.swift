internal import HAPCatalog

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append(Hexadecimal.digit(byte >> 4))
            digits.append(Hexadecimal.digit(byte & 0x0F))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// Conversion between bytes and hexadecimal digits.
package enum Hexadecimal {
    /// Returns the lowercase digit of a number less than 16.
    fileprivate static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns the bytes of pairs of hexadecimal digits in either case, or `nil` if `text` is anything else.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map(HexDigit.value)
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count / 2)
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
