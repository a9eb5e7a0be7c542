/// The controller's end of one pair-setup: proves to know the setup code and exchanges long-term keys.
///
/// Post ``start()`` to `/pair-setup`, give each reply to the next method and post what it returns:
/// ``handleM2(_:using:)``, ``handleM4(_:)``, ``handleM6(_:)``. Any error ends the exchange.
///
/// **Before posting M5, store durably** the controller's identity and that a pairing with this accessory is pending:
/// from then on the accessory may hold the pairing although M6 never arrives, and nobody else can pair with it.
///
/// ``handleM2(_:using:)`` exponentiates, three to four milliseconds in a release build: call it off event loops.
public struct PairSetupController: Sendable, Redacted {
    private enum Stage {
        case awaitingM2
        case awaitingM4(SRPClient)
        case awaitingM6(sessionKey: [UInt8])
        case over
    }

    private let identity: ControllerIdentity
    private let setupCode: SetupCode
    private let expectedID: DeviceID?
    private var stage = Stage.over

    /// Creates the controller's end.
    ///
    /// - Parameter deviceID: the accessory's TXT `id`; another one in M6 is refused. Nil takes whoever knows the code.
    public init(identity: ControllerIdentity, setupCode: SetupCode, expecting deviceID: DeviceID?) {
        self.identity = identity
        self.setupCode = setupCode
        expectedID = deviceID
    }

    /// Begins, or begins anew: gives M1.
    public mutating func start() -> [UInt8] {
        stage = .awaitingM2
        var message = TLV8(state: .m1)
        message.append(.method, integer: PairingMethod.pairSetup.rawValue)
        return message.encoded()
    }

    /// Takes M2 and gives M3. The generator must be cryptographically secure.
    public mutating func handleM2(
        _ reply: some Collection<UInt8>,
        using generator: inout some RandomNumberGenerator
    ) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM2 = take() else { throw .outOfOrder }
        let m2 = try PairingReply(reply, .m2, authentication: .notAuthorized)
        let client: SRPClient
        let serverKey = try m2.value(.publicKey)
        let salt = try m2.value(.salt, count: PairingLimits.saltLength)
        do {
            client = try SRPClient(setupCode: setupCode, salt: salt, serverKey: serverKey, using: &generator)
        } catch .wrongLength {
            throw PairingFailure(.malformedReply, reason: "M2: PublicKey has \(serverKey.count) bytes")
        } catch {
            throw PairingFailure(.impostor, reason: "M2: PublicKey would fix the secret in advance")
        }
        stage = .awaitingM4(client)
        let items = [TLV8.Item(.publicKey, client.publicKey), TLV8.Item(.proof, client.proof)]
        return TLV8(state: .m3, items).encoded()
    }

    /// Takes M4 and gives M5. See the type's discussion for what must be stored before M5 is posted.
    public mutating func handleM4(_ reply: some Collection<UInt8>) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM4(let client) = take() else { throw .outOfOrder }
        let m4 = try PairingReply(reply, .m4, authentication: .wrongSetupCode)
        let proof = try m4.value(.proof, count: SRPHash.length)
        let sessionKey: [UInt8]
        do {
            sessionKey = try client.sessionKey(verifying: proof)
        } catch {
            throw PairingFailure(.impostor, reason: "M4: the accessory's proof is wrong")
        }
        let message: [UInt8]
        do {
            message = try m5(sessionKey: sessionKey)
        } catch {
            throw .internalFailure
        }
        stage = .awaitingM6(sessionKey: sessionKey)
        return message
    }

    /// Takes M6 and gives what to store of the accessory.
    public mutating func handleM6(_ reply: some Collection<UInt8>) throws(PairingFailure) -> PairedAccessory {
        guard case .awaitingM6(let sessionKey) = take() else { throw .outOfOrder }
        let m6 = try PairingReply(reply, .m6, authentication: .notAuthorized)
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: sessionKey))
        guard let plaintext = key.open(try m6.value(.encryptedData), nonce: .pairSetupM6) else {
            throw PairingFailure(.impostor, reason: "M6: EncryptedData was not sealed by the accessory")
        }
        let accessory = try m6.signedIdentity(plaintext)
        guard let publicKey = accessory.publicKey, let deviceID = DeviceID(identifier: accessory.identifier) else {
            throw PairingFailure(.malformedReply, reason: "M6 lacks a PublicKey or its Identifier is no device id")
        }
        let prefix = KeyDerivation.pairSetupAccessorySignature.derive(from: sessionKey)
        guard accessory.isSigned(by: publicKey, before: prefix, after: publicKey.bytes) else {
            throw PairingFailure(.impostor, reason: "M6: the accessory's signature is wrong")
        }
        if let expectedID, deviceID != expectedID {
            throw PairingFailure(.otherAccessory, reason: "M6 comes from \(deviceID), expected was \(expectedID)")
        }
        return PairedAccessory(deviceID: deviceID, publicKey: publicKey)
    }

    /// The stage, which is over unless the caller sets another.
    private mutating func take() -> Stage {
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
        let encrypted = try key.seal(controller.encoded(), nonce: .pairSetupM5)
        return TLV8(state: .m5, [TLV8.Item(.encryptedData, encrypted)]).encoded()
    }
}
