/// The type byte of a TLV8 item.
///
/// The named types are those of pairing messages (HAP specification, table of pairing TLV types). In values of
/// characteristics, the same numbers have other meanings; use `TLVType(rawValue:)` there. Unknown types are preserved.
public struct TLVType: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// Creates a type from its byte on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The requested ``PairingMethod``.
    public static let method = TLVType(rawValue: 0x00)
    /// A pairing identifier, UTF-8.
    public static let identifier = TLVType(rawValue: 0x01)
    /// The SRP salt, 16 bytes.
    public static let salt = TLVType(rawValue: 0x02)
    /// An SRP, X25519 or Ed25519 public key.
    public static let publicKey = TLVType(rawValue: 0x03)
    /// An SRP proof, 64 bytes.
    public static let proof = TLVType(rawValue: 0x04)
    /// Ciphertext followed by its 16-byte tag.
    public static let encryptedData = TLVType(rawValue: 0x05)
    /// The message's number within its exchange: a ``PairingState``.
    public static let state = TLVType(rawValue: 0x06)
    /// A ``PairingError``, absent if there is none.
    public static let error = TLVType(rawValue: 0x07)
    /// An Ed25519 signature, 64 bytes.
    public static let signature = TLVType(rawValue: 0x0A)
    /// A controller's ``PairingPermissions``.
    public static let permissions = TLVType(rawValue: 0x0B)
    /// ``PairingFlags``, 1 to 4 bytes, little-endian.
    public static let flags = TLVType(rawValue: 0x13)
    /// The empty item between two entries of a list in a pairing message.
    public static let separator = TLVType(rawValue: 0xFF)
    /// The empty item between two entries of a list inside a characteristic's value.
    public static let valueSeparator = TLVType(rawValue: 0x00)
}
