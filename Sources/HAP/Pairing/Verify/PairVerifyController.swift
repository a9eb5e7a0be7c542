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

    /// Who has to answer.
    private enum Peer {
        case paired(PairedAccessory)
        /// An accessory whose key is not known; none of these if its ID is not known either.
        case unauthenticated(DeviceID?, excluded: Set<DeviceID>)
    }

    private let identity: ControllerIdentity
    private let peer: Peer
    private var stage = Stage.over

    /// Creates the controller's end.
    public init(identity: ControllerIdentity, accessory: PairedAccessory) {
        self.identity = identity
        peer = .paired(accessory)
    }

    /// Creates the controller's end for an accessory whose long-term key never arrived, for the exchange of keys broke off.
    ///
    /// Nothing proves who answers: an accessory that holds this controller's pairing accepts it, and so does anybody who
    /// pretends to be one. Send over such a session only what may go to anybody, and believe nothing that it says.
    ///
    /// - Parameters:
    ///   - deviceID: the accessory's TXT `id`, nil if it is not known.
    ///   - excluded: who must not be taken for it.
    package init(identity: ControllerIdentity, unauthenticated deviceID: DeviceID?, excluding excluded: Set<DeviceID>) {
        self.identity = identity
        peer = .unauthenticated(deviceID, excluded: excluded)
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
        try check(signed, before: accessoryKey, after: ephemeral.publicKey)
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

    /// Throws unless the accessory that is due signed M2.
    private func check(_ signed: SignedIdentity, before: [UInt8], after: [UInt8]) throws(PairingFailure) {
        let deviceID = DeviceID(identifier: signed.identifier)
        switch peer {
        case .paired(let accessory):
            guard deviceID == accessory.deviceID else { throw .otherAccessory(than: accessory.deviceID) }
            guard signed.isSigned(by: accessory.publicKey, before: before, after: after) else {
                throw PairingFailure(.otherKey, reason: "M2: the signature is not that of \(accessory.deviceID)")
            }
        case .unauthenticated(let expected, let excluded):
            guard let deviceID, deviceID == expected ?? deviceID, !excluded.contains(deviceID) else {
                throw .otherAccessory(than: expected)
            }
        }
    }

    /// The stage, which is over unless the caller sets another.
    private mutating func take() -> Stage {
        defer { stage = .over }
        return stage
    }
}

extension PairingFailure {
    fileprivate static func otherAccessory(than expected: DeviceID?) -> PairingFailure {
        let due = expected.map(\.description) ?? "the one that was being paired"
        return PairingFailure(.otherAccessory, reason: "M2 comes from another accessory than \(due)")
    }
}
