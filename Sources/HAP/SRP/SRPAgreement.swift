/// What the accessory has when the controller has proved to know the password. Printing it shows no secret.
public struct SRPAgreement: Hashable, Sendable, Redacted {
    /// K, 64 bytes: known to both sides and nobody else.
    public let sessionKey: [UInt8]
    /// M2, 64 bytes: proves to the controller that the accessory knows the verifier.
    public let serverProof: [UInt8]
}
