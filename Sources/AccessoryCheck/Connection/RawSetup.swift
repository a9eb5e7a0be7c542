package import Crypto
package import HAP

/// A pair-setup with the correct code up to M4, and hand-made messages after it.
package struct RawSetup {
    package static let m1: [UInt8] = [6, 1, 1, 0, 1, 0]

    /// K.
    package let sessionKey: [UInt8]
    /// The M3 that was sent.
    package let m3: [UInt8]

    /// Runs M1 to M4.
    package init(_ connection: ControllerConnection, m1: [UInt8] = Self.m1, code: SetupCode) async throws {
        try await self.init(connection, m2: try await connection.post("/pair-setup", m1).body, code: code)
    }

    /// Runs M3 and M4 after an M2.
    package init(_ connection: ControllerConnection, m2: [UInt8], code: SetupCode) async throws {
        var random = SystemRandomNumberGenerator()
        let m2 = RawMessage.values(m2)
        let client = try SRPClient(
            setupCode: code,
            salt: m2[2] ?? [],
            serverKey: m2[3] ?? [],
            using: &random
        )
        m3 = RawMessage.tlv((6, [3]), (3, client.publicKey), (4, client.proof))
        let m4 = RawMessage.values(try await connection.post("/pair-setup", m3).body)
        sessionKey = try client.sessionKey(verifying: m4[4] ?? [])
    }

    /// The prefix of what the controller signs.
    package var prefix: [UInt8] {
        RawMessage.derive(sessionKey, "Pair-Setup-Controller-Sign-Salt", "Pair-Setup-Controller-Sign-Info")
    }

    /// Returns M5 with a payload.
    package func m5(_ payload: [UInt8], nonce: String = "PS-Msg05") throws -> [UInt8] {
        let key = RawMessage.derive(sessionKey, "Pair-Setup-Encrypt-Salt", "Pair-Setup-Encrypt-Info")
        return RawMessage.tlv((6, [5]), (5, try RawMessage.seal(payload, key: key, nonce: nonce)))
    }

    /// Returns the payload of an honest controller's M5.
    package func payload(_ identifier: [UInt8], _ key: Curve25519.Signing.PrivateKey) throws -> [UInt8] {
        let publicKey = Array(key.publicKey.rawRepresentation)
        let signature = Array(try key.signature(for: prefix + identifier + publicKey))
        return RawMessage.tlv((1, identifier), (3, publicKey), (10, signature))
    }
}
