internal import Crypto

/// A long-term Ed25519 key pair (LTSK, LTPK) that identifies an accessory or a controller. Printing it doesn't reveal
/// the secret.
public struct LongTermKeyPair: Sendable, Redacted {
    /// The 32 secret bytes from which the pair is derived. Anyone who has them can impersonate the accessory or the
    /// controller.
    public let seed: [UInt8]
    /// The public half.
    public let publicKey: LongTermPublicKey
    /// Cached, because deriving it from the seed takes as long as signing.
    private let key: Curve25519.Signing.PrivateKey

    /// The length of a seed in bytes.
    public static let seedLength = 32

    /// Creates a pair from a stored seed. Returns `nil` unless the seed has 32 bytes.
    public init?(seed: some Sequence<UInt8>) {
        let seed = Array(seed)
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
            let publicKey = LongTermPublicKey(key.publicKey.rawRepresentation)
        else { return nil }
        self.seed = seed
        self.publicKey = publicKey
        self.key = key
    }

    /// Generates a new pair. The generator must be cryptographically secure.
    public static func random(using generator: inout some RandomNumberGenerator) -> LongTermKeyPair {
        // Any 32 bytes are a valid seed, so the first attempt succeeds.
        while true {
            if let pair = LongTermKeyPair(seed: generator.bytes(seedLength)) { return pair }
        }
    }

    /// Generates a new pair with the system's generator.
    public static func random() -> LongTermKeyPair {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Returns the signature of a message, 64 bytes.
    ///
    /// - Throws: ``CryptographyFailure`` if the cryptographic library fails, for example because memory runs out.
    public func signature(for message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        do {
            return Array(try key.signature(for: message))
        } catch {
            throw CryptographyFailure()
        }
    }
}

extension LongTermKeyPair: Hashable {
    /// Returns whether the pairs are equal.
    public static func == (left: LongTermKeyPair, right: LongTermKeyPair) -> Bool {
        left.seed == right.seed
    }

    /// Hashes the public half.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(publicKey)
    }
}
