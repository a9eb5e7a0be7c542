/// Bytes of a fixed number that texts hold in lowercase hexadecimal.
package protocol HexID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of bytes.
    static var byteCount: Int { get }
    /// The bytes.
    var bytes: [UInt8] { get }
    /// Uses bytes whose number is right.
    init(exactly bytes: [UInt8])
}

extension HexID {
    /// Uses bytes. Returns `nil` if their number is wrong.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.init(exactly: bytes)
    }

    /// Reads lowercase hexadecimal. Returns `nil` if the text is anything else.
    package init?(hex text: some StringProtocol) {
        guard text.utf8.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = Self.value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(exactly: bytes)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns random bytes.
    package static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return Self(exactly: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The bytes in hexadecimal.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads hexadecimal.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(hex: try container.decode(String.self)) else {
            let reason = "\(Self.self) has \(2 * Self.byteCount) lowercase hexadecimal digits."
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        self = id
    }

    /// Writes hexadecimal.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
