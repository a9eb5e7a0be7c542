package import Foundation
import HomeModel

extension TriggerEngine {
    /// Starts the engine. The clock must be set.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lastSeen: The time up to which an earlier run of the hub has handled everything; `nil` if it never ran. What was
    ///     due since then is missed, except in the last ``AutomationLimits/lateness`` seconds.
    ///   - known: What is known about the homes.
    /// - Returns: A decision for each event that was missed, and those that are due now, by due time.
    package mutating func start(at now: Date, lastSeen: Date?, known: KnownState) -> [TriggerDecision] {
        guard time == nil else { return advance(to: now, known: known) }
        let start = min(lastSeen ?? now, now).withinCalendar
        time = PassedTime(at: start)
        for key in triggers.keys.sorted(by: isOrdered) { schedule(key, after: start) }
        return advance(to: now, known: known)
    }

    /// Sets the time. Call it at ``nextWake``; earlier or later calls are allowed.
    ///
    /// What is overdue by more than ``AutomationLimits/lateness`` seconds, because the machine was suspended or the clock
    /// was set forward, is missed; end events are never missed. If the clock was set back by more than these seconds,
    /// everything is scheduled again, and what was due in the time that passes again doesn't fire again. If it was set
    /// back by less, time stands still until the clock has caught up.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - known: What is known about the homes.
    /// - Returns: The decisions, by due time.
    package mutating func advance(to now: Date, known: KnownState) -> [TriggerDecision] {
        guard let before = time?.now else { return [] }
        let now = now.withinCalendar
        // Something that is due for longer than it may be late shows that the time before now didn't pass steadily.
        let hasGap = queue.first.map { !isInTime($0.due, at: now) } ?? false
        if time?.set(now, skippingTime: hasGap) == true {
            for key in triggers.keys.sorted(by: isOrdered) {
                // An effect lasts as long as before, whatever the clock says.
                if let since = triggers[key]?.effectSince {
                    triggers[key]?.effectSince = since.addingTimeInterval(now.timeIntervalSince(before))
                }
                schedule(key, after: now)
            }
        }
        var decisions: [TriggerDecision] = []
        var decided: Set<OccurrenceKey> = []
        while let (reference, due) = queue.first, due <= now {
            for decision in handle(reference, dueAt: due, at: now, known: known)
            where decided.insert(decision.occurrence).inserted {
                decisions.append(decision)
            }
        }
        return decisions.enumerated().sorted { left, right in
            (left.element.due ?? now, left.offset) < (right.element.due ?? now, right.offset)
        }.map(\.element)
    }

    /// Schedules the times of a trigger.
    mutating func schedule(_ key: TriggerKey, after instant: Date) {
        guard let time, let trigger = triggers[key] else { return }
        if trigger.scheduledSince == nil { triggers[key]?.scheduledSince = time.mark(instant) }
        let timer = EventReference(trigger: key, role: .timer)
        queue.set(timer, nextDue(timer, after: instant))
        for (_, reference) in events(of: key) { queue.set(reference, nextDue(reference, after: instant)) }
    }

    /// Returns the first time after an instant at which an event, a timer or an end is due; `nil` if there is none.
    func nextDue(_ reference: EventReference, after instant: Date) -> Date? {
        guard let trigger = triggers[reference.trigger] else { return nil }
        guard reference.isEnd else {
            return trigger.canFire ? next(reference, after: instant) : nil
        }
        guard let since = trigger.effectSince, let event = trigger.event(reference.role) else { return nil }
        if case .duration(let seconds) = event.occurrence {
            return (1...HomeLimits.duration).contains(seconds) ? since.addingTimeInterval(Double(seconds)) : nil
        }
        return next(reference, after: since)
    }

