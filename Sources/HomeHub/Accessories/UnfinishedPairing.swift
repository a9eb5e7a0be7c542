import Foundation
import HAP

/// A pending pairing as the vault stores it. It includes the home's identity, so that recovery is possible after the
/// home was removed.
struct UnfinishedPairing: Codable, Sendable {
    /// The home, which may have been removed.
    var home: UUID
    /// The controller identity that the accessory may have received.
    var controller: StoredIdentity
    /// The pending pairing.
    var pending: PendingPairing
}

/// The stored form of a home's controller identity.
struct StoredIdentity: Codable, Sendable {
    /// The home's pairing ID.
    var pairingID: PairingID
    /// The seed of its long-term key pair.
    var seed: [UInt8]
}

extension StoredIdentity {
    /// Creates the stored form of an identity.
    init(_ identity: ControllerIdentity) {
        self.init(pairingID: identity.pairingID, seed: identity.keyPair.seed)
    }

    /// The identity, or `nil` if the seed is invalid.
    var identity: ControllerIdentity? {
        LongTermKeyPair(seed: seed).map { ControllerIdentity(pairingID: pairingID, keyPair: $0) }
    }
}
