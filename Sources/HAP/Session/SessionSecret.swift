/// The secret that both sides of a pairing exchange have in the end, and from which they derive keys. Printing it
/// doesn't reveal the secret.
package struct SessionSecret: Sendable, Redacted {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a key that is derived from the secret.
    package func key(_ derivation: KeyDerivation) -> FrameKey {
        FrameKey(derivation, from: bytes)
    }
}
