public import Foundation
import HomeModel

/// A range of numbers that includes its bounds.
/// - Since: iOS 11.0
public final class HMNumberRange: NSObject, @unchecked Sendable {
    // @unchecked because NSNumber isn't Sendable on Linux, although it is immutable.

    /// The smallest number, or `nil` if there is none.
    /// - Since: iOS 11.0
    public let minValue: NSNumber?

    /// The largest number, or `nil` if there is none.
    /// - Since: iOS 11.0
    public let maxValue: NSNumber?

    /// Creates a range with both bounds.
    /// - Since: iOS 11.0
    public convenience init(minValue: NSNumber, maxValue: NSNumber) {
        self.init(from: minValue, to: maxValue)
    }

    /// Creates a range without a largest number.
    /// - Since: iOS 11.0
    public convenience init(minValue: NSNumber) {
        self.init(from: minValue, to: nil)
    }

    /// Creates a range without a smallest number.
    /// - Since: iOS 11.0
    public convenience init(maxValue: NSNumber) {
        self.init(from: nil, to: maxValue)
    }

    private init(from minValue: NSNumber?, to maxValue: NSNumber?) {
        self.minValue = minValue
        self.maxValue = maxValue
    }

    /// Whether the other object is a range with the same bounds.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HMNumberRange else { return false }
        return other.minValue == minValue && other.maxValue == maxValue
    }

    /// The hash value; equal ranges have equal hash values.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(minValue)
        hasher.combine(maxValue)
        return hasher.finalize()
    }
}

extension HMNumberRange {
    /// Creates the range of an event of a trigger.
    convenience init(_ range: ThresholdRange) {
        self.init(from: range.minimum.map { NSNumber(value: $0) }, to: range.maximum.map { NSNumber(value: $0) })
    }

    /// The range as the hub stores it.
    var threshold: ThresholdRange { ThresholdRange(minimum: minValue?.doubleValue, maximum: maxValue?.doubleValue) }
}
