/// An error in an SRP exchange.
public enum SRPError: Error, Hashable, Sendable {
    /// The peer's public key, or the scrambling parameter derived from it, would make the secret predictable.
    case illegalPublicKey
    /// The peer's public key is longer than the group's numbers, or a proof is not 64 bytes.
    case wrongLength
    /// The peer's proof is wrong, so it doesn't know the password.
    case wrongProof
}
