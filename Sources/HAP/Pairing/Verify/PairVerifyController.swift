/// The controller's side of one pair-verify, which authenticates the controller and a paired accessory to each other
/// and derives the keys of the connection's secure session.
///
/// Post the result of ``start(using:)`` to `/pair-verify`. Pass each reply to the next method and post its result:
/// ``handleM2(_:)``, ``handleM4(_:)``. Any error ends the exchange. The methods are fast enough for event loops.
public struct PairVerifyController: Sendable, Redacted {
    private enum Stage {
        case awaitingM2(EphemeralKeyPair)
        case awaitingM4(SessionKeys)
        case over
    }

    /// The expected peer.
    private enum Peer {
        case paired(PairedAccessory)
        /// An accessory whose key is unknown. If its device ID is unknown too, any accessory that is not excluded.
        case unauthenticated(DeviceID?, excluded: Set<DeviceID>)
        /// One of several, which says in M2 which one it is.
        case known([PairedPeer])
    }

    private let identity: ControllerIdentity
    private let peer: Peer
    private var stage = Stage.over

    /// Creates the controller's side.
    public init(identity: ControllerIdentity, accessory: PairedAccessory) {
        self.identity = identity
        peer = .paired(accessory)
    }

    /// Creates the controller's side for whichever of its accessories is at the other end.
    package init(identity: ControllerIdentity, peers: [PairedPeer]) {
        self.identity = identity
        peer = .known(peers)
    }

    /// Creates the controller's side for an accessory whose long-term key never arrived, because pair-setup was
    /// interrupted.
    ///
    /// The peer is not authenticated: it may be the accessory that has this controller's pairing, or an impostor. Don't
    /// send secrets over such a session, and don't trust what you receive.
    ///
    /// - Parameters:
    ///   - deviceID: The accessory's TXT `id`, or `nil` if it is unknown.
    ///   - excluded: The device IDs of other accessories, which are rejected.
    package init(identity: ControllerIdentity, unauthenticated deviceID: DeviceID?, excluding excluded: Set<DeviceID>) {
        self.identity = identity
        peer = .unauthenticated(deviceID, excluded: excluded)
    }

    /// Starts or restarts the exchange with a new ephemeral key, and returns M1. The generator must be
    /// cryptographically secure.
    public mutating func start(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let ephemeral = EphemeralKeyPair(using: &generator)
        stage = .awaitingM2(ephemeral)
        return TLV8(state: .m1, [TLV8.Item(.publicKey, ephemeral.publicKey)]).encoded()
    }

    /// Handles M2 and returns M3.
    public mutating func handleM2(_ reply: some Collection<UInt8>) throws(PairingFailure) -> [UInt8] {
        guard case .awaitingM2(let ephemeral) = endStage() else { throw .outOfOrder }
        let m2 = try PairingReply(reply, .m2, authentication: .notAuthorized)
        let accessoryKey = try m2.value(.publicKey, count: EphemeralKeyPair.length)
        guard let sharedSecret = ephemeral.sharedSecret(with: accessoryKey) else {
            throw PairingFailure(.impostor, reason: "M2: PublicKey would make the secret predictable")
        }
        let key = AEADKey(KeyDerivation.pairVerifyEncryption.derive(from: sharedSecret))
        guard let plaintext = key.open(try m2.value(.encryptedData), nonce: .pairVerifyM2) else {
            throw PairingFailure(.impostor, reason: "M2: EncryptedData was not encrypted by the accessory")
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
            encrypted = key.seal(controller.encoded(), nonce: .pairVerifyM3)
        } catch {
            throw .internalFailure
        }
        stage = .awaitingM4(SessionKeys(sharedSecret: sharedSecret))
        return TLV8(state: .m3, [TLV8.Item(.encryptedData, encrypted)]).encoded()
    }

    /// Handles M4 and returns the session's keys. All bytes after M4 are framed in both directions.
    ///
    /// ``PairingFailure/Code/notAuthorized`` means that the accessory no longer has this controller's pairing.
    public mutating func handleM4(_ reply: some Collection<UInt8>) throws(PairingFailure) -> SessionKeys {
        guard case .awaitingM4(let keys) = endStage() else { throw .outOfOrder }
        _ = try PairingReply(reply, .m4, authentication: .notAuthorized)
        return keys
    }

    /// Throws unless the expected accessory signed M2.
    private func check(_ signed: SignedIdentity, before: [UInt8], after: [UInt8]) throws(PairingFailure) {
        let deviceID = DeviceID(identifier: signed.identifier)
        switch peer {
        case .paired(let accessory):
            guard deviceID == accessory.deviceID else { throw .otherAccessory(than: accessory.deviceID) }
            guard signed.isSigned(by: accessory.publicKey, before: before, after: after) else {
                throw PairingFailure(.otherKey, reason: "M2: the signature is not from \(accessory.deviceID)")
            }
        case .unauthenticated(let expected, let excluded):
            guard let deviceID, deviceID == expected ?? deviceID, !excluded.contains(deviceID) else {
                throw .otherAccessory(than: expected)
            }
        case .known(let peers):
            guard let known = peers.first(where: { $0.id.identifier == signed.identifier }) else {
                throw PairingFailure(.notAuthorized, reason: "M2 comes from an accessory that isn't paired")
            }
            guard signed.isSigned(by: known.publicKey, before: before, after: after) else {
                throw PairingFailure(.otherKey, reason: "M2: the signature is not from \(known.id)")
            }
        }
    }

    /// Returns the current stage and sets it to `over`, so that the exchange ends unless the caller sets another.
    private mutating func endStage() -> Stage {
        defer { stage = .over }
        return stage
    }
}

extension PairingFailure {
    fileprivate static func otherAccessory(than expected: DeviceID?) -> PairingFailure {
        let expected = expected.map(\.description) ?? "the one that was being paired"
        return PairingFailure(.otherAccessory, reason: "M2 comes from another accessory than \(expected)")
    }
}
