/// What an accessory keeps of its setup code to check it with: salt and verifier. It may be stored in place of the code;
/// one that has the code may make another, under another salt, each time it starts.
///
/// Whoever has it can try every setup code without limit: keep it as secret as the code. Printing it shows no secret.
public struct SRPVerifier: Hashable, Sendable, Redacted {
    /// The salt, 16 bytes.
    public let salt: [UInt8]
    /// The verifier v, 384 bytes.
    public let bytes: [UInt8]
    let username: String

    /// The user name of pair-setup.
    static let username = "Pair-Setup"

    /// Creates a verifier of its stored parts; nil unless there are 16 and 384 bytes and the verifier is not 0.
    public init?(salt: some Sequence<UInt8>, bytes: some Sequence<UInt8>) {
        let salt = Array(salt)
        let bytes = Array(bytes)
        guard salt.count == PairingLimits.saltLength, bytes.count == SRPGroup.byteCount,
            SRPNumber(bytes)?.isZero == false
        else { return nil }
        self.salt = salt
        self.bytes = bytes
        username = Self.username
    }

    /// Computes the verifier of a setup code under a new salt: one exponentiation. The generator must be
    /// cryptographically secure.
    public init(setupCode: SetupCode, using generator: inout some RandomNumberGenerator) {
        self.init(
            username: Self.username,
            password: setupCode.dashed,
            salt: generator.bytes(PairingLimits.saltLength)
        )
    }

    /// Computes the verifier of a setup code under a new salt from the system's generator.
    public init(setupCode: SetupCode) {
        var generator = SystemRandomNumberGenerator()
        self.init(setupCode: setupCode, using: &generator)
    }

    init(username: String, password: String, salt: [UInt8]) {
        let exponent = SRPHash.passwordHash(username: username, password: password, salt: salt)
        self.salt = salt
        self.username = username
        bytes = SRPNumber.generatorPower(exponent).bytes
    }
}
