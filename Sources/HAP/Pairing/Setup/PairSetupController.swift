/// The controller's side of one pair-setup, which proves knowledge of the setup code and exchanges long-term keys.
///
/// Post the result of ``start()`` to `/pair-setup`. Pass each reply to the next method and post its result:
/// ``handleM2(_:using:)``, ``handleM4(_:)``, ``handleM6(_:)``. Any error ends the exchange.
///
/// **Before you post M5, durably store** the controller's identity and the fact that a pairing with this accessory is
/// pending. From then on, the accessory may have the pairing even if M6 never arrives, and no other controller can pair
/// with it.
///
/// ``handleM2(_:using:)`` involves exponentiation, which takes 3 to 4 ms in a release build. Don't call it on an event
/// loop.
public struct PairSetupController: Sendable, Redacted {
    private enum Stage {
        case awaitingM2
        case awaitingM4(SRPClient)
        case awaitingM6(sessionKey: [UInt8])
        case over
    }

    private let identity: ControllerIdentity
    private let password: String
    private let expectedID: DeviceID?
    private let flags: PairingFlags
    private var stage = Stage.over

    /// Creates the controller's side.
    ///
    /// - Parameters:
    ///   - identity: The controller's pairing ID and long-term key pair.
    ///   - setupCode: The accessory's setup code.
    ///   - deviceID: The accessory's TXT `id`. Another one in M6 is rejected. `nil` accepts any accessory that knows the
    ///     code.
    public init(identity: ControllerIdentity, setupCode: SetupCode, expecting deviceID: DeviceID?) {
        self.identity = identity
        password = setupCode.dashed
        expectedID = deviceID
        flags = []
    }

    /// Creates the controller's side of a protocol whose passwords aren't setup codes, and whose accessories may have any
    /// pairing identifier.
    ///
    /// - Parameters:
    ///   - identity: The controller's pairing ID and long-term key pair.
    ///   - password: The password.
    ///   - flags: The options. A transient setup ends with ``keys(handlingM4:)``.
    package init(identity: ControllerIdentity, password: String, flags: PairingFlags = []) {
        self.identity = identity
        self.password = password
        self.flags = flags
        expectedID = nil
    }

    /// Starts or restarts the exchange, and returns M1.
    public mutating func start() -> [UInt8] {
        stage = .awaitingM2
        var message = TLV8(state: .m1)
        message.append(.method, integer: PairingMethod.pairSetup.rawValue)
        if !flags.isEmpty { message.append(.flags, integer: flags.rawValue) }
        return message.encoded()
    }

    /// Handles M2 and returns M3. The generator must be cryptographically secure.
    public mutating func handleM2(
        _ reply: some Collection<UInt8>,
        using generator: inout some RandomNumberGenerator
    ) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM2 = endStage() else { throw .outOfOrder }
        let m2 = try PairingReply(reply, .m2, authentication: .notAuthorized)
        let client: SRPClient
        let serverKey = try m2.value(.publicKey)
        let salt = try m2.value(.salt, count: PairingLimits.saltLength)
        do {
            client = try SRPClient(
                username: SRPVerifier.username,
                password: password,
                salt: salt,
                serverKey: serverKey,
                using: &generator
            )
        } catch .wrongLength {
            throw PairingFailure(.malformedReply, reason: "M2: PublicKey has \(serverKey.count) bytes")
        } catch {
            throw PairingFailure(.impostor, reason: "M2: PublicKey would make the secret predictable")
        }
        stage = .awaitingM4(client)
        let items = [TLV8.Item(.publicKey, client.publicKey), TLV8.Item(.proof, client.proof)]
        return TLV8(state: .m3, items).encoded()
    }

    /// Handles M4 and returns M5. See the type's discussion for what to store before you post M5.
    public mutating func handleM4(_ reply: some Collection<UInt8>) throws(PairingFailure) -> [UInt8] {
        let sessionKey = try sessionKey(handlingM4: reply)
        let message: [UInt8]
        do {
            message = try m5(sessionKey: sessionKey)
        } catch {
            throw .internalFailure
        }
        stage = .awaitingM6(sessionKey: sessionKey)
        return message
    }

    /// Handles M4 of a transient setup and returns the session's keys. All bytes after M4 are framed in both directions.
    package mutating func keys(handlingM4 reply: some Collection<UInt8>) throws(PairingFailure) -> SessionKeys {
        SessionKeys(transientSessionKey: try sessionKey(handlingM4: reply))
    }

    private mutating func sessionKey(handlingM4 reply: some Collection<UInt8>) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM4(let client) = endStage() else { throw .outOfOrder }
        let m4 = try PairingReply(reply, .m4, authentication: .wrongSetupCode)
        let proof = try m4.value(.proof, count: SRPHash.length)
        do {
            return try client.sessionKey(verifying: proof)
        } catch {
            throw PairingFailure(.impostor, reason: "M4: the accessory's proof is wrong")
        }
    }

    /// Handles M6 and returns the accessory's record, which must be stored.
    public mutating func handleM6(_ reply: some Collection<UInt8>) throws(PairingFailure) -> PairedAccessory {
        let peer = try peer(handlingM6: reply)
        guard let deviceID = DeviceID(peer.id.description) else {
            throw PairingFailure(.malformedReply, reason: "M6: the Identifier is not a device ID")
        }
        if let expectedID, deviceID != expectedID {
            throw PairingFailure(.otherAccessory, reason: "M6 comes from \(deviceID), not from \(expectedID)")
        }
        return PairedAccessory(deviceID: deviceID, publicKey: peer.publicKey)
    }

    /// Handles M6 and returns the accessory's record, whatever its pairing identifier.
    package mutating func peer(handlingM6 reply: some Collection<UInt8>) throws(PairingFailure) -> PairedPeer {
        guard case .awaitingM6(let sessionKey) = endStage() else { throw .outOfOrder }
        let m6 = try PairingReply(reply, .m6, authentication: .notAuthorized)
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: sessionKey))
        guard let plaintext = key.open(try m6.value(.encryptedData), nonce: .pairSetupM6) else {
            throw PairingFailure(.impostor, reason: "M6: EncryptedData was not encrypted by the accessory")
        }
        let accessory = try m6.signedIdentity(plaintext)
        guard let publicKey = accessory.publicKey, let id = PairingID(identifier: accessory.identifier) else {
            throw PairingFailure(.malformedReply, reason: "M6 lacks a PublicKey or its Identifier is too long")
        }
        let prefix = KeyDerivation.pairSetupAccessorySignature.derive(from: sessionKey)
        guard accessory.isSigned(by: publicKey, before: prefix, after: publicKey.bytes) else {
            throw PairingFailure(.impostor, reason: "M6: the accessory's signature is wrong")
        }
        return PairedPeer(id: id, publicKey: publicKey)
    }

    /// Returns the current stage and sets it to `over`, so that the exchange ends unless the caller sets another.
    private mutating func endStage() -> Stage {
        defer { stage = .over }
        return stage
    }

    private func m5(sessionKey: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        let controller = try SignedIdentity(
            identifier: identity.pairingID.identifier,
            keyPair: identity.keyPair,
            includesKey: true,
            before: KeyDerivation.pairSetupControllerSignature.derive(from: sessionKey),
            after: identity.keyPair.publicKey.bytes
        )
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: sessionKey))
        let encrypted = key.seal(controller.encoded(), nonce: .pairSetupM5)
        return TLV8(state: .m5, [TLV8.Item(.encryptedData, encrypted)]).encoded()
    }
}
