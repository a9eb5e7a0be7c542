public import Foundation
import HomeModel
import Synchronization

/// Sunrise or sunset at the home, or a time before or after it.
/// - Since: iOS 11.0
public class HMSignificantTimeEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate struct Content {
        var event: HMSignificantEvent
        var offset: DateComponents?
    }

    fileprivate let content: Mutex<Content>

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - significantEvent: Sunrise or sunset.
    ///   - offset: The time after it, in hours and minutes; negative numbers are before it. At most 12 hours. It is
    ///     validated when the event is used.
    /// - Since: iOS 11.0
    public init(significantEvent: HMSignificantEvent, offset: DateComponents?) {
        content = Mutex(Content(event: significantEvent, offset: offset))
        super.init(UUID())
    }

    init(_ id: UUID, _ event: HMSignificantEvent, _ offset: DateComponents?) {
        content = Mutex(Content(event: event, offset: offset))
        super.init(id)
    }

    /// Sunrise or sunset.
    /// - Since: iOS 11.0
    public var significantEvent: HMSignificantEvent { content.withLock { $0.event } }

    /// The time after the event; negative numbers are before it. `nil` for none.
    /// - Since: iOS 11.0
    public var offset: DateComponents? { content.withLock { $0.offset } }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableSignificantTimeEvent`` with the same time.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutableSignificantTimeEvent(significantEvent: significantEvent, offset: offset)
    }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        .sun(try moment)
    }

    /// The time as conditions and events store it.
    var moment: SunMoment {
        get throws(HMError) { try content.withLock { $0 }.moment }
    }
}

extension HMSignificantTimeEvent.Content {
    fileprivate var moment: SunMoment {
        get throws(HMError) { try SunMoment(event, offset: offset) }
    }
}

/// An ``HMSignificantTimeEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutableSignificantTimeEvent: HMSignificantTimeEvent, @unchecked Sendable {
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(significantEvent: HMSignificantEvent, offset: DateComponents?) {
        super.init(significantEvent: significantEvent, offset: offset)
    }

    /// Sunrise or sunset.
    /// - Since: iOS 11.0
    public override var significantEvent: HMSignificantEvent {
        get { super.significantEvent }
        set { content.withLock { $0.event = newValue } }
    }

    /// The time after the event; negative numbers are before it.
    /// - Since: iOS 11.0
    public override var offset: DateComponents {
        get { content.withLock { $0.offset } ?? DateComponents() }
        set { content.withLock { $0.offset = newValue } }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let content = content.withLock { $0 }
        return HMSignificantTimeEvent(significantEvent: content.event, offset: content.offset)
    }

    override var shown: HMEvent {
        let content = content.withLock { $0 }
        return HMSignificantTimeEvent(uniqueIdentifier, content.event, content.offset)
    }
}
