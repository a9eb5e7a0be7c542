import Foundation

extension HomeMerge {
    /// The reason why a trigger is left out.
    private struct Obstacle: Error {
        var reason: String
    }

    mutating func mergeTriggers() throws(HomeError) {
        let matching = NamedMatching(
            file.triggers.map { ($0.id, $0.name) },
            with: here.triggers.map { ($0.id, $0.name) }
        )
        matched[.trigger] = Set(matching.here.values)
        for trigger in file.triggers { try merge(trigger, as: matching.here[trigger.id] ?? trigger.id) }
    }

    private mutating func merge(_ trigger: TriggerRecord, as id: UUID) throws(HomeError) {
        let origin = RecordID(.trigger, trigger.id)
        let old = here.triggers[id: id]
        let definition: TriggerDefinition
        do throws(Obstacle) {
            definition = try self.definition(of: trigger, old)
        } catch {
            report(.leftOut, origin, trigger.name, [error.reason], here: old.map { RecordID(.trigger, $0.id) })
            return
        }
        if old == nil {
            let (count, limit) = (result.triggers.count, HomeLimits.triggersPerHome)
            try checkIsNew(origin) { () throws(HomeError) in try result.checkLimit(count < limit, limit, "triggers") }
        }
        try mergeOwnedActionSets(of: trigger, old)
        var new = TriggerRecord(id: id, name: trigger.name, definition: definition)
        let known = Set(actionSets.values)
        new.actionSets = trigger.actionSets.compactMap { actionSets[$0] }
        new.actionSets += old?.actionSets.filter { !known.contains($0) } ?? []
        let count = new.actionSets.count
        try exported.check(origin) { () throws(HomeError) in
            guard count <= HomeLimits.actionSetsPerTrigger else {
                throw HomeError(
                    .limitExceeded,
                    "A trigger has at most \(HomeLimits.actionSetsPerTrigger) action sets."
                )
            }
        }
        new.isEnabled = trigger.isEnabled
        if new.isEnabled, new != old {
            do throws(HomeError) {
                try result.checkCanBeEnabled(new, at: now)
            } catch {
                new.isEnabled = false
                report(.leftOut, origin, trigger.name, ["it stays disabled: \(error.reason)"])
            }
        }
        var remarks = old.map { Self.renaming($0.name, trigger.name) } ?? []
        if let old, old.definition != definition { remarks.append("fires at different times") }
        if let old, old.actionSets != new.actionSets { remarks.append("runs different action sets") }
        if let old, old.isEnabled != new.isEnabled { remarks.append(new.isEnabled ? "is enabled" : "is disabled") }
        merge(.trigger(new), replacing: old.map { .trigger($0) }, origin: origin, trigger.name, remarks)
    }

    /// Imports the action sets that a trigger owns. They have no names, so those without a matching ID are matched in
    /// the order in which the trigger runs them.
    private mutating func mergeOwnedActionSets(of trigger: TriggerRecord, _ old: TriggerRecord?) throws(HomeError) {
        let owned = trigger.actionSets.compactMap { file.actionSet($0) }.filter { $0.type == .triggerOwned }
        let present = old?.actionSets.filter { here.actionSet($0)?.type == .triggerOwned } ?? []
        let identities = Set(owned.map(\.id))
        var others = present.filter { !identities.contains($0) }[...]
        for actionSet in owned {
            let id = present.contains(actionSet.id) ? actionSet.id : others.popFirst()
            try merge(actionSet, into: id.flatMap { here.actionSet($0) }, trigger.name)
        }
    }

    // MARK: Definitions

    /// Returns a trigger's definition with references to the home's own objects.
    private mutating func definition(
        of trigger: TriggerRecord,
        _ old: TriggerRecord?
    ) throws(Obstacle) -> TriggerDefinition {
        if old?.definition == trigger.definition { return trigger.definition }
        switch trigger.definition {
        case .timer(let schedule):
            // A timer that has fired is kept as it is. Whether it can be enabled is checked later.
            try rule { () throws(HomeError) in try result.check(schedule, at: .distantPast) }
            return .timer(schedule)
        case .event(let rule):
            var oldRule: EventRule?
            if case .event(let rule) = old?.definition { oldRule = rule }
            return .event(try self.rule(rule, oldRule))
        case .unknown:
            throw Obstacle(reason: "it is from a newer version")
        }
    }

