import Foundation
import HAP
import HAPClient

/// A note that a pairing is in progress.
///
/// It is stored before the accessory receives the home's key. It is deleted when the pairing is stored, or when the
/// accessory certainly doesn't hold the home's pairing.
struct PendingPairing: Hashable, Codable, Sendable {
    /// The accessory's ID, or `nil` if only its address is known.
    var deviceID: DeviceID?
    /// The addresses at which the accessory received the home's key.
    var addresses: [AccessoryAddress]

    /// The public key that the home still stores for an accessory that was reset. The pairing with that key is void.
    var replaces: LongTermPublicKey?

    /// Returns the accessories with which the home has valid pairings. A withdrawal must not touch them.
    func protectedDevices(among pairings: [AccessoryPairing]) -> Set<DeviceID> {
        Set(pairings.filter { $0.deviceID != deviceID || $0.accessoryPublicKey != replaces }.map(\.deviceID))
    }

    /// A name that is unique in the home.
    var name: String { deviceID?.description ?? addresses.map(\.description).joined(separator: " ") }
}
