import Foundation
import HAP
import HAPClient

/// A pairing that was begun: from before the accessory is told the home's key until its own key is stored, or until it is
/// certain that the accessory does not hold the home's pairing.
struct PendingPairing: Hashable, Codable, Sendable {
    /// The accessory's id, nil if it is known by its address alone.
    var deviceID: DeviceID?
    /// Where the accessory was told the home's key.
    var addresses: [AccessoryAddress]

    /// The key of an accessory that was reset, as the home still has it: with that key it has no pairing any more.
    var replaces: LongTermPublicKey?

    /// The accessories with which the home has pairings, which must not be touched.
    func spared(among pairings: [AccessoryPairing]) -> Set<DeviceID> {
        Set(pairings.filter { $0.deviceID != deviceID || $0.accessoryPublicKey != replaces }.map(\.deviceID))
    }

    /// What tells it apart from others of its home.
    var name: String { deviceID?.description ?? addresses.map(\.description).joined(separator: " ") }
}
