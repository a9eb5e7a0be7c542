internal import Crypto

/// Pairing messages and their cryptography without the library's coders, which don't produce malformed messages.
package enum RawMessage {
    /// Returns TLV8 with the given types and values.
    package static func tlv(_ items: (UInt8, [UInt8])...) -> [UInt8] {
        items.flatMap { item($0.0, $0.1) }
    }

    /// Returns one value, split into fragments.
    package static func item(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value[...]
        repeat {
            let part = rest.prefix(255)
            bytes += [type, UInt8(part.count)] + part
            rest = rest.dropFirst(part.count)
        } while !rest.isEmpty
        return bytes
    }

    /// Returns the joined values of a message by type.
    package static func values(_ bytes: [UInt8]) -> [UInt8: [UInt8]] {
        var values: [UInt8: [UInt8]] = [:]
        var rest = bytes[...]
        while let type = rest.popFirst(), let length = rest.popFirst() {
            values[type, default: []] += rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
        }
        return values
    }

    /// Derives 32 bytes with HKDF-SHA-512.
    package static func derive(_ secret: [UInt8], _ salt: String, _ info: String) -> [UInt8] {
        HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: Array(salt.utf8),
            info: Array(info.utf8),
            outputByteCount: 32
        ).withUnsafeBytes { Array($0) }
    }

    /// Encrypts with ChaCha20-Poly1305 and a nonce of eight characters.
    package static func seal(_ plaintext: [UInt8], key: [UInt8], nonce: String) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            plaintext,
            using: SymmetricKey(data: key),
            nonce: ChaChaPoly.Nonce(data: [0, 0, 0, 0] + Array(nonce.utf8))
        )
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Returns the signature with S + L instead of S. It is valid to a verifier that doesn't check that S is below L.
    package static func malleated(_ signature: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var other = signature
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            other[32 + index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        return other
    }

    /// The neutral point of Ed25519 as a public key, and a signature that is valid for it and any message: R is the
    /// neutral point and S is 0.
    package static let neutralKey: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    package static let neutralSignature: [UInt8] = neutralKey + [UInt8](repeating: 0, count: 32)
}
