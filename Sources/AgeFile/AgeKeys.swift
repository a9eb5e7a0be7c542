internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The keys of a file.
enum AgeKeys {
    /// The key that wraps the file's key, from the passphrase.
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

    /// The MAC of a header.
    static func headerMAC(_ header: [UInt8], fileKey: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: header, using: derived(fileKey, salt: [], label: AgeFormat.headerLabel))
    }

    /// The key of the content.
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

    /// The nonce of the wrapped key, which is used once for each key.
    static let zeroNonce = [UInt8](repeating: 0, count: AgeFormat.nonceLength)
}
