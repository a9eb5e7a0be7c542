package import Crypto
package import HAP

/// A pair-verify up to M2, and hand-made messages after it.
package struct RawVerify {
    package let ephemeral: Curve25519.KeyAgreement.PrivateKey
    package let accessoryKey: [UInt8]
    private let secret: [UInt8]

    /// Runs M1 and M2.
    package init(_ connection: ControllerConnection) async throws {
        ephemeral = Curve25519.KeyAgreement.PrivateKey()
        let m1 = RawMessage.tlv((6, [1]), (3, Array(ephemeral.publicKey.rawRepresentation)))
        accessoryKey = RawMessage.values(try await connection.post("/pair-verify", m1).body)[3] ?? []
        let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: accessoryKey)
        secret = try ephemeral.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes { Array($0) }
    }

    package var controllerKey: [UInt8] { Array(ephemeral.publicKey.rawRepresentation) }

    /// Returns M3 with a payload.
    package func m3(_ payload: [UInt8], nonce: String = "PV-Msg03") throws -> [UInt8] {
        let key = RawMessage.derive(secret, "Pair-Verify-Encrypt-Salt", "Pair-Verify-Encrypt-Info")
        return RawMessage.tlv((6, [3]), (5, try RawMessage.seal(payload, key: key, nonce: nonce)))
    }

    /// Returns the signature of an honest controller.
    package func signature(_ controller: ControllerIdentity) throws -> [UInt8] {
        try Self.sign(controller, controllerKey + Array(controller.pairingID.description.utf8) + accessoryKey)
    }

    /// Returns the payload of an honest controller's M3.
    package func payload(_ controller: ControllerIdentity) throws -> [UInt8] {
        RawMessage.tlv((1, Array(controller.pairingID.description.utf8)), (10, try signature(controller)))
    }

    /// Frames all further messages of the connection with the session's keys, as after M4.
    package func secure(_ connection: ControllerConnection) {
        connection.secure(secret, "Control-Salt", "Control-Read-Encryption-Key", "Control-Write-Encryption-Key")
    }

    package static func sign(_ controller: ControllerIdentity, _ message: [UInt8]) throws -> [UInt8] {
        Array(try Curve25519.Signing.PrivateKey(rawRepresentation: controller.keyPair.seed).signature(for: message))
    }
}
