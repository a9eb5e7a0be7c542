/// The accessory's result once the controller has proved that it knows the password. Printing it doesn't reveal the
/// secret.
public struct SRPAgreement: Hashable, Sendable, Redacted {
    /// K, 64 bytes, which only the two sides know.
    public let sessionKey: [UInt8]
    /// M2, 64 bytes: proves to the controller that the accessory knows the verifier.
    public let serverProof: [UInt8]
}
