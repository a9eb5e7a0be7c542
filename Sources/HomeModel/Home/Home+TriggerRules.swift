import Foundation
import HAPCatalog

// What a trigger may be. Source: the reference pages of HMTimerTrigger, HMEventTrigger and their events.

extension Home {
    /// A definition as it is stored: people put for whoever asks, values in their characteristics' form.
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
            throw HomeError(.invalidParameter, "A trigger is a timer or waits for events.")
        }
    }

    /// Refuses to enable what could do nothing, or not for a long time.
    func checkCanBeEnabled(_ trigger: TriggerRecord, at now: Date) throws(HomeError) {
        guard !trigger.actionSets.isEmpty else {
            throw HomeError(.noActionSets, "\(trigger.name.shownInQuotes) has no action set to run.")
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
                throw HomeError(.fireDateTooFar, "A timer fires within 5 weeks of its being enabled.")
            }
        case .event(let rule):
            guard !rule.events.isEmpty else { throw Self.noEvents }
        case .unknown:
            throw HomeError(.invalidParameter, "\(trigger.name.shownInQuotes) is of a newer version.")
        }
    }

    func check(_ schedule: TimerSchedule, at now: Date) throws(HomeError) {
        guard (schedule.fireDate.milliseconds / 1_000).isMultiple(of: 60) else {
            throw HomeError(.fireDateNotOnMinute, "A timer fires on a whole minute: the seconds of its date are 0.")
        }
        if let identifier = schedule.timeZone {
            guard identifier.utf8.count <= HomeLimits.nameLength, TimeZone(identifier: identifier) != nil else {
                throw HomeError(.invalidParameter, "\(identifier.shownInQuotes) is no time zone.")
            }
        }
        guard let recurrence = schedule.recurrence else {
            guard schedule.fireDate > now else { throw Self.fireDateInPast }
            return
        }
        let units = [recurrence.weeks, recurrence.days, recurrence.hours, recurrence.minutes]
        guard recurrence.seconds == 0, units.allSatisfy({ $0 >= 0 }) else {
            throw HomeError(.recurrenceNotOnMinute, "A timer recurs after whole minutes.")
        }
        guard recurrence.length >= HomeLimits.shortestRecurrence else {
            throw HomeError(.recurrenceTooShort, "A timer recurs after 5 minutes or more.")
        }
        guard recurrence.length <= HomeLimits.longestRecurrence else {
            throw HomeError(.recurrenceTooLong, "A timer recurs after 5 weeks or less.")
        }
    }

    /// Events as they are stored.
    ///
    /// - Parameter old: The trigger's events until now: a hidden location stands for the one of its identity among them.
    func checked(
        events: [TriggerEvent],
        by caller: Caller,
        replacing old: [TriggerEvent] = []
    ) throws(HomeError) -> [TriggerEvent] {
        guard !events.isEmpty else { throw Self.noEvents }
        for event in events {
            if case .duration = event.occurrence {
                throw HomeError(.invalidParameter, "A duration can end what a trigger did, and not fire it.")
            }
        }
        return try checked(endEvents: events, by: caller, replacing: old)
    }

    /// End events as they are stored; see the form for events.
    func checked(
        endEvents events: [TriggerEvent],
        by caller: Caller,
        replacing old: [TriggerEvent] = []
    ) throws(HomeError) -> [TriggerEvent] {
        guard events.count <= HomeLimits.eventsPerTrigger else {
            throw HomeError(.limitExceeded, "A trigger has at most \(HomeLimits.eventsPerTrigger) events.")
        }
        guard Set(events.map(\.id)).count == events.count else {
            throw HomeError(.invalidParameter, "Two events of a trigger have one identity.")
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

    /// The event whose location somebody else was not shown.
    static func hiddenLocation(_ id: UUID, among events: [TriggerEvent]) throws(HomeError) -> TriggerEvent {
        for event in events where event.id == id {
            if case .location = event.occurrence { return event }
        }
        throw HomeError(
            .invalidParameter,
            "A hidden location stays as it is in its trigger; only the person whose place it is can add it elsewhere."
        )
    }

    /// A condition as it is stored.
    func checked(_ condition: Condition, by caller: Caller) throws(HomeError) -> Condition {
        guard condition.size <= HomeLimits.termsPerCondition else {
            throw HomeError(.limitExceeded, "A condition has at most \(HomeLimits.termsPerCondition) terms.")
        }
        let checked = try condition.mapLeaves { term throws(HomeError) in
            try checkedTerm(term, by: caller)
        }
        guard let checked else { throw Self.senseless }
        return checked
    }

    static func checked(weekdays: [Int]) throws(HomeError) -> [Int] {
        guard weekdays.allSatisfy((1...7).contains) else { throw senseless }
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
                throw HomeError(.invalidValueType, "Only numbers come into a range.")
            }
            let bounds = [range.minimum, range.maximum].compactMap(\.self)
            guard !bounds.isEmpty, bounds.allSatisfy(\.isFinite), bounds == bounds.sorted() else {
                throw Self.senseless
            }
            return occurrence
        case .sun(let moment):
            try Self.check(moment)
            return occurrence
        case .calendar(var moment):
            // Of an event, Apple's framework honours neither of the two.
            (moment.year, moment.weekday) = (nil, nil)
            guard moment.isSensible else { throw Self.senseless }
            return .calendar(moment)
        case .presence(let presence):
            return .presence(try checked(presence, by: caller))
        case .location(var region):
            guard (-90...90).contains(region.latitude), (-180...180).contains(region.longitude), region.radius > 0,
                region.radius <= Double(HomeLimits.regionRadius), region.onEntry || region.onExit
            else { throw Self.senseless }
            region.identifier = region.identifier.reportedText(length: HomeLimits.reportedTextLength)
            region.user = caller.user
            return .location(region)
        case .duration(let seconds):
            guard (1...HomeLimits.duration).contains(seconds) else { throw Self.senseless }
            return occurrence
        case .hiddenLocation, .unknown:
            throw HomeError(.invalidParameter, "An event is of a sort that this version does not know.")
        }
    }

    private func checkedTerm(_ term: Condition, by caller: Caller) throws(HomeError) -> Condition {
        switch term {
        case .characteristic(let characteristic, let comparison, let value):
            let shape = try existing(characteristic)
            guard !shape.permissions.isDisjoint(with: [.read, .notify]) else {
                throw HomeError(.notReadable, "A value that cannot be read cannot be compared.")
            }
            try Self.checkSize(of: value)
            guard let value = value.converted(to: shape.metadata.format),
                shape.metadata.format.isNumeric || [.equal, .notEqual].contains(comparison)
            else { throw HomeError(.invalidValueType, "The characteristic's value does not compare with that.") }
            return .characteristic(characteristic, comparison, value)
        case .calendar(_, let moment):
            guard moment.isSensible else { throw Self.senseless }
        case .betweenCalendar(let from, let to):
            guard from.isSensible, to.isSensible else { throw Self.senseless }
        case .sun(let side, let moment):
            guard side != .on else { throw Self.senseless }
            try Self.check(moment)
        case .betweenSun(let from, let to):
            try Self.check(from)
            try Self.check(to)
        case .presence(let presence):
            guard [.firstEntry, .lastExit].contains(presence.kind) else {
                throw HomeError(.invalidParameter, "A condition tells whether people are at home, not that they come.")
            }
            return .presence(try checked(presence, by: caller))
        case .all, .any, .not, .unknown:
            // Only what joins no terms comes here.
            throw Self.senseless
        }
        return term
    }

    private func checked(_ presence: Presence, by caller: Caller) throws(HomeError) -> Presence {
        guard [.everyEntry, .everyExit, .firstEntry, .lastExit].contains(presence.kind) else { throw Self.senseless }
        switch presence.people {
        case .everyone:
            return presence
        case .caller:
            return Presence(presence.kind, of: .users([caller.user]))
        case .users(let people):
            guard people.count <= HomeLimits.peoplePerPresence else {
                throw HomeError(.limitExceeded, "An event names at most \(HomeLimits.peoplePerPresence) people.")
            }
            guard !people.isEmpty, Set(people).count == people.count else { throw Self.senseless }
            for person in people where !users.contains(id: person) {
                throw Self.noSuchPerson
            }
            return presence
        }
    }

    private func notifying(_ characteristic: CharacteristicIdentity) throws(HomeError) -> CharacteristicShape {
        let shape = try existing(characteristic)
        guard shape.permissions.contains(.notify) else {
            throw HomeError(.notNotifying, "The characteristic does not tell of its changes.")
        }
        return shape
    }

    private static func check(_ moment: SunMoment) throws(HomeError) {
        guard [.sunrise, .sunset].contains(moment.event),
            (-HomeLimits.sunOffset...HomeLimits.sunOffset).contains(moment.offset)
        else { throw senseless }
    }

    private static var fireDateInPast: HomeError {
        HomeError(.fireDateInPast, "A timer that fires once fires in the future.")
    }

    private static var noEvents: HomeError {
        HomeError(.noEvents, "A trigger needs an event to wait for.")
    }

    private static var senseless: HomeError {
        HomeError(.invalidParameter, "An event or a condition can never come true as it stands.")
    }
}
