internal import Crypto

/// A key derivation with HKDF-SHA-512. The protocol defines a salt and info for each use.
public struct KeyDerivation: Hashable, Sendable {
    /// The HKDF salt, ASCII.
    public let salt: String
    /// The HKDF info, ASCII.
    public let info: String

    /// Creates a derivation with the given salt and info.
    public init(salt: String, info: String) {
        self.salt = salt
        self.info = info
    }

    /// From K: encrypts M5 and M6 of pair-setup.
    public static let pairSetupEncryption = KeyDerivation(
        salt: "Pair-Setup-Encrypt-Salt",
        info: "Pair-Setup-Encrypt-Info"
    )
    /// From K: the prefix of what the controller signs in M5 of pair-setup.
    public static let pairSetupControllerSignature = KeyDerivation(
        salt: "Pair-Setup-Controller-Sign-Salt",
        info: "Pair-Setup-Controller-Sign-Info"
    )
    /// From K: the prefix of what the accessory signs in M6 of pair-setup.
    public static let pairSetupAccessorySignature = KeyDerivation(
        salt: "Pair-Setup-Accessory-Sign-Salt",
        info: "Pair-Setup-Accessory-Sign-Info"
    )
    /// From the X25519 secret: encrypts M2 and M3 of pair-verify.
    public static let pairVerifyEncryption = KeyDerivation(
        salt: "Pair-Verify-Encrypt-Salt",
        info: "Pair-Verify-Encrypt-Info"
    )
    /// From the X25519 secret: encrypts the accessory's messages (the controller's reads).
    public static let accessoryToController = KeyDerivation(
        salt: "Control-Salt",
        info: "Control-Read-Encryption-Key"
    )
    /// From the X25519 secret: encrypts the controller's messages (its writes).
    public static let controllerToAccessory = KeyDerivation(
        salt: "Control-Salt",
        info: "Control-Write-Encryption-Key"
    )

    /// From K of a transient pair-setup: encrypts the accessory's messages.
    public static let transientAccessoryToController = KeyDerivation(
        salt: "SplitSetupSalt",
        info: "AccessoryEncrypt-Control"
    )
    /// From K of a transient pair-setup: encrypts the controller's messages.
    public static let transientControllerToAccessory = KeyDerivation(
        salt: "SplitSetupSalt",
        info: "ControllerEncrypt-Control"
    )

    /// The default length of a derived key in bytes.
    public static let keyLength = 32

    /// Derives key bytes from a shared secret.
    public func derive(from secret: [UInt8], count: Int = KeyDerivation.keyLength) -> [UInt8] {
        Self.derive(from: secret, salt: Array(salt.utf8), info: Array(info.utf8), count: count)
    }

    /// Returns the output of HKDF-SHA-512 (RFC 5869).
    ///
    /// It uses the library's hash directly, because the library's HKDF takes three times as long as the hashing: it is
    /// generic, and the library doesn't specialize it.
    static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition((0...maximumCount).contains(count))
        let key = authenticationCode(of: secret, [], [], key: salt)
        var output: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 0
        while output.count < count {
            number += 1
            block = authenticationCode(of: block, info, [number], key: key)
            output += block
        }
        output.removeLast(output.count - count)
        return output
    }

    /// The number of bytes that can be derived.
    private static let maximumCount = Int(UInt8.max) * SHA512.byteCount

    /// Returns the HMAC-SHA-512 (RFC 2104) of the concatenated parts.
    private static func authenticationCode(
        of first: [UInt8],
        _ second: [UInt8],
        _ third: [UInt8],
        key: [UInt8]
    ) -> [UInt8] {
        var paddedKey = key.count > SHA512.blockByteCount ? SRPHash.hash(key) : key
        paddedKey += [UInt8](repeating: 0, count: SHA512.blockByteCount - paddedKey.count)
        let inner = SRPHash.hash(paddedKey.map { $0 ^ 0x36 }, first, second, third)
        return SRPHash.hash(paddedKey.map { $0 ^ 0x5C }, inner)
    }
}
