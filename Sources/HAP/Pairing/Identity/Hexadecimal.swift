extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    var hexadecimal: String {
        String(
            decoding: flatMap { [Hexadecimal.digits[Int($0 >> 4)], Hexadecimal.digits[Int($0 & 0x0F)]] },
            as: UTF8.self
        )
    }
}

/// Bytes written as hexadecimal digits.
enum Hexadecimal {
    fileprivate static let digits = Array("0123456789abcdef".utf8)

    /// The bytes that pairs of ASCII digits of either case stand for, or nil if `text` is anything else.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map(value)
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count / 2)
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
