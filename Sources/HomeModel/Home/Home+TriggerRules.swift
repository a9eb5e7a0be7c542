import Foundation
import HAPCatalog

// Rules for triggers. Source: the reference pages of HMTimerTrigger, HMEventTrigger and their events.

extension Home {
    /// Returns a definition as it is stored: with the caller's ID filled in and values in their characteristics'
    /// formats.
    func checked(
        _ definition: TriggerDefinition,
        by caller: Caller,
        at now: Date
    ) throws(HomeError) -> TriggerDefinition {
        switch definition {
        case .timer(let schedule):
            try check(schedule, at: now)
            return .timer(schedule)
        case .event(var rule):
            rule.events = try checked(events: rule.events, by: caller)
            rule.endEvents = try checked(endEvents: rule.endEvents, by: caller)
            if let condition = rule.condition { rule.condition = try checked(condition, by: caller) }
            rule.weekdays = try Self.checked(weekdays: rule.weekdays)
            return .event(rule)
        case .unknown:
            throw HomeError(.invalidParameter, "A trigger must have a timer or events.")
        }
    }

    /// Throws if the trigger could do nothing, or not for a long time.
    func checkCanBeEnabled(_ trigger: TriggerRecord, at now: Date) throws(HomeError) {
        guard !trigger.actionSets.isEmpty else {
            let reason = "\(trigger.name.quoted) has no action set to run."
            throw HomeError(.noActionSets, reason, about: .trigger(trigger.id, trigger.name))
        }
        for id in trigger.actionSets {
            let actionSet = actionSet(id)
            if actionSet?.actions.isEmpty != false { throw Self.noActions(in: actionSet) }
        }
        switch trigger.definition {
        case .timer(let schedule):
            let wait = schedule.fireDate.timeIntervalSince(now)
            guard wait > 0 || schedule.recurrence != nil else { throw Self.fireDateInPast }
            guard wait <= Double(HomeLimits.longestRecurrence) else {
                throw HomeError(.fireDateTooFar, "A timer must fire within 5 weeks of being enabled.")
            }
        case .event(let rule):
            guard !rule.events.isEmpty else { throw Self.noEvents }
        case .unknown:
            throw HomeError(.invalidParameter, "\(trigger.name.quoted) is from a newer version.")
        }
    }

    func check(_ schedule: TimerSchedule, at now: Date) throws(HomeError) {
        guard (schedule.fireDate.milliseconds / 1_000).isMultiple(of: 60) else {
            throw HomeError(.fireDateNotOnMinute, "A timer fires on a whole minute. Set the seconds of its date to 0.")
        }
        if let identifier = schedule.timeZone {
            guard TimeZone(name: identifier) != nil else {
                throw HomeError(.invalidParameter, "\(identifier.quoted) is not a time zone.")
            }
        }
        if let calendar = schedule.calendar {
            guard Calendar.Identifier(name: calendar) != nil else {
                throw HomeError(.invalidParameter, "\(calendar.quoted) is not a calendar that timers can use.")
            }
        }
        guard let recurrence = schedule.recurrence else {
            guard schedule.fireDate > now else { throw Self.fireDateInPast }
            return
        }
        let units = [recurrence.weeks, recurrence.days, recurrence.hours, recurrence.minutes]
        guard recurrence.seconds == 0, units.allSatisfy({ $0 >= 0 }) else {
            throw HomeError(.recurrenceNotOnMinute, "A timer must recur after whole minutes.")
        }
        guard recurrence.length >= HomeLimits.shortestRecurrence else {
            throw HomeError(.recurrenceTooShort, "A timer must recur after 5 minutes or more.")
        }
        guard recurrence.length <= HomeLimits.longestRecurrence else {
            throw HomeError(.recurrenceTooLong, "A timer must recur after 5 weeks or less.")
        }
    }

