internal import Crypto

/// The public half of a long-term Ed25519 key (LTPK).
public struct LongTermPublicKey: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The length of a key in bytes.
    public static let length = 32

    /// Creates a key. Returns `nil` unless there are 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Whether the key is a point of small order (1, 2, 4 or 8). Such a key has no owner: anyone can create signatures
    /// that are valid for it.
    public var isOfSmallOrder: Bool {
        var point = bytes
        point[point.count - 1] &= ~Self.signBit
        return Self.smallOrderPoints.contains(point)
    }

    /// The sign of x, next to the 255 bits of y.
    private static let signBit: UInt8 = 0x80

    /// The y coordinates of the points of small order, including the forms that are not reduced.
    private static let smallOrderPoints: [[UInt8]] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].compactMap(Hexadecimal.bytes)

    /// Returns whether the message was signed with this key. A signature whose S is not below the group order is
    /// invalid (RFC 8032). No signature is valid for a key of small order.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard !isOfSmallOrder else { return false }
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
