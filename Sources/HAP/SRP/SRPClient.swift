/// The controller's side of one SRP-6a exchange (RFC 5054's 3072-bit group, SHA-512). It proves that it knows a
/// password and checks that the other side knows the verifier.
public struct SRPClient: Sendable, Redacted {
    /// A, 384 bytes.
    public let publicKey: [UInt8]
    /// M1, 64 bytes.
    public let proof: [UInt8]
    private let sessionKey: [UInt8]

    /// K, 64 bytes, before the server has proved that it has K too: only what the server must not read without K may
    /// depend on it.
    package var unverifiedSessionKey: [UInt8] { sessionKey }

    /// The probability that this many values in a row give a leading zero byte in A, S or K is below 2^-100.
    private static let maximumDraws = 16

    /// Computes the answer to the server's salt and public key B. It involves several exponentiations, which take 3 to
    /// 4 ms in a release build.
    ///
    /// The private value is regenerated until neither A nor S nor K has a leading zero byte, because implementations
    /// differ in how they hash those.
    ///
    /// - Parameters:
    ///   - setupCode: The accessory's setup code, which is the password.
    ///   - salt: The server's salt.
    ///   - serverKey: B as received, including any leading zero bytes, because the server hashes B in the form that it
    ///     sends.
    ///   - generator: A cryptographically secure generator.
    /// - Throws: ``SRPError/wrongLength`` if B is too long, or ``SRPError/illegalPublicKey`` if B would make the secret
    ///   predictable.
    public init(
        setupCode: SetupCode,
        salt: [UInt8],
        serverKey: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) throws(SRPError) {
        try self.init(
            username: SRPVerifier.username,
            password: setupCode.dashed,
            salt: salt,
            serverKey: serverKey,
            using: &generator
        )
    }

    /// Computes the answer of any exchange, as ``init(setupCode:salt:serverKey:using:)`` does for pair-setup.
    package init(
        username: String,
        password: String,
        salt: [UInt8],
        serverKey: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) throws(SRPError) {
        let exchange = try SRPClientExchange(
            username: username,
            password: password,
            salt: salt,
            serverKey: serverKey
        )
        var answer = try exchange.answer(privateValue: generator.bytes(PairingLimits.privateValueLength))
        var draws = 1
        while answer.hasLeadingZero, draws < Self.maximumDraws {
            answer = try exchange.answer(privateValue: generator.bytes(PairingLimits.privateValueLength))
            draws += 1
        }
        publicKey = answer.publicKey
        proof = answer.proof
        sessionKey = answer.sessionKey
    }

    /// Returns K, 64 bytes, if the server's proof M2 shows that it has K too.
    ///
    /// - Throws: ``SRPError/wrongProof`` or ``SRPError/wrongLength``.
    public func sessionKey(verifying serverProof: [UInt8]) throws(SRPError) -> [UInt8] {
        guard serverProof.count == SRPHash.length else { throw .wrongLength }
        let expected = SRPHash.serverProof(clientKey: publicKey, clientProof: proof, sessionKey: sessionKey)
        guard ConstantTime.equal(expected, serverProof) else { throw .wrongProof }
        return sessionKey
    }
}
