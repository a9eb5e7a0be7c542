/// The accessory's half of one SRP-6a exchange (RFC 5054's 3072-bit group, SHA-512): it learns whether the other side
/// knows the password of a verifier.
///
/// Each step exponentiates: in a release build about half a millisecond to start, and one and a half to agree.
public struct SRPServer: Sendable, Redacted {
    private let verifier: SRPVerifier
    private let privateValue: [UInt8]
    /// B, 384 bytes.
    public let publicKey: [UInt8]

    /// So many draws in a row give a leading zero byte with a chance of 2^-128.
    private static let maximumDraws = 16

    /// Starts an exchange with a new private value. The generator must be cryptographically secure.
    ///
    /// The value is drawn again until B has no leading zero byte, for implementations differ in how they hash those.
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
    /// M1 is accepted whether the client keeps leading zero bytes or leaves them out, in its keys and in the secret:
    /// each form proves that it knows the secret.
    ///
    /// - Throws: ``SRPError``. Every refusal but ``SRPError/wrongLength`` is a failed try at the password.
    public func agree(clientKey: [UInt8], clientProof: [UInt8]) throws(SRPError) -> SRPAgreement {
        guard clientProof.count == SRPHash.length, let client = SRPNumber(clientKey) else { throw .wrongLength }
        let scrambler = SRPHash.scrambler(clientKey: clientKey, serverKey: publicKey)
        guard !client.isZero, !ConstantTime.isZero(scrambler) else { throw .illegalPublicKey }
        let verifierPower = SRPNumber(lowBytesOf: verifier.bytes).power(publicExponent: scrambler)
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
