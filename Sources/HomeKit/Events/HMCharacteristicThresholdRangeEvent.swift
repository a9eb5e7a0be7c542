public import Foundation
import HomeModel
import Synchronization

/// The entry of a characteristic's value into a range of numbers.
///
/// The characteristic must be numeric and support notifications.
/// - Since: iOS 11.0
public class HMCharacteristicThresholdRangeEvent: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate struct Content {
        var characteristic: HMCharacteristic
        var range: HMNumberRange
    }

    fileprivate let content: Mutex<Content>

    /// Creates an event.
    /// - Since: iOS 11.0
    public init(characteristic: HMCharacteristic, thresholdRange: HMNumberRange) {
        content = Mutex(Content(characteristic: characteristic, range: thresholdRange))
        super.init(UUID())
    }

    init(_ id: UUID, _ characteristic: HMCharacteristic, _ range: HMNumberRange) {
        content = Mutex(Content(characteristic: characteristic, range: range))
        super.init(id)
    }

    /// The characteristic.
    /// - Since: iOS 11.0
    public var characteristic: HMCharacteristic { content.withLock { $0.characteristic } }

    /// The range.
    /// - Since: iOS 11.0
    public var thresholdRange: HMNumberRange { content.withLock { $0.range } }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableCharacteristicThresholdRangeEvent`` with the same characteristic and range.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        let content = content.withLock { $0 }
        return HMMutableCharacteristicThresholdRangeEvent(
            characteristic: content.characteristic,
            thresholdRange: content.range
        )
    }

    override var observed: HMCharacteristic? { characteristic }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        let content = content.withLock { $0 }
        return .threshold(try content.characteristic.identity(in: home), content.range.threshold)
    }
}

/// An ``HMCharacteristicThresholdRangeEvent`` that can be changed. A trigger takes the event as it is when it is passed to
/// it.
/// - Since: iOS 11.0
public final class HMMutableCharacteristicThresholdRangeEvent: HMCharacteristicThresholdRangeEvent, @unchecked Sendable
{
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(characteristic: HMCharacteristic, thresholdRange: HMNumberRange) {
        super.init(characteristic: characteristic, thresholdRange: thresholdRange)
    }

    /// The characteristic.
    /// - Since: iOS 11.0
    public override var characteristic: HMCharacteristic {
        get { super.characteristic }
        set { content.withLock { $0.characteristic = newValue } }
    }

    /// The range.
    /// - Since: iOS 11.0
    public override var thresholdRange: HMNumberRange {
        get { super.thresholdRange }
        set { content.withLock { $0.range = newValue } }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let content = content.withLock { $0 }
        return HMCharacteristicThresholdRangeEvent(
            characteristic: content.characteristic,
            thresholdRange: content.range
        )
    }

    override var shown: HMEvent {
        let content = content.withLock { $0 }
        return HMCharacteristicThresholdRangeEvent(uniqueIdentifier, content.characteristic, content.range)
    }
}
