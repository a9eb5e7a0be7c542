/// A salt and verifier with which an accessory checks its setup code. An accessory may store it instead of the code, or
/// compute a new one with a new salt at each start if it stores the code.
///
/// Keep it as secret as the code: anyone who has it can try setup codes without limit. Printing it doesn't reveal the
/// secret.
public struct SRPVerifier: Hashable, Sendable, Redacted {
    /// The salt, 16 bytes.
    public let salt: [UInt8]
    /// The verifier v, 384 bytes.
    public let bytes: [UInt8]
    let username: String
    /// The bases for ``SRPNumber/power(of:publicExponent:)`` with u: v raised to 2^256, and v. They are cached, because
    /// each exchange needs them.
    let bases: [SRPNumber]

    /// The username of pair-setup.
    static let username = "Pair-Setup"

    /// Creates a verifier from its stored parts. Returns `nil` unless they have 16 and 384 bytes and the verifier is
    /// not 0.
    public init?(salt: some Sequence<UInt8>, bytes: some Sequence<UInt8>) {
        self.init(username: Self.username, salt: salt, bytes: bytes)
    }

    /// Creates the verifier of another exchange than pair-setup from its stored parts.
    package init?(username: String, salt: some Sequence<UInt8>, bytes: some Sequence<UInt8>) {
        let salt = Array(salt)
        let bytes = Array(bytes)
        guard salt.count == PairingLimits.saltLength, bytes.count == SRPGroup.byteCount,
            let number = SRPNumber(bytes), !number.isZero
        else { return nil }
        self.init(username: username, salt: salt, number: number)
    }

    private init(username: String, salt: [UInt8], number: SRPNumber) {
        self.salt = salt
        self.username = username
        bytes = number.bytes
        let upperBase = (0..<SRPHash.length / 2 * UInt8.bitWidth).reduce(number) { power, _ in power.squared }
        bases = [upperBase, number]
    }

    /// Creates the verifier of a setup code with a new salt, with two exponentiations. The generator must be
    /// cryptographically secure.
    public init(setupCode: SetupCode, using generator: inout some RandomNumberGenerator) {
        self.init(
            username: Self.username,
            password: setupCode.dashed,
            salt: generator.bytes(PairingLimits.saltLength)
        )
    }

    /// Creates the verifier of a setup code with a new salt from the system's generator.
    public init(setupCode: SetupCode) {
        var generator = SystemRandomNumberGenerator()
        self.init(setupCode: setupCode, using: &generator)
    }

    /// Creates the verifier of a PIN with which pair-setup is done in place of a setup code.
    package init(pin: String, using generator: inout some RandomNumberGenerator) {
        self.init(username: Self.username, password: pin, salt: generator.bytes(PairingLimits.saltLength))
    }

    /// Creates the verifier of a password of any exchange, with two exponentiations.
    package init(username: String, password: String, salt: [UInt8]) {
        let exponent = SRPHash.passwordHash(username: username, password: password, salt: salt)
        self.init(username: username, salt: salt, number: .generatorPower(exponent))
    }
}

extension SRPVerifier {
    /// Returns whether the verifiers are equal.
    public static func == (left: SRPVerifier, right: SRPVerifier) -> Bool {
        left.salt == right.salt && left.bytes == right.bytes && left.username == right.username
    }

    /// Hashes the salt and the verifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(salt)
        hasher.combine(bytes)
        hasher.combine(username)
    }
}
