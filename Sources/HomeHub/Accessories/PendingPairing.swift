import Foundation
import HAP
import HAPClient

/// The note that a pairing was begun. It is stored before the accessory receives the home's key, and deleted when the
/// accessory's own key is stored, or when it is certain that the accessory doesn't have the home's pairing.
struct PendingPairing: Hashable, Codable, Sendable {
    /// The accessory's ID, or `nil` if only its address is known.
    var deviceID: DeviceID?
    /// The addresses at which the accessory received the home's key.
    var addresses: [AccessoryAddress]

    /// The key of an accessory that was reset, as the home still stores it. The pairing with that key is gone.
    var replaces: LongTermPublicKey?

    /// Returns the accessories with which the home has pairings. A withdrawal must not touch them.
    func protectedDevices(among pairings: [AccessoryPairing]) -> Set<DeviceID> {
        Set(pairings.filter { $0.deviceID != deviceID || $0.accessoryPublicKey != replaces }.map(\.deviceID))
    }

    /// A name that is unique in the home.
    var name: String { deviceID?.description ?? addresses.map(\.description).joined(separator: " ") }
}
