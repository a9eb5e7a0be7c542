/// Base64 with the standard alphabet and padding, which HAP messages use for bytes. Source: RFC 4648, section 4.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let invalid: UInt8 = 0xFF
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the encoded bytes, padded to a multiple of four characters.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | UInt32(offset < count ? bytes[start + offset] : 0)
            }
            for offset in 0..<4 {
                let index = Int(group >> UInt32(18 - 6 * offset)) & 0x3F
                text.append(offset <= count ? alphabet[index] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the decoded bytes, or `nil` if the text is not padded base64. White space, missing padding, characters
    /// after the padding and nonzero trailing bits are rejected. An empty string decodes to no bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let paddingCount = characters.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var group: UInt32 = 0
        for index in 0..<characters.count - paddingCount {
            let value = values[Int(characters[index])]
            guard value != invalid else { return nil }
            group = group << 6 | UInt32(value)
            if index % 4 == 3 {
                bytes += [UInt8(truncatingIfNeeded: group >> 16), UInt8(truncatingIfNeeded: group >> 8)]
                bytes.append(UInt8(truncatingIfNeeded: group))
                group = 0
            }
        }
        switch paddingCount {
        case 1:
            guard group & 0x3 == 0 else { return nil }
            bytes += [UInt8(truncatingIfNeeded: group >> 10), UInt8(truncatingIfNeeded: group >> 2)]
        case 2:
            guard group & 0xF == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        default:
            break
        }
        return bytes
    }
}
