internal import HAPCatalog

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits.
    package var hexadecimal: String {
        String(
            decoding: flatMap { [Hexadecimal.digits[Int($0 >> 4)], Hexadecimal.digits[Int($0 & 0x0F)]] },
            as: UTF8.self
        )
    }
}

/// Conversion between bytes and hexadecimal digits.
package enum Hexadecimal {
    fileprivate static let digits = Array("0123456789abcdef".utf8)

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
