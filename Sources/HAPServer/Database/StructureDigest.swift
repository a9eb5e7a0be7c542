/// A digest of an attribute database without its values, with which a server detects that its structure changed since
/// the last start. It uses 128-bit FNV-1a, because it must detect changes, not resist an attacker.
struct StructureDigest: Hashable, Sendable {
    private(set) var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
    private static let radix = 16

    /// Creates the digest of bytes.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = (value ^ UInt128(byte)) &* Self.prime
        }
    }

    /// Creates a digest from its ``text``. Returns `nil` if it isn't one.
    init?(text: String) {
        guard let value = UInt128(text, radix: Self.radix) else { return nil }
        self.value = value
    }

    /// The digest in hexadecimal digits.
    var text: String { String(value, radix: Self.radix) }
}

extension StructureDigest: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = Self(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a digest")
        }
        self = digest
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
