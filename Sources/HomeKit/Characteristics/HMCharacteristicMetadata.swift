public import Foundation
import HAPCatalog

/// The constraints on a characteristic's value. A constraint that the accessory doesn't specify is `nil`.
/// - Since: iOS 8.0
open class HMCharacteristicMetadata: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    private let metadata: CharacteristicMetadata?

    /// Creates metadata without constraints.
    /// - Since: iOS 8.0
    public override init() {
        metadata = nil
    }

    init(_ metadata: CharacteristicMetadata) {
        self.metadata = metadata
    }

    /// The minimum value, inclusive.
    /// - Since: iOS 8.0
    open var minimumValue: NSNumber? { metadata?.minValue?.boxedNumber }

    /// The maximum value, inclusive.
    /// - Since: iOS 8.0
    open var maximumValue: NSNumber? { metadata?.maxValue?.boxedNumber }

    /// The step between adjacent values.
    /// - Since: iOS 8.0
    open var stepValue: NSNumber? { metadata?.stepValue?.boxedNumber }

    /// The maximum length of a string, in UTF-8 bytes.
    /// - Since: iOS 8.0
    open var maxLength: NSNumber? { (metadata?.maxLength).map { NSNumber(value: $0) } }

    /// The format, for example ``HMCharacteristicMetadataFormatUInt8``.
    /// - Since: iOS 8.0
    open var format: String? { metadata?.format.rawValue }

    /// The unit, for example ``HMCharacteristicMetadataUnitsCelsius``.
    /// - Since: iOS 8.0
    open var units: String? { metadata?.unit?.rawValue }

    /// The manufacturer's description of the characteristic.
    /// - Since: iOS 8.0
    open var manufacturerDescription: String? { metadata?.manufacturerDescription }

    /// The valid values, in ascending order, or `nil` if only the bounds apply.
    /// - Since: iOS 10.0
    open var validValues: [NSNumber]? { metadata?.validValues?.map { NSNumber(value: $0) } }

    /// Whether the other object has the same constraints.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HMCharacteristicMetadata)?.metadata == metadata
    }

    /// The hash value; equal metadata have equal hash values.
    open override var hash: Int { metadata.hashValue }
}
