import Foundation

extension Home {
    func addTrigger(
        _ id: UUID,
        name: String,
        definition: TriggerDefinition,
        actionSets: [UUID],
        isTemporary: Bool,
        by caller: Caller,
        at now: Date
    ) throws(HomeError) -> Change {
        try checkIsNew(id)
        try checkName(name)
        try checkLimit(triggers.count < HomeLimits.triggersPerHome, HomeLimits.triggersPerHome, "triggers")
        if isTemporary {
            let (count, limit) = (triggers.count { $0.isTemporary }, HomeLimits.temporaryTriggersPerHome)
            try checkLimit(count < limit, limit, "temporary triggers")
        }
        var trigger = TriggerRecord(
            id: id,
            name: name,
            definition: try checked(definition, by: caller, at: now),
            isTemporary: isTemporary
        )
        for actionSet in actionSets { trigger = try self.trigger(trigger, adding: actionSet) }
        return Change(verb: .triggerAdded, subjects: [id], effects: [.put(.trigger(trigger))])
    }

    func removeTrigger(_ id: UUID) throws(HomeError) -> Change {
        let owned = try trigger(id).actionSets.filter { actionSet($0)?.type == .triggerOwned }
        return Change(
            verb: .triggerRemoved,
            subjects: [id] + owned,
            effects: [.remove(RecordID(.trigger, id))] + owned.map { .remove(RecordID(.actionSet, $0)) }
        )
    }

    func renameTrigger(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var trigger = try trigger(id)
        try checkName(name) { $0 == .trigger(id) }
        guard trigger.name != name else { return nil }
        trigger.name = name
        return Change(verb: .triggerRenamed, subjects: [id], effects: [.put(.trigger(trigger))])
    }

    func enableTrigger(_ id: UUID, _ isEnabled: Bool, at now: Date) throws(HomeError) -> Change? {
        var trigger = try trigger(id)
        if isEnabled { try checkCanBeEnabled(trigger, at: now) }
        guard trigger.isEnabled != isEnabled else { return nil }
        trigger.isEnabled = isEnabled
        return Change(verb: .triggerUpdated, subjects: [id], effects: [.put(.trigger(trigger))])
    }

    func editTrigger(
        _ id: UUID,
        _ edit: TriggerEdit,
        by caller: Caller,
        at now: Date
    ) throws(HomeError) -> Change? {
        var trigger = try trigger(id)
        switch (trigger.definition, edit) {
        case (.timer(var schedule), .fireDate), (.timer(var schedule), .timeZone), (.timer(var schedule), .recurrence):
            schedule.apply(edit)
            try check(schedule, at: now)
            trigger.definition = .timer(schedule)
        case (.event(let rule), .events), (.event(let rule), .endEvents), (.event(let rule), .condition),
            (.event(let rule), .weekdays), (.event(let rule), .executesOnce):
            trigger.definition = .event(try edited(rule, edit, by: caller))
        default:
            throw HomeError(
                .invalidParameter,
                "\(trigger.name.quoted) is a different kind of trigger and doesn't support this change.",
                about: .trigger(trigger.id, trigger.name)
            )
        }
        if trigger.isEnabled { try checkCanBeEnabled(trigger, at: now) }
        guard trigger != triggers[id: id] else { return nil }
        return Change(verb: .triggerUpdated, subjects: [id], effects: [.put(.trigger(trigger))])
    }

    func addActionSet(_ id: UUID, toTrigger triggerID: UUID) throws(HomeError) -> Change {
        let trigger = try trigger(trigger(triggerID), adding: id)
        return Change(verb: .triggerUpdated, subjects: [triggerID], effects: [.put(.trigger(trigger))])
    }

    func removeActionSet(_ id: UUID, fromTrigger triggerID: UUID) throws(HomeError) -> Change {
        var trigger = try trigger(triggerID)
        guard trigger.actionSets.contains(id) else {
            throw HomeError(.notInTrigger, "\(trigger.name.quoted) doesn't run that action set.")
        }
        trigger.actionSets.removeAll { $0 == id }
        if !hasWork(trigger) { trigger.isEnabled = false }
        var change = Change(verb: .triggerUpdated, subjects: [triggerID], effects: [.put(.trigger(trigger))])
        if actionSet(id)?.type == .triggerOwned {
            change.subjects.append(id)
            change.effects.append(.remove(RecordID(.actionSet, id)))
        }
        return change
    }

    func trigger(_ id: UUID) throws(HomeError) -> TriggerRecord {
        guard let trigger = triggers[id: id] else {
            throw HomeError(.notFound, "There is no trigger \(id) in the home.", about: .trigger(id))
        }
        return trigger
    }

    func checkRoomForActionSet(in trigger: TriggerRecord) throws(HomeError) {
        guard trigger.actionSets.count < HomeLimits.actionSetsPerTrigger else {
            let limit = HomeLimits.actionSetsPerTrigger
            throw HomeError(.limitExceeded, "A trigger has at most \(limit) action sets.", limit: limit)
        }
    }

    /// Returns a trigger that also runs an action set.
    private func trigger(_ old: TriggerRecord, adding id: UUID) throws(HomeError) -> TriggerRecord {
        var trigger = old
        let actionSet = try existingActionSet(id)
        guard !trigger.actionSets.contains(id) else {
            throw HomeError(.alreadyInTrigger, "\(trigger.name.quoted) already runs that action set.")
        }
        guard actionSet.type != .triggerOwned else {
            throw HomeError(.triggerOwnedActionSet, "The action set is owned by another trigger.")
        }
        try checkRoomForActionSet(in: trigger)
        if trigger.isEnabled, actionSet.actions.isEmpty { throw Self.noActions(in: actionSet) }
        trigger.actionSets.append(id)
        return trigger
    }

    static func noActions(in actionSet: ActionSetRecord?) -> HomeError {
        let name = actionSet.map { $0.name.isEmpty ? "Its own action set" : $0.name.quoted }
        return HomeError(
            .noActions,
            "\(name ?? "The action set") has no actions. An enabled trigger needs an action in each action set."
        )
    }

    private func edited(_ rule: EventRule, _ edit: TriggerEdit, by caller: Caller) throws(HomeError) -> EventRule {
        var rule = rule
        switch edit {
        case .events(let events): rule.events = try checked(events: events, by: caller, replacing: rule.events)
        case .endEvents(let events):
            rule.endEvents = try checked(endEvents: events, by: caller, replacing: rule.endEvents)
        case .condition(let condition):
            rule.condition =
                if let condition { try checked(condition, by: caller) } else { nil }
        case .weekdays(let weekdays): rule.weekdays = try Self.checked(weekdays: weekdays)
        case .executesOnce(let executesOnce): rule.executesOnce = executesOnce
        case .fireDate, .timeZone, .recurrence: break
        }
        return rule
    }
}

extension TimerSchedule {
    fileprivate mutating func apply(_ edit: TriggerEdit) {
        switch edit {
        case .fireDate(let date): fireDate = Date(milliseconds: date.milliseconds)
        case .timeZone(let identifier): timeZone = identifier
        case .recurrence(let interval): recurrence = interval
        case .events, .endEvents, .condition, .weekdays, .executesOnce: break
        }
    }
}
