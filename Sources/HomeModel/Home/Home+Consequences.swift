import Foundation
import HashTreeCollections

// Consequences of a removal. They are found through the index of references, independent of the size of the home.

extension Home {
    /// Returns the effects on orders, groups, action sets and triggers of removing accessories.
    func consequences(ofRemoving accessories: Set<UUID>) -> [Effect] {
        let affected = accessories.reduce(into: Set<Referrer>()) { $0.formUnion(referrers[$1]) }
        var groups: [UUID] = []
        var actionSets: [UUID] = []
        var triggers: Set<UUID> = []
        var orders: [UUID] = []
        for referrer in affected {
            switch referrer {
            case .serviceGroup(let id): groups.append(id)
            case .actionSet(let id): actionSets.append(id)
            case .trigger(let id): triggers.insert(id)
            case .order(let id): orders.append(id)
            case .zone: break
            }
        }
        var effects = self.orders(without: accessories, orders)
        for var group in serviceGroups.records(groups) {
            group.services.removeAll { accessories.contains($0.accessory) }
            effects.append(.put(.serviceGroup(group)))
        }
        var changedSets: [UUID: ActionSetRecord] = [:]
        for var actionSet in actionSetRecords.records(actionSets) {
            actionSet.actions.removeAll { $0.characteristic.map { accessories.contains($0.accessory) } ?? false }
            changedSets[actionSet.id] = actionSet
            effects.append(.put(.actionSet(actionSet)))
            if actionSet.actions.isEmpty { triggers.formUnion(self.triggers(running: actionSet.id)) }
        }
        for old in self.triggers.records(triggers) {
            var trigger = old.without(accessories: accessories)
            if !hasWork(trigger, changedSets) { trigger.isEnabled = false }
            if trigger != old { effects.append(.put(.trigger(trigger))) }
        }
        return effects
    }

    /// Returns the triggers that change when a user is removed, in their new state.
    func triggersAfter(losingUser user: UUID) -> [TriggerRecord] {
        let ids = referrers[user].compactMap { referrer -> UUID? in
            guard case .trigger(let id) = referrer else { return nil }
            return id
        }
        return triggers.records(ids).map { old in
            var trigger = old.without(user: user)
            if !hasWork(trigger) { trigger.isEnabled = false }
            return trigger
        }
    }

    /// Returns the triggers that run an action set, without it.
    func triggersAfter(losing actionSet: UUID) -> [TriggerRecord] {
        triggers.records(triggers(running: actionSet)).map { old in
            var trigger = old
            trigger.actionSets.removeAll { $0 == actionSet }
            if !hasWork(trigger) { trigger.isEnabled = false }
            return trigger
        }
    }

    /// Returns the triggers that have nothing left to do when action sets change, disabled.
    func triggersWithoutWork(after actionSets: [ActionSetRecord]) -> [TriggerRecord] {
        let changed = Dictionary(uniqueKeysWithValues: actionSets.map { ($0.id, $0) })
        let ids = Set(actionSets.filter(\.actions.isEmpty).flatMap { triggers(running: $0.id) })
        return triggers.records(ids).filter { $0.isEnabled && !hasWork($0, changed) }.map { old in
            var trigger = old
            trigger.isEnabled = false
            return trigger
        }
    }

    /// Returns whether a trigger has an event and an action to run.
    func hasWork(_ trigger: TriggerRecord, _ changed: [UUID: ActionSetRecord] = [:]) -> Bool {
        if case .event(let rule) = trigger.definition, rule.events.isEmpty { return false }
        return trigger.actionSets.contains { (changed[$0] ?? actionSet($0))?.actions.isEmpty == false }
    }

    /// Returns the triggers that run an action set.
    private func triggers(running actionSet: UUID) -> [UUID] {
        referrers[actionSet].compactMap { referrer in
            guard case .trigger(let id) = referrer else { return nil }
            return id
        }
    }
}

extension TriggerRecord {
    /// Returns the trigger without events and terms that depend on some accessories.
    fileprivate func without(accessories: Set<UUID>) -> TriggerRecord {
        without { event in
            event.characteristic.map { accessories.contains($0.accessory) } == true ? nil : event
        } term: { term in
            guard case .characteristic(let characteristic, _, _) = term else { return term }
            return accessories.contains(characteristic.accessory) ? nil : term
        }
    }

    /// Returns the trigger without events and terms that depend on a user.
    fileprivate func without(user: UUID) -> TriggerRecord {
        without { event in
            var event = event
            switch event.occurrence {
            case .presence(let presence):
                guard let rest = presence.without(user) else { return nil }
                event.occurrence = .presence(rest)
            case .location(let region) where region.user == user: return nil
            default: break
            }
            return event
        } term: { term in
            guard case .presence(let presence) = term else { return term }
            return presence.without(user).map { .presence($0) }
        }
    }

    private func without(
        event: (TriggerEvent) -> TriggerEvent?,
        term: (Condition) -> Condition?
    ) -> TriggerRecord {
        guard case .event(var rule) = definition else { return self }
        var trigger = self
        rule.events = rule.events.compactMap(event)
        rule.endEvents = rule.endEvents.compactMap(event)
        if let condition = rule.condition {
            rule.condition = condition.mapLeaves(term)
            // Without the term it would fire more often than intended, so a user must review it first.
            if rule.condition?.size != condition.size { trigger.isEnabled = false }
        }
        trigger.definition = .event(rule)
        return trigger
    }
}

extension Presence {
    /// Returns the presence of the other users; `nil` if none is left.
    fileprivate func without(_ user: UUID) -> Presence? {
        guard case .users(let users) = people else { return self }
        let rest = users.filter { $0 != user }
        return rest.isEmpty ? nil : Presence(kind, of: .users(rest))
    }
}
