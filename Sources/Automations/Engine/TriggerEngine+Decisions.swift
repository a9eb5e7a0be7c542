import Foundation
import HAPCatalog
import HomeModel

extension TriggerEngine {
    /// Decides whether a trigger fires on one of its events.
    mutating func fire(
        _ reference: EventReference,
        _ occurrence: OccurrenceKey,
        due: Date?,
        source: EventSource?,
        at now: Date,
        known: KnownState
    ) -> TriggerDecision {
        let key = reference.trigger
        var decision = decision(reference, occurrence, at: now)
        decision.due = due
        decision.parent = source?.parent
        guard time != nil else {
            decision.outcome = .held(.clockNotSet)
            return decision
        }
        guard let trigger = triggers[key], allowsWeekday(trigger, at: due ?? now) else {
            decision.outcome = .held(.wrongWeekday)
            return decision
        }
        if let condition = trigger.rule?.condition {
            let result = condition.evaluate(in: circumstances(of: key.home, at: due ?? now, known))
            decision.observations = result.observations
            guard result.isTrue else {
                decision.outcome = .held(.conditionFalse)
                return decision
            }
        }
        if let source,
            !LoopGuard.allows(key.trigger, after: source.causes)
                || triggers[key]?.recentFirings.count(at: now) == false
        {
            decision.outcome = .held(.loopStopped)
            return decision
        }
        decision.isLast = reference.role == .timer ? queue[reference] == nil : trigger.rule?.executesOnce == true
        if trigger.rule?.executesOnce == true {
            triggers[key]?.isSpent = true
            for (_, other) in events(of: key) where !other.isEnd { queue.set(other, nil) }
        }
        return decision
    }

    /// Ends a trigger's effect; returns `nil` if it has none.
    mutating func end(
        _ reference: EventReference,
        _ occurrence: OccurrenceKey,
        due: Date?,
        source: EventSource?,
        at now: Date
    ) -> TriggerDecision? {
        guard triggers[reference.trigger]?.effectSince != nil else {
            queue.set(reference, nil)
            return nil
        }
        setEffect(of: reference.trigger, since: nil)
        var decision = decision(reference, occurrence, at: now)
        decision.due = due
        decision.parent = source?.parent
        decision.outcome = .end
        return decision
    }

    /// Sets since when a trigger's effect lasts, and schedules its end.
    mutating func setEffect(of key: TriggerKey, since: Date?) {
        guard let trigger = triggers[key], let rule = trigger.rule else { return }
        triggers[key]?.effectSince = rule.endEvents.isEmpty ? nil : since
        guard time != nil else { return }
        for (_, reference) in events(of: key) where reference.isEnd {
            queue.set(reference, since.flatMap { nextDue(reference, after: $0) })
        }
    }

    /// Returns a decision to fire, without its condition and cause.
    func decision(_ reference: EventReference, _ occurrence: OccurrenceKey, at now: Date) -> TriggerDecision {
        TriggerDecision(
            home: reference.trigger.home,
            trigger: reference.trigger.trigger,
            event: triggers[reference.trigger]?.event(reference.role),
            due: nil,
            time: now,
            occurrence: occurrence,
            outcome: .fire,
            observations: [],
            parent: nil,
            isLast: false
        )
    }

    /// Returns whether a trigger fires on the day of the week of an instant.
    func allowsWeekday(_ trigger: ActiveTrigger, at instant: Date) -> Bool {
        guard let weekdays = trigger.rule?.weekdays, !weekdays.isEmpty else { return true }
        return weekdays.contains(timeZone.localTime(at: instant).day.weekday)
    }

    /// Returns the facts for the conditions of a home's triggers.
    func circumstances(of home: UUID, at now: Date, _ known: KnownState) -> Circumstances {
        Circumstances(
            now: now,
            timeZone: timeZone,
            place: homes[home]?.place,
            users: homes[home]?.users.map(\.id) ?? [],
            value: { known.value(home, $0) },
            isHome: { known.isHome(home, $0) }
        )
    }
}
