import Crypto
import HAP

/// The Ed25519 key with which a hub or a device proves its identity. Printing it doesn't reveal the secret.
package struct IdentityKey: Hashable, Sendable, Redacted {
    /// The number of bytes of a seed.
    package static let seedByteCount = 32

    /// The private key (RFC 8032, 5.1.5), 32 bytes. Whoever has it is this hub or device.
    package var seed: [UInt8] { pair.seed }
    /// The public key.
    package let publicKey: PublicKey
    private let pair: LongTermKeyPair

    /// Creates a random key.
    package init() {
        self.init(LongTermKeyPair.random())
    }

    /// Uses a stored key. Returns `nil` unless the seed has 32 bytes.
    package init?(seed: some Sequence<UInt8>) {
        guard let pair = LongTermKeyPair(seed: seed) else { return nil }
        self.init(pair)
    }

    /// Returns the key of a house's owner at a relay, which follows from this hub's key: HKDF-SHA256 of its seed, with the salt
    /// `relay` and the house as info.
    package func owner(of house: HouseID) -> IdentityKey {
        let seed = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed),
            salt: Array("relay".utf8),
            info: house.bytes,
            outputByteCount: Self.seedByteCount
        )
        .withUnsafeBytes { Array($0) }
        guard let key = IdentityKey(seed: seed) else { preconditionFailure("a seed has 32 bytes") }
        return key
    }

    private init(_ pair: LongTermKeyPair) {
        guard let publicKey = PublicKey(pair.publicKey.bytes) else {
            preconditionFailure("a key of Ed25519 has 32 bytes")
        }
        self.publicKey = publicKey
        self.pair = pair
    }

    /// Returns the signature of a message for a purpose, 64 bytes.
    package func signature(of message: [UInt8], for context: SigningContext) -> [UInt8] {
        guard let signature = try? pair.signature(for: context.input(message)) else {
            preconditionFailure("a key of Ed25519 can sign")
        }
        return signature
    }
}
