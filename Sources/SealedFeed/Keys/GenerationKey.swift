import Crypto
import Foundation
import HAP
package import HomeIdentity

/// The secret that a feed's hub and a person's devices share, from one removal of a device to the next. Each entry has a
/// key of its own, which follows from this one and the entry's salt.
package struct GenerationKey: Hashable, Sendable, Redacted {
    /// The number of bytes.
    package static let byteCount = 32
    private static let keyByteCount = 32
    private static let nonceByteCount = 12

    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Creates a random key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        bytes = generator.bytes(Self.byteCount)
    }

    /// Uses a stored key. Returns `nil` unless there are 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Encrypts a plaintext. A salt must be used once only.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 MiB.
    ///   - salt: Random bytes, from which a key of its own follows.
    ///   - purpose: What the plaintext is for. It opens for the same purpose only.
    ///   - header: What must be the same when it is opened.
    package func seal(
        _ plaintext: [UInt8],
        salt: [UInt8],
        for purpose: SigningContext,
        authenticating header: [UInt8]
    ) -> [UInt8] {
        let (key, nonce) = derive(salt, purpose)
        guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce, authenticating: header)
        else { preconditionFailure("a plaintext of 1 MiB can be encrypted") }
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts a plaintext. Returns `nil` with another key, purpose or header.
    package func open(
        _ ciphertext: [UInt8],
        salt: [UInt8],
        for purpose: SigningContext,
        authenticating header: [UInt8]
    ) -> [UInt8]? {
        let (key, nonce) = derive(salt, purpose)
        guard let box = try? ChaChaPoly.SealedBox(combined: nonce + ciphertext) else { return nil }
        return (try? ChaChaPoly.open(box, using: key, authenticating: header)).map(Array.init)
    }

    private func derive(_ salt: [UInt8], _ purpose: SigningContext) -> (key: SymmetricKey, nonce: [UInt8]) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            salt: salt,
            info: Array(purpose.text.utf8),
            outputByteCount: Self.keyByteCount + Self.nonceByteCount
        ).withUnsafeBytes { Array($0) }
        return (SymmetricKey(data: derived.prefix(Self.keyByteCount)), Array(derived.suffix(Self.nonceByteCount)))
    }
}

extension GenerationKey: Codable {
    /// Reads a key in base64.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = GenerationKey(try container.decode(Data.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A key has 32 bytes, in base64.")
        }
        self = key
    }

    /// Writes the key in base64.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes))
    }
}
