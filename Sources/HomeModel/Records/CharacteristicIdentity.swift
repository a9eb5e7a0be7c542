package import Foundation
package import HAPCatalog

/// A permanent reference to a characteristic, which stays valid if firmware changes the instance ID.
///
/// The type is part of it, so that an operation never affects a different characteristic that took its place.
package struct CharacteristicIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The characteristic's ID, as ``Home/characteristicID(of:in:)`` returns it.
    package var characteristic: UUID
    /// The characteristic's type.
    package var type: HAPType

    /// Creates a reference to a characteristic.
    package init(accessory: UUID, characteristic: UUID, type: HAPType) {
        self.accessory = accessory
        self.characteristic = characteristic
        self.type = type
    }
}
