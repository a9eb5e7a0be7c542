import Foundation
import HAP

/// A pending pairing as the vault keeps it: with the home and its identity, so that it can be settled after the home is
/// removed.
struct UnfinishedPairing: Codable, Sendable {
    /// The home. It may be gone.
    var home: UUID
    /// The identity under which the accessory may know the home.
    var controller: StoredIdentity
    /// What was begun.
    var pending: PendingPairing
}

/// A home's controller identity as it is stored.
struct StoredIdentity: Codable, Sendable {
    /// The home's pairing identifier.
    var pairingID: PairingID
    /// The seed of its long-term key pair.
    var seed: [UInt8]
}

extension StoredIdentity {
    /// Creates the stored form of an identity.
    init(_ identity: ControllerIdentity) {
        self.init(pairingID: identity.pairingID, seed: identity.keyPair.seed)
    }

    /// The identity; nil if the seed isn't one.
    var identity: ControllerIdentity? {
        LongTermKeyPair(seed: seed).map { ControllerIdentity(pairingID: pairingID, keyPair: $0) }
    }
}
