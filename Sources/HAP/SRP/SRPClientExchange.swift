/// The part of a client's exchange that doesn't depend on its private value.
struct SRPClientExchange: Redacted {
    /// The client's message for one private value, and the resulting secret.
    struct Answer: Redacted {
        /// A, 384 bytes.
        let publicKey: [UInt8]
        /// S, 384 bytes.
        let secret: [UInt8]
        /// K, 64 bytes.
        let sessionKey: [UInt8]
        /// M1, 64 bytes.
        let proof: [UInt8]

        /// Whether implementations may differ in how they hash the numbers. Some strip A and S; one (HAP-python) also
        /// strips K.
        var hasLeadingZero: Bool { publicKey.first == 0 || secret.first == 0 || sessionKey.first == 0 }
    }

    private let username: String
    private let salt: [UInt8]
    private let serverKey: [UInt8]
    /// B - k g^x, which is g^b if the server knows the verifier.
    private let base: SRPNumber
    /// x, which is derived from the password.
    private let passwordHash: [UInt8]

    init(username: String, password: String, salt: [UInt8], serverKey: [UInt8]) throws(SRPError) {
        guard let server = SRPNumber(serverKey) else { throw .wrongLength }
        guard !server.isZero else { throw .illegalPublicKey }
        passwordHash = SRPHash.passwordHash(username: username, password: password, salt: salt)
        base = server - SRPNumber(lowBytesOf: SRPHash.multiplier) * SRPNumber.generatorPower(passwordHash)
        // The powers of 0, 1 and -1 are only these numbers: S would not depend on the private value.
        guard !base.isZero, !(base.squared - .one).isZero else { throw .illegalPublicKey }
        self.username = username
        self.salt = salt
        self.serverKey = serverKey
    }

    /// Returns A, S = (B - k g^x)^(a + u x), K and M1 for a private value a.
    ///
    /// - Parameter scramble: A closure that returns u for A and B.
    func answer(
        privateValue: [UInt8],
        scramble: (_ clientKey: [UInt8], _ serverKey: [UInt8]) -> [UInt8] = SRPHash.scrambler
    ) throws(SRPError) -> Answer {
        let publicKey = SRPNumber.generatorPower(privateValue).bytes
        let scrambler = scramble(publicKey, serverKey)
        guard !ConstantTime.isZero(scrambler) else { throw .illegalPublicKey }
        let exponent = SRPExponent.sum(privateValue, product: scrambler, passwordHash)
        let secret = base.power(exponent).bytes
        let sessionKey = SRPHash.sessionKey(secret: secret, form: .stripped)
        let proof = SRPHash.clientProof(
            username: username,
            salt: salt,
            clientKey: SRPHash.Form.stripped(publicKey),
            serverKey: serverKey,
            sessionKey: sessionKey
        )
        return Answer(publicKey: publicKey, secret: secret, sessionKey: sessionKey, proof: proof)
    }
}
