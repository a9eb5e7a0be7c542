package import Foundation

/// What can be changed of when a trigger fires. The first three are a timer's, the others an event trigger's.
package enum TriggerEdit: Hashable, Sendable {
    /// When a timer fires first.
    case fireDate(Date)
    /// In which time zone a timer counts days; the hub's own for nil.
    case timeZone(String?)
    /// How often a timer fires; once for nil.
    case recurrence(RecurrenceInterval?)
    /// The events, in place of all that there were.
    case events([TriggerEvent])
    /// The end events, in place of all that there were.
    case endEvents([TriggerEvent])
    /// What has to hold; nothing for nil.
    case condition(Condition?)
    /// The days of the week on which it fires, 1 (Sunday) to 7; every day if empty.
    case weekdays([Int])
    /// Whether it fires once only.
    case executesOnce(Bool)
}
