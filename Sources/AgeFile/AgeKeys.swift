internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The keys of an age file.
enum AgeKeys {
    /// Derives the key that encrypts the file key from the passphrase.
    static func wrapping(passphrase: String, salt: [UInt8], workExponent: Int) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8),
            salt: Data(AgeFormat.scryptLabel.utf8) + salt,
            outputByteCount: AgeFormat.keyLength,
            rounds: 1 << workExponent,
            blockSize: AgeFormat.scryptBlockSize,
            parallelism: AgeFormat.scryptParallelism
        )
    }

    /// Returns the MAC of a header.
    static func headerMAC(_ header: [UInt8], fileKey: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: header, using: derived(fileKey, salt: [], label: AgeFormat.headerLabel))
    }

    /// Derives the key of the payload.
    static func payload(fileKey: SymmetricKey, nonce: [UInt8]) -> SymmetricKey {
        derived(fileKey, salt: nonce, label: AgeFormat.payloadLabel)
    }

    private static func derived(_ key: SymmetricKey, salt: [UInt8], label: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            salt: salt,
            info: Array(label.utf8),
            outputByteCount: AgeFormat.keyLength
        )
    }

    /// The nonce of the wrapped key. It is zero because each key is used only once.
    static let zeroNonce = [UInt8](repeating: 0, count: AgeFormat.nonceLength)
}
