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

    /// What tells it apart from others of its home.
    var name: String { deviceID?.description ?? addresses.map(\.description).joined(separator: " ") }
}
