public import Foundation
import HomeModel
import Synchronization

/// A date or a time of day for which a trigger waits, such as 7 o’clock or December 24 at 18 o’clock.
///
/// Components that are `nil` match any value. The year and the weekday are ignored, as on Apple's systems: use the
/// trigger's recurrences for weekdays. The components' calendar and time zone count; without them, those are the Gregorian
/// calendar and the hub's time zone.
/// - Since: iOS 11.0
public class HMCalendarEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate let components: Mutex<DateComponents>

    /// Creates an event.
    /// - Since: iOS 11.0
    public init(fire fireDateComponents: DateComponents) {
        components = Mutex(fireDateComponents)
        super.init(UUID())
    }

    init(_ id: UUID, _ components: DateComponents) {
        self.components = Mutex(components)
        super.init(id)
    }

    /// The components of the date.
    /// - Since: iOS 11.0
    public var fireDateComponents: DateComponents { components.withLock { $0 } }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableCalendarEvent`` with the same components.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { HMMutableCalendarEvent(fire: fireDateComponents) }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        .calendar(try CalendarMoment(fireDateComponents))
    }
}

/// An ``HMCalendarEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutableCalendarEvent: HMCalendarEvent, @unchecked Sendable {
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(fire fireDateComponents: DateComponents) {
        super.init(fire: fireDateComponents)
    }

    /// The components of the date.
    /// - Since: iOS 11.0
    public override var fireDateComponents: DateComponents {
        get { super.fireDateComponents }
        set { components.withLock { $0 = newValue } }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any { HMCalendarEvent(fire: fireDateComponents) }

    override var shown: HMEvent { HMCalendarEvent(uniqueIdentifier, fireDateComponents) }
}
