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

    static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: salt,
            info: info,
            outputByteCount: count
        ).withUnsafeBytes { Array($0) }
    }
}
