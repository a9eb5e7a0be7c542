/// Crockford's base 32, for texts that people read and type: no letter looks like another or like a digit.
package enum CrockfordBase32 {
    /// The characters for 0 to 31.
    package static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let bitsPerCharacter = 5
    private static let values = Dictionary(
        uniqueKeysWithValues: alphabet.enumerated().map { ($0.element, UInt32($0.offset)) }
    )

    /// Returns the bytes as text, the last character filled up with zero bits.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= bitsPerCharacter {
                bits -= bitsPerCharacter
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
            }
            buffer &= 1 << UInt32(bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(bitsPerCharacter - bits)) & 31]) }
        return text
    }

    /// Returns the bytes of a text that ``encode(_:)`` returned; `nil` for any other text.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = values[character] else { return nil }
            buffer = buffer << UInt32(bitsPerCharacter) | value
            bits += bitsPerCharacter
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= 1 << UInt32(bits) - 1
            }
        }
        // A whole character too many, or bits in the last one that don't belong to a byte.
        guard bits < bitsPerCharacter, buffer == 0 else { return nil }
        return bytes
    }

    /// Returns a text as it was encoded from what a user typed: in capitals, without separators, with the digits that
    /// some letters look like.
    package static func normalized(_ text: some StringProtocol) -> String {
        String(
            text.uppercased().compactMap { character -> Character? in
                switch character {
                case "O": "0"
                case "I", "L": "1"
                case " ", "-": nil
                default: character
                }
            }
        )
    }
}
