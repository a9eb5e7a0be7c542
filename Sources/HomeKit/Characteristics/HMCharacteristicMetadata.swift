public import Foundation
import HAPCatalog

/// What a characteristic's value may be. A bound that the accessory does not state is nil.
/// - Since: iOS 8.0
open class HMCharacteristicMetadata: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; all that it has itself is constant and Sendable.

    private let metadata: CharacteristicMetadata?

    /// Makes metadata that states nothing.
    /// - Since: iOS 8.0
    public override init() {
        metadata = nil
    }

    init(_ metadata: CharacteristicMetadata) {
        self.metadata = metadata
    }

    /// The smallest number, itself allowed.
    /// - Since: iOS 8.0
    open var minimumValue: NSNumber? { metadata?.minValue?.boxedNumber }

    /// The largest number, itself allowed.
    /// - Since: iOS 8.0
    open var maximumValue: NSNumber? { metadata?.maxValue?.boxedNumber }

    /// The distance between two neighbouring numbers.
    /// - Since: iOS 8.0
    open var stepValue: NSNumber? { metadata?.stepValue?.boxedNumber }

    /// The most bytes of a text in UTF-8.
    /// - Since: iOS 8.0
    open var maxLength: NSNumber? { (metadata?.maxLength).map { NSNumber(value: $0) } }

    /// The format, for example ``HMCharacteristicMetadataFormatUInt8``.
    /// - Since: iOS 8.0
    open var format: String? { metadata?.format.rawValue }

    /// The unit, for example ``HMCharacteristicMetadataUnitsCelsius``.
    /// - Since: iOS 8.0
    open var units: String? { metadata?.unit?.rawValue }

    /// The maker's description of the characteristic.
    /// - Since: iOS 8.0
    open var manufacturerDescription: String? { metadata?.manufacturerDescription }

    /// The only numbers that are allowed, ascending; nil when the bounds tell all.
    /// - Since: iOS 10.0
    open var validValues: [NSNumber]? { metadata?.validValues?.map { NSNumber(value: $0) } }

    /// Whether the other states the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HMCharacteristicMetadata)?.metadata == metadata
    }

    /// Equal for equal metadata.
    open override var hash: Int { metadata.hashValue }
}
