internal import Crypto

/// A long-term Ed25519 key pair (LTSK, LTPK): who an accessory or a controller is. Printing it shows no secret.
public struct LongTermKeyPair: Sendable, Redacted {
    /// The 32 secret bytes from which the pair is made again. Whoever has them is the accessory or the controller.
    public let seed: [UInt8]
    /// The public half.
    public let publicKey: LongTermPublicKey
    /// Kept, as making it of the seed takes as long as signing.
    private let key: Curve25519.Signing.PrivateKey

    /// The length of a seed in bytes.
    public static let seedLength = 32

    /// Creates the pair of a stored seed; nil unless there are 32 bytes.
    public init?(seed: some Sequence<UInt8>) {
        let seed = Array(seed)
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
            let publicKey = LongTermPublicKey(key.publicKey.rawRepresentation)
        else { return nil }
        self.seed = seed
        self.publicKey = publicKey
        self.key = key
    }

    /// Draws a new pair. The generator must be cryptographically secure.
    public static func random(using generator: inout some RandomNumberGenerator) -> LongTermKeyPair {
        // Each 32 bytes are a seed: the first draw ends the loop.
        while true {
            if let pair = LongTermKeyPair(seed: generator.bytes(seedLength)) { return pair }
        }
    }

    /// Draws a new pair from the system's generator.
    public static func random() -> LongTermKeyPair {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Signs a message, 64 bytes.
    ///
    /// - Throws: ``CryptographyFailure`` if the cryptographic library fails, for instance for want of memory.
    public func signature(for message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        do {
            return Array(try key.signature(for: message))
        } catch {
            throw CryptographyFailure()
        }
    }
}

extension LongTermKeyPair: Hashable {
    /// Whether the pairs are the same.
    public static func == (left: LongTermKeyPair, right: LongTermKeyPair) -> Bool {
        left.seed == right.seed
    }

    /// Hashes the public half.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(publicKey)
    }
}
