public import Foundation
public import HAPCatalog

/// Names a characteristic for good: whatever instance id firmware gives it, its identity stays.
///
/// The type is part of it, so that what was meant for one characteristic is never done to another that came into its
/// place.
public struct CharacteristicIdentity: Hashable, Sendable, Codable {
    /// The accessory.
    public var accessory: UUID
    /// The characteristic, as ``Home/characteristicID(of:in:)`` has it.
    public var characteristic: UUID
    /// The characteristic's type.
    public var type: HAPType

    /// Names a characteristic.
    public init(accessory: UUID, characteristic: UUID, type: HAPType) {
        self.accessory = accessory
        self.characteristic = characteristic
        self.type = type
    }
}
