package import Foundation
package import HAPCatalog

/// Names a characteristic for good: whatever instance id firmware gives it, its identity stays.
///
/// The type is part of it, so that what was meant for one characteristic is never done to another that came into its
/// place.
package struct CharacteristicIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The characteristic, as ``Home/characteristicID(of:in:)`` has it.
    package var characteristic: UUID
    /// The characteristic's type.
    package var type: HAPType

    /// Names a characteristic.
    package init(accessory: UUID, characteristic: UUID, type: HAPType) {
        self.accessory = accessory
        self.characteristic = characteristic
        self.type = type
    }
}
