/// The controller's end of one pair-verify: proves who it is to a paired accessory, has it prove the same, and gives
/// the keys of the connection's secure session.
///
/// Post ``start(using:)`` to `/pair-verify`, give each reply to the next method and post what it returns:
/// ``handleM2(_:)``, ``handleM4(_:)``. Any error ends the exchange. Cheap enough for event loops.
public struct PairVerifyController: Sendable, Redacted {
    private enum Stage {
        case awaitingM2(EphemeralKeyPair)
        case awaitingM4(SessionKeys)
        case over
    }

    private let identity: ControllerIdentity
    private let accessory: PairedAccessory
    private var stage = Stage.over

    /// Makes the controller's end.
    public init(identity: ControllerIdentity, accessory: PairedAccessory) {
        self.identity = identity
        self.accessory = accessory
    }

    /// Begins, or begins anew, with a new ephemeral key: gives M1. The generator must be cryptographically secure.
    public mutating func start(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let ephemeral = EphemeralKeyPair(using: &generator)
        stage = .awaitingM2(ephemeral)
        return TLV8(state: .m1, [TLV8.Item(.publicKey, ephemeral.publicKey)]).encoded()
    }

    /// Takes M2 and gives M3.
    public mutating func handleM2(_ reply: some Collection<UInt8>) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM2(let ephemeral) = take() else { throw .outOfOrder }
        let m2 = try PairingReply(reply, .m2, authentication: .notAuthorized)
        let accessoryKey = try m2.value(.publicKey, count: EphemeralKeyPair.length)
        guard let sharedSecret = ephemeral.sharedSecret(with: accessoryKey) else {
            throw PairingFailure(.impostor, reason: "M2: PublicKey would fix the secret in advance")
        }
        let key = AEADKey(KeyDerivation.pairVerifyEncryption.derive(from: sharedSecret))
        guard let plaintext = key.open(try m2.value(.encryptedData), nonce: .pairVerifyM2) else {
            throw PairingFailure(.impostor, reason: "M2: EncryptedData was not sealed by the accessory")
        }
        let signed = try m2.signedIdentity(plaintext)
        guard DeviceID(identifier: signed.identifier) == accessory.deviceID else {
            throw PairingFailure(.impostor, reason: "M2 comes from another accessory than \(accessory.deviceID)")
        }
        guard signed.isSigned(by: accessory.publicKey, before: accessoryKey, after: ephemeral.publicKey) else {
            throw PairingFailure(.impostor, reason: "M2: the signature is not that of \(accessory.deviceID)")
        }
        let encrypted: [UInt8]
        do {
            let controller = try SignedIdentity(
                identifier: identity.pairingID.identifier,
                keyPair: identity.keyPair,
                includesKey: false,
                before: ephemeral.publicKey,
                after: accessoryKey
            )
            encrypted = try key.seal(controller.encoded(), nonce: .pairVerifyM3)
        } catch {
            throw .internalFailure
        }
        stage = .awaitingM4(SessionKeys(sharedSecret: sharedSecret))
        return TLV8(state: .m3, [TLV8.Item(.encryptedData, encrypted)]).encoded()
    }

    /// Takes M4 and gives the session's keys: every byte after M4, both ways, is framed.
    ///
    /// ``PairingFailure/Code/notAuthorized`` means that the accessory no longer has this controller's pairing.
    public mutating func handleM4(_ reply: some Collection<UInt8>) throws(PairingFailure) -> SessionKeys {
        guard case .awaitingM4(let keys) = take() else { throw .outOfOrder }
        _ = try PairingReply(reply, .m4, authentication: .notAuthorized)
        return keys
    }

    /// The stage, which is over unless the caller sets another.
    private mutating func take() -> Stage {
        defer { stage = .over }
        return stage
    }
}