    private mutating func rule(_ exported: EventRule, _ old: EventRule?) throws(Obstacle) -> EventRule {
        var new = exported
        new.events = try events(exported.events, old?.events ?? [])
        new.endEvents = try events(exported.endEvents, old?.endEvents ?? [])
        if let condition = exported.condition {
            let mapped = try mapped(condition)
            new.condition = try rule { () throws(HomeError) in try result.checked(mapped, by: caller) }
        }
        new.weekdays = try rule { () throws(HomeError) in try Home.checked(weekdays: exported.weekdays) }
        for event in new.events {
            if case .duration = event.occurrence { throw Obstacle(reason: "a duration can't fire a trigger") }
        }
        return new
    }

    private mutating func events(
        _ exported: [TriggerEvent],
        _ old: [TriggerEvent]
    ) throws(Obstacle) -> [TriggerEvent] {
        var mapped: [TriggerEvent] = []
        for event in exported { mapped.append(try self.mapped(event, old)) }
        return try rule { () throws(HomeError) in
            try result.checked(endEvents: mapped, by: caller, replacing: old)
        }
    }

    private mutating func mapped(_ event: TriggerEvent, _ old: [TriggerEvent]) throws(Obstacle) -> TriggerEvent {
        var event = event
        switch event.occurrence {
        case .characteristic(let characteristic, let value):
            event.occurrence = .characteristic(try mapped(characteristic), value)
        case .threshold(let characteristic, let range):
            event.occurrence = .threshold(try mapped(characteristic), range)
        case .presence(let presence):
            event.occurrence = .presence(try mapped(presence))
        case .location(var region):
            if let user = region.user { region.user = try mapped(person: user) }
            event.occurrence = .location(region)
            if region.user != nil, region.user != caller.user {
                let isFollowed = old.contains(event)
                guard isFollowed else { throw Self.followsAnotherUser }
                // The event keeps its user.
                event.occurrence = .hiddenLocation(
                    HiddenLocation(onEntry: region.onEntry, onExit: region.onExit, user: region.user)
                )
            }
        case .hiddenLocation:
            let isFollowed = old.contains { old in
                guard old.id == event.id, case .location = old.occurrence else { return false }
                return true
            }
            guard isFollowed else { throw Self.followsAnotherUser }
        case .sun, .calendar, .duration, .unknown:
            break
        }
        return event
    }

    private static let followsAnotherUser = Obstacle(
        reason: "it depends on another user's location: only that user can import it"
    )

    private mutating func mapped(_ condition: Condition) throws(Obstacle) -> Condition {
        switch condition {
        case .all(let terms): return .all(try mapped(terms))
        case .any(let terms): return .any(try mapped(terms))
        case .not(let term): return .not(try mapped(term))
        case .characteristic(let characteristic, let comparison, let value):
            return .characteristic(try mapped(characteristic), comparison, value)
        case .presence(let presence): return .presence(try mapped(presence))
        case .calendar, .betweenCalendar, .sun, .betweenSun, .unknown: return condition
        }
    }

    private mutating func mapped(_ terms: [Condition]) throws(Obstacle) -> [Condition] {
        var mapped: [Condition] = []
        for term in terms { mapped.append(try self.mapped(term)) }
        return mapped
    }

    private mutating func mapped(_ characteristic: CharacteristicIdentity) throws(Obstacle) -> CharacteristicIdentity {
        guard let target = correspondence(characteristic.accessory)?.characteristic(characteristic) else {
            let absence = absence(of: "characteristic", in: characteristic.accessory)
            throw Obstacle(reason: "it depends on an accessory: \(absence)")
        }
        return target.identity
    }

    private func mapped(_ presence: Presence) throws(Obstacle) -> Presence {
        guard case .users(let users) = presence.people else { return presence }
        var mapped: [UUID] = []
        for user in users {
            let person = try self.mapped(person: user)
            if !mapped.contains(person) { mapped.append(person) }
        }
        return Presence(presence.kind, of: .users(mapped))
    }

    private func mapped(person: UUID) throws(Obstacle) -> UUID {
        guard let here = people[person] else {
            let name = (file.users[id: person]?.name ?? "").quoted
            throw Obstacle(reason: "it depends on \(name), who is not a member of this home")
        }
        return here
    }

    private func rule<Result>(_ body: () throws(HomeError) -> Result) throws(Obstacle) -> Result {
        do throws(HomeError) {
            return try body()
        } catch {
            throw Obstacle(reason: error.reason)
        }
    }
}
