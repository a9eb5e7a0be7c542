internal import Crypto

/// An X25519 key pair for one pair-verify.
struct EphemeralKeyPair: Redacted {
    /// The 32 public bytes.
    let publicKey: [UInt8]
    private let key: Curve25519.KeyAgreement.PrivateKey

    /// The length of either half in bytes.
    static let length = 32

    /// Generates a new pair. The generator must be cryptographically secure.
    init(using generator: inout some RandomNumberGenerator) {
        // Any 32 bytes are a valid private key, so the first attempt succeeds.
        while true {
            if let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: generator.bytes(Self.length)) {
                self.key = key
                publicKey = Array(key.publicKey.rawRepresentation)
                return
            }
        }
    }

    /// Returns the secret shared with the owner of a public key. Returns `nil` if the key has a wrong length or is of
    /// low order, which would make the secret all zeros (RFC 7748, section 6.1).
    func sharedSecret(with peerKey: [UInt8]) -> [UInt8]? {
        guard let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: peerKey),
            let secret = try? key.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes({ Array($0) }),
            !ConstantTime.isZero(secret)
        else { return nil }
        return secret
    }
}