    /// Returns events as they are stored.
    ///
    /// - Parameter old: The trigger's current events. A hidden location stands for the one with its ID among them.
    func checked(
        events: [TriggerEvent],
        by caller: Caller,
        replacing old: [TriggerEvent] = []
    ) throws(HomeError) -> [TriggerEvent] {
        guard !events.isEmpty else { throw Self.noEvents }
        for event in events {
            if case .duration = event.occurrence {
                throw HomeError(.invalidParameter, "A duration can only be an end event. It can't fire a trigger.")
            }
        }
        return try checked(endEvents: events, by: caller, replacing: old)
    }

    /// Returns end events as they are stored; see `checked(events:by:replacing:)`.
    func checked(
        endEvents events: [TriggerEvent],
        by caller: Caller,
        replacing old: [TriggerEvent] = []
    ) throws(HomeError) -> [TriggerEvent] {
        guard events.count <= HomeLimits.eventsPerTrigger else {
            let limit = HomeLimits.eventsPerTrigger
            throw HomeError(.limitExceeded, "A trigger has at most \(limit) events.", limit: limit)
        }
        guard Set(events.map(\.id)).count == events.count else {
            throw HomeError(.invalidParameter, "Two events of the trigger have the same ID.")
        }
        var checked: [TriggerEvent] = []
        for var event in events {
            if case .hiddenLocation = event.occurrence {
                checked.append(try Self.hiddenLocation(event.id, among: old))
            } else {
                event.occurrence = try self.checked(event.occurrence, by: caller)
                checked.append(event)
            }
        }
        return checked
    }

    /// Returns the event whose location was hidden from the caller.
    static func hiddenLocation(_ id: UUID, among events: [TriggerEvent]) throws(HomeError) -> TriggerEvent {
        for event in events where event.id == id {
            if case .location = event.occurrence { return event }
        }
        throw HomeError(
            .invalidParameter,
            "A hidden location can't be changed or copied. Only the user whose location it is can add it to a trigger."
        )
    }

    /// Returns a condition as it is stored.
    func checked(_ condition: Condition, by caller: Caller) throws(HomeError) -> Condition {
        guard condition.size <= HomeLimits.termsPerCondition else {
            let limit = HomeLimits.termsPerCondition
            throw HomeError(.limitExceeded, "A condition has at most \(limit) terms.", limit: limit)
        }
        let checked = try condition.mapLeaves { term throws(HomeError) in
            try checkedTerm(term, by: caller)
        }
        guard let checked else { throw Self.unsatisfiable }
        return checked
    }

    static func checked(weekdays: [Int]) throws(HomeError) -> [Int] {
        guard weekdays.allSatisfy((1...7).contains) else { throw unsatisfiable }
        return Set(weekdays).sorted()
    }

    private func checked(
        _ occurrence: TriggerEvent.Occurrence,
        by caller: Caller
    ) throws(HomeError) -> TriggerEvent.Occurrence {
        switch occurrence {
        case .characteristic(let characteristic, let value):
            let shape = try notifying(characteristic)
            guard let value else { return occurrence }
            return .characteristic(characteristic, try checked(value, for: shape))
        case .threshold(let characteristic, let range):
            let shape = try notifying(characteristic)
            guard shape.metadata.format.isNumeric else {
                throw HomeError(.invalidValueType, "Only a numeric value can enter a range.")
            }
            let bounds = [range.minimum, range.maximum].compactMap(\.self)
            guard !bounds.isEmpty, bounds.allSatisfy(\.isFinite), bounds == bounds.sorted() else {
                throw Self.unsatisfiable
            }
            return occurrence
        case .sun(let moment):
            try Self.check(moment)
            return occurrence
        case .calendar(var moment):
            // Apple's framework ignores both components in events.
            (moment.year, moment.weekday) = (nil, nil)
            guard moment.isSatisfiable else { throw Self.unsatisfiable }
            return .calendar(moment)
        case .presence(let presence):
            return .presence(try checked(presence, by: caller))
        case .location(var region):
            guard (-90...90).contains(region.latitude), (-180...180).contains(region.longitude), region.radius > 0,
                region.radius <= Double(HomeLimits.regionRadius), region.onEntry || region.onExit
            else { throw Self.unsatisfiable }
            region.identifier = region.identifier.reportedText(length: HomeLimits.reportedTextLength)
            region.user = caller.user
            return .location(region)
        case .duration(let seconds):
            guard (1...HomeLimits.duration).contains(seconds) else { throw Self.unsatisfiable }
            return occurrence
        case .hiddenLocation, .unknown:
            throw HomeError(.invalidParameter, "The event's kind is unknown to this version.")
        }
    }

