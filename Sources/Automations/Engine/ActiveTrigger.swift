import Foundation
import HomeModel

/// A trigger with what the engine remembers about it.
struct ActiveTrigger: Sendable {
    /// The trigger.
    var record: TriggerRecord
    /// The position among all triggers by time of arrival, for the order of decisions.
    let order: Int
    /// When the effect that its end events will end began; `nil` if there is none.
    var effectSince: Date?
    /// Whether it has fired for the last time.
    var isSpent = false
    /// The times of recent firings by events, for the guard against loops.
    var recentFirings = FiringRate()
    /// Whether the user of each location event is in its region, by the event's ID, once a location was reported.
    var entered: [UUID: Bool] = [:]
    /// Since when its times matter; `nil` until the engine is started.
    var scheduledSince: PassedTime.Mark?

    init(_ record: TriggerRecord, order: Int) {
        self.record = record
        self.order = order
    }

    /// Whether events fire it.
    var canFire: Bool { record.isEnabled && !isSpent }

    /// The rule of an event trigger.
    var rule: EventRule? { if case .event(let rule) = record.definition { rule } else { nil } }

    /// Returns the event with a role; `nil` for the timer.
    func event(_ role: EventReference.Role) -> TriggerEvent? {
        switch role {
        case .timer: nil
        case .event(let index): rule.flatMap { $0.events.indices.contains(index) ? $0.events[index] : nil }
        case .endEvent(let index): rule.flatMap { $0.endEvents.indices.contains(index) ? $0.endEvents[index] : nil }
        }
    }
}
