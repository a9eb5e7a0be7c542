package import Foundation
package import HomeModel

extension TriggerEngine {
    /// What a trigger would do now, and its next firing.
    package struct Forecast: Hashable, Sendable {
        /// Whether the trigger would fire if one of its events happened now.
        package var wouldRun: Bool
        /// Why it would not fire, or why its time never comes; `nil` if only the condition or nothing is in the way.
        package var obstacle: TriggerDecision.Obstacle?
        /// The terms of the condition as they are now.
        package var observations: [Observation]
        /// When it fires next, provided that its condition is true then; `nil` if no time is known.
        package var next: Date?
    }

    /// Returns what a trigger, enabled or not, would do now; `nil` if there is no such trigger.
    ///
    /// - Parameter isElsewhere: Whether the trigger fires at another hub, so that this engine need not be started.
    package func forecast(
        of trigger: UUID,
        in home: UUID,
        at now: Date,
        known: KnownState,
        isElsewhere: Bool = false
    ) -> Forecast? {
        let key = TriggerKey(home: home, trigger: trigger)
        guard let active = triggers[key] else { return nil }
        let result = active.rule?.condition?.evaluate(in: circumstances(of: home, at: now, known))
        let obstacle: TriggerDecision.Obstacle? =
            if !active.canFire {
                .disabled
            } else if time == nil, !isElsewhere {
                .clockNotSet
            } else if waitsForSunOnly(active), homes[home]?.place == nil {
                .noPlace
            } else if !allowsWeekday(active, at: now) {
                .wrongWeekday
            } else {
                nil
            }
        return Forecast(
            wouldRun: obstacle == nil && result?.isTrue != false,
            obstacle: obstacle,
            observations: result?.observations ?? [],
            next: active.canFire ? next(of: trigger, in: home, after: now) : nil
        )
    }

    /// Returns the first time after an instant at which a trigger's timer or events are due on one of its weekdays; `nil`
    /// if no time is known.
    package func next(of trigger: UUID, in home: UUID, after instant: Date) -> Date? {
        let key = TriggerKey(home: home, trigger: trigger)
        guard let active = triggers[key] else { return nil }
        let count = active.rule?.events.count ?? 0
        let roles = [.timer] + (0..<count).map { EventReference.Role.event($0) }
        return roles.compactMap { next(EventReference(trigger: key, role: $0), of: active, after: instant) }.min()
    }

    /// Returns the first time of an event after an instant on one of its trigger's weekdays.
    private func next(_ reference: EventReference, of trigger: ActiveTrigger, after instant: Date) -> Date? {
        var time = next(reference, after: instant)
        // An event that happens once a year is on each day of the week within 40 years.
        for _ in 0..<AutomationLimits.calendarSearch {
            guard let current = time, !allowsWeekday(trigger, at: current) else { return time }
            time = next(reference, after: current)
        }
        return nil
    }

    private func waitsForSunOnly(_ trigger: ActiveTrigger) -> Bool {
        guard let events = trigger.rule?.events, !events.isEmpty else { return false }
        return events.allSatisfy { if case .sun = $0.occurrence { true } else { false } }
    }
}
