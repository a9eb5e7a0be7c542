internal import Crypto

/// The public half of a long-term Ed25519 key (LTPK).
public struct LongTermPublicKey: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The length of a key in bytes.
    public static let length = 32

    /// Makes a key; nil unless there are 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Whether this key's owner signed the message (RFC 8032: a signature whose S is not below the group order is
    /// refused).
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}

extension LongTermPublicKey: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String { bytes.hexadecimal }
}

extension LongTermPublicKey: Codable {
    /// Decodes hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = Hexadecimal.bytes(try container.decode(String.self)).flatMap(LongTermPublicKey.init) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A long-term public key has \(Self.length) bytes in hexadecimal"
            )
        }
        self = key
    }

    /// Encodes hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes.hexadecimal)
    }
}
