package import Foundation

/// A change of a trigger's definition. The first three are for timers, the others for event triggers.
package enum TriggerEdit: Hashable, Sendable {
    /// Sets the first time at which a timer fires.
    case fireDate(Date)
    /// Sets the time zone in which a timer counts days; `nil` for the hub's time zone.
    case timeZone(String?)
    /// Sets the time between two firings of a timer; `nil` for a timer that fires once.
    case recurrence(RecurrenceInterval?)
    /// Replaces the events.
    case events([TriggerEvent])
    /// Replaces the end events.
    case endEvents([TriggerEvent])
    /// Sets the condition; `nil` for none.
    case condition(Condition?)
    /// Sets the days of the week on which it fires, 1 (Sunday) to 7; every day if empty.
    case weekdays([Int])
    /// Sets whether it fires only once.
    case executesOnce(Bool)
}
