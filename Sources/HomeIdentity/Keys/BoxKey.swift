import Crypto
import Foundation
import HAP

/// The key with which a hub or a device opens what was encrypted for it alone: HPKE (RFC 9180) with X-Wing, which is ML-KEM-768
/// and X25519 together. Printing it doesn't reveal the secret.
package struct BoxKey: Hashable, Sendable, Redacted {
    /// The number of bytes of a seed.
    package static let seedByteCount = 32
    /// The cipher suite of all boxes.
    static let suite = HPKE.Ciphersuite.XWingMLKEM768X25519_SHA256_AES_GCM_256

    /// The private key, 32 bytes. Whoever has it can open the box.
    package let seed: [UInt8]
    /// The public half.
    package let publicBox: PublicBox

    /// Creates a random key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        guard let key = BoxKey(seed: generator.bytes(Self.seedByteCount)) else {
            preconditionFailure("32 bytes are a seed of X-Wing")
        }
        self = key
    }

    /// Uses a stored key. Returns `nil` unless the seed has 32 bytes.
    package init?(seed: some Sequence<UInt8>) {
        let seed = Array(seed)
        guard let key = try? Self.privateKey(seed), let box = PublicBox(key.publicKey.rawRepresentation) else {
            return nil
        }
        self.seed = seed
        publicBox = box
    }

    private static func privateKey(_ seed: [UInt8]) throws -> XWingMLKEM768X25519.PrivateKey {
        try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Data(seed), publicKey: nil)
    }

    /// Opens a message. Returns `nil` if it is for another box or another purpose, or was altered.
    ///
    /// - Parameters:
    ///   - message: The encrypted message.
    ///   - info: The purpose, as the sender gave it.
    ///   - data: Further data that the sender gave and that isn't encrypted.
    package func open(_ message: BoxMessage, info: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: Self.privateKey(seed),
                ciphersuite: Self.suite,
                info: Data(info),
                encapsulatedKey: Data(message.encapsulatedKey)
            )
        else { return nil }
        return (try? recipient.open(Data(message.ciphertext), authenticating: Data(data))).map(Array.init)
    }

    package static func == (left: BoxKey, right: BoxKey) -> Bool { left.seed == right.seed }

    package func hash(into hasher: inout Hasher) { hasher.combine(publicBox) }
}
