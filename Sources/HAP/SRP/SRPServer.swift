/// The accessory's side of one SRP-6a exchange (RFC 5054's 3072-bit group, SHA-512). It checks that the other side
/// knows the password of a verifier.
///
/// Each step involves exponentiation, which takes about 0.5 ms to start and 1.5 ms to agree in a release build.
public struct SRPServer: Sendable, Redacted {
    private let verifier: SRPVerifier
    private let privateValue: [UInt8]
    /// B, 384 bytes.
    public let publicKey: [UInt8]

    /// The probability that this many values in a row give a leading zero byte is 2^-128.
    private static let maximumDraws = 16

    /// Starts an exchange with a new private value. The generator must be cryptographically secure.
    ///
    /// The value is regenerated until B has no leading zero byte, because implementations differ in how they hash
    /// those.
    public init(verifier: SRPVerifier, using generator: inout some RandomNumberGenerator) {
        var server = SRPServer(verifier: verifier, privateValue: generator.bytes(PairingLimits.privateValueLength))
        var draws = 1
        while server.publicKey.first == 0, draws < Self.maximumDraws {
            server = SRPServer(verifier: verifier, privateValue: generator.bytes(PairingLimits.privateValueLength))
            draws += 1
        }
        self = server
    }

    init(verifier: SRPVerifier, privateValue: [UInt8]) {
        self.verifier = verifier
        self.privateValue = privateValue
        let multiple = SRPNumber(lowBytesOf: SRPHash.multiplier) * SRPNumber(lowBytesOf: verifier.bytes)
        publicKey = (multiple + SRPNumber.generatorPower(privateValue)).bytes
    }

    /// Checks the client's public key A and proof M1.
    ///
    /// M1 is accepted with or without leading zero bytes in the client's keys and in the secret, because each form
    /// proves that it knows the secret.
    ///
    /// - Throws: ``SRPError``. Every error except ``SRPError/wrongLength`` is a failed attempt at the password.
    public func agree(clientKey: [UInt8], clientProof: [UInt8]) throws(SRPError) -> SRPAgreement {
        guard clientProof.count == SRPHash.length, let client = SRPNumber(clientKey) else { throw .wrongLength }
        let scrambler = SRPHash.scrambler(clientKey: clientKey, serverKey: publicKey)
        guard !client.isZero, !ConstantTime.isZero(scrambler) else { throw .illegalPublicKey }
        let verifierPower = SRPNumber.power(of: verifier.bases, publicExponent: scrambler)
        let secret = (client * verifierPower).power(privateValue).bytes
        for secretForm in SRPHash.Form.allCases {
            let sessionKey = SRPHash.sessionKey(secret: secret, form: secretForm)
            for keyForm in SRPHash.Form.allCases {
                let expected = SRPHash.clientProof(
                    username: verifier.username,
                    salt: verifier.salt,
                    clientKey: keyForm(clientKey),
                    serverKey: keyForm(publicKey),
                    sessionKey: sessionKey
                )
                if ConstantTime.equal(expected, clientProof) {
                    return SRPAgreement(
                        sessionKey: sessionKey,
                        serverProof: SRPHash.serverProof(
                            clientKey: clientKey,
                            clientProof: clientProof,
                            sessionKey: sessionKey
                        )
                    )
                }
            }
        }
        throw .wrongProof
    }
}
