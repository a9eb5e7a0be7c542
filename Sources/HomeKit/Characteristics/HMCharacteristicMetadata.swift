public import Foundation
import HAPCatalog

/// What a characteristic's value may be. A bound that the accessory does not state is nil.
public final class HMCharacteristicMetadata: NSObject, Sendable {
    private let metadata: CharacteristicMetadata?

    /// Makes metadata that states nothing.
    public override init() {
        metadata = nil
    }

    init(_ metadata: CharacteristicMetadata) {
        self.metadata = metadata
    }

    /// The smallest number, itself allowed.
    public var minimumValue: NSNumber? { metadata?.minValue?.boxedNumber }

    /// The largest number, itself allowed.
    public var maximumValue: NSNumber? { metadata?.maxValue?.boxedNumber }

    /// The distance between two neighbouring numbers.
    public var stepValue: NSNumber? { metadata?.stepValue?.boxedNumber }

    /// The most bytes of a text in UTF-8.
    public var maxLength: NSNumber? { (metadata?.maxLength).map { NSNumber(value: $0) } }

    /// The format, for example ``HMCharacteristicMetadataFormatUInt8``.
    public var format: String? { metadata?.format.rawValue }

    /// The unit, for example ``HMCharacteristicMetadataUnitsCelsius``.
    public var units: String? { metadata?.unit?.rawValue }

    /// The maker's description of the characteristic.
    public var manufacturerDescription: String? { metadata?.manufacturerDescription }

    /// The only numbers that are allowed, ascending; nil when the bounds tell all.
    public var validValues: [NSNumber]? { metadata?.validValues?.map { NSNumber(value: $0) } }

    /// Whether the other states the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HMCharacteristicMetadata)?.metadata == metadata
    }

    /// Equal for equal metadata.
    public override var hash: Int { metadata.hashValue }
}
