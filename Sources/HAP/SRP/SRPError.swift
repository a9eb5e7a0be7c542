/// Why an SRP exchange was refused.
public enum SRPError: Error, Hashable, Sendable {
    /// The peer's public key, or the scrambling parameter made from it, would fix the secret in advance.
    case illegalPublicKey
    /// The peer's public key is longer than the group's numbers, or a proof is not 64 bytes: malformed.
    case wrongLength
    /// The peer's proof is wrong: it does not know the password.
    case wrongProof
}
