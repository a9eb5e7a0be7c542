/// The controller's half of one SRP-6a exchange (RFC 5054's 3072-bit group, SHA-512): it proves to know a password and
/// learns whether the other side knows the verifier.
public struct SRPClient: Sendable, Redacted {
    /// A, 384 bytes.
    public let publicKey: [UInt8]
    /// M1, 64 bytes.
    public let proof: [UInt8]
    private let sessionKey: [UInt8]

    /// So many draws in a row give a leading zero byte in A, S or K with a chance below 2^-100.
    private static let maximumDraws = 16

    /// Answers the server's salt and public key B: several exponentiations, three to four milliseconds in a release
    /// build. The generator must be cryptographically secure.
    ///
    /// The private value is drawn again until neither A nor S nor K has a leading zero byte, for implementations differ
    /// in how they hash those.
    ///
    /// - Parameter serverKey: B as it was received: with leading zero bytes exactly if the server sent them, as it then
    ///   hashes it so.
    /// - Throws: ``SRPError/wrongLength`` for too long a B, ``SRPError/illegalPublicKey`` for one that would fix the
    ///   secret in advance.
    public init(
        setupCode: SetupCode,
        salt: [UInt8],
        serverKey: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) throws(SRPError) {
        let exchange = try SRPClientExchange(
            username: SRPVerifier.username,
            password: setupCode.dashed,
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

    /// K, 64 bytes, if the server's proof M2 shows that it has K too.
    ///
    /// - Throws: ``SRPError/wrongProof`` or ``SRPError/wrongLength``.
    public func sessionKey(verifying serverProof: [UInt8]) throws(SRPError) -> [UInt8] {
        guard serverProof.count == SRPHash.length else { throw .wrongLength }
        let expected = SRPHash.serverProof(clientKey: publicKey, clientProof: proof, sessionKey: sessionKey)
        guard ConstantTime.equal(expected, serverProof) else { throw .wrongProof }
        return sessionKey
    }
}