    private func checkedTerm(_ term: Condition, by caller: Caller) throws(HomeError) -> Condition {
        switch term {
        case .characteristic(let characteristic, let comparison, let value):
            let shape = try existing(characteristic)
            guard !shape.permissions.isDisjoint(with: [.read, .notify]) else {
                throw HomeError(.notReadable, "The characteristic can't be read, so it can't be compared.")
            }
            try Self.checkSize(of: value)
            guard let value = value.converted(to: shape.metadata.format),
                shape.metadata.format.isNumeric || [.equal, .notEqual].contains(comparison)
            else { throw HomeError(.invalidValueType, "The characteristic's value can't be compared with that value.") }
            return .characteristic(characteristic, comparison, value)
        case .calendar(_, let moment):
            guard moment.isSatisfiable else { throw Self.unsatisfiable }
        case .betweenCalendar(let from, let to):
            guard from.isSatisfiable, to.isSatisfiable else { throw Self.unsatisfiable }
        case .sun(let side, let moment):
            guard side != .on else { throw Self.unsatisfiable }
            try Self.check(moment)
        case .betweenSun(let from, let to):
            try Self.check(from)
            try Self.check(to)
        case .presence(let presence):
            guard [.firstEntry, .lastExit].contains(presence.kind) else {
                throw HomeError(.invalidParameter, "A condition can test whether users are at home, not their arrival.")
            }
            return .presence(try checked(presence, by: caller))
        case .all, .any, .not, .unknown:
            // Only leaves are passed to this method.
            throw Self.unsatisfiable
        }
        return term
    }

    private func checked(_ presence: Presence, by caller: Caller) throws(HomeError) -> Presence {
        guard [.everyEntry, .everyExit, .firstEntry, .lastExit].contains(presence.kind) else {
            throw Self.unsatisfiable
        }
        switch presence.people {
        case .everyone:
            return presence
        case .caller:
            return Presence(presence.kind, of: .users([caller.user]))
        case .users(let ids):
            guard ids.count <= HomeLimits.peoplePerPresence else {
                let limit = HomeLimits.peoplePerPresence
                throw HomeError(.limitExceeded, "An event names at most \(limit) users.", limit: limit)
            }
            guard !ids.isEmpty, Set(ids).count == ids.count else { throw Self.unsatisfiable }
            for id in ids where !users.contains(id: id) {
                throw Self.noSuchUser
            }
            return presence
        }
    }

    private func notifying(_ characteristic: CharacteristicIdentity) throws(HomeError) -> CharacteristicShape {
        let shape = try existing(characteristic)
        guard shape.permissions.contains(.notify) else {
            throw HomeError(.notNotifying, "The characteristic doesn't send events.")
        }
        return shape
    }

    private static func check(_ moment: SunMoment) throws(HomeError) {
        guard [.sunrise, .sunset].contains(moment.event),
            (-HomeLimits.sunOffset...HomeLimits.sunOffset).contains(moment.offset)
        else { throw unsatisfiable }
    }

    private static var fireDateInPast: HomeError {
        HomeError(.fireDateInPast, "A timer that fires once must fire in the future.")
    }

    private static var noEvents: HomeError {
        HomeError(.noEvents, "A trigger needs at least one event.")
    }

    private static var unsatisfiable: HomeError {
        HomeError(.invalidParameter, "The event or condition can never be true. Check its values.")
    }
}