    /// Returns the first time after an instant at which a timer or an event would be due if its trigger were enabled.
    func next(_ reference: EventReference, after instant: Date) -> Date? {
        let key = reference.trigger
        guard let trigger = triggers[key] else { return nil }
        if reference.role == .timer {
            guard case .timer(let schedule) = trigger.record.definition else { return nil }
            return schedule.next(after: instant, in: timeZone)
        }
        switch trigger.event(reference.role)?.occurrence {
        case .calendar(let moment): return moment.next(after: instant, in: timeZone)
        case .sun(let moment): return homes[key.home]?.place.flatMap { moment.next(after: instant, at: $0) }
        default: return nil
        }
    }

    /// Decides about something that is due, and schedules its next time.
    private mutating func handle(
        _ reference: EventReference,
        dueAt due: Date,
        at now: Date,
        known: KnownState
    ) -> [TriggerDecision] {
        let key = reference.trigger
        guard let trigger = triggers[key] else {
            queue.set(reference, nil)
            return []
        }
        if reference.isEnd {
            let occurrence = OccurrenceKey(key.trigger, isEnd: true, due: due)
            return [end(reference, occurrence, due: due, source: nil, at: now)].compactMap(\.self)
        }
        let overdue = overdue(reference, from: due, until: now)
        queue.set(reference, nextDue(reference, after: max(now, overdue.latest)))
        var decisions: [TriggerDecision] = []
        if let missed = overdue.missed {
            var decision = decision(reference, OccurrenceKey(key.trigger, isEnd: false, due: missed), at: now)
            decision.due = missed
            decision.outcome = .missed(overdue.misses)
            decision.isLast = reference.role == .timer && queue[reference] == nil
            decisions.append(decision)
        }
        if isInTime(overdue.latest, at: now), !isDone(overdue.latest, trigger) {
            let occurrence = OccurrenceKey(key.trigger, isEnd: false, due: overdue.latest)
            decisions.append(fire(reference, occurrence, due: overdue.latest, source: nil, at: now, known: known))
        }
        return decisions
    }

    /// Looks at the times of an event from its due time until now.
    private func overdue(_ reference: EventReference, from due: Date, until now: Date) -> Overdue {
        var overdue = Overdue(latest: due)
        guard let trigger = triggers[reference.trigger] else { return overdue }
        var steps = 0
        var next: Date? = due
        while let time = next, time <= now {
            overdue.latest = time
            if !isInTime(time, at: now), !isDone(time, trigger), allowsWeekday(trigger, at: time) {
                overdue.missed = time
                overdue.misses = min(overdue.misses + 1, AutomationLimits.countedMisses)
            }
            steps += 1
            next = self.next(reference, after: time)
            if steps == AutomationLimits.countedMisses {
                next = last(reference, after: time, until: now)
            }
        }
        return overdue
    }

    /// Returns a time of an event shortly before now, without going through all of them; `nil` if there is none after an
    /// instant.
    private func last(_ reference: EventReference, after instant: Date, until now: Date) -> Date? {
        // The latest firing of a recurring timer is in the last hour, on some day of the last weeks, or it is longer ago
        // than the engine looks. Events have weekdays, so the last hour isn't enough for them.
        for hours in reference.role == .timer ? [1, 36 * 24] : [8 * 24, 400 * 24] {
            let start = max(instant, now.addingTimeInterval(Double(-hours) * 3_600))
            if let time = next(reference, after: start), time <= now { return time }
        }
        return nil
    }

    private func isInTime(_ due: Date, at now: Date) -> Bool {
        now.timeIntervalSince(due) <= Double(AutomationLimits.lateness)
    }

    private func isDone(_ due: Date, _ trigger: ActiveTrigger) -> Bool {
        guard let time, let mark = trigger.scheduledSince else { return false }
        return time.isDone(due, since: mark)
    }
}

/// The times of an event that have come.
private struct Overdue {
    /// The latest one.
    var latest: Date
    /// The latest one that is missed.
    var missed: Date?
    /// The number of those that are missed, counted up to a limit.
    var misses = 0
}
