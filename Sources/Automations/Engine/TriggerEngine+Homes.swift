package import Foundation
package import HomeModel

extension TriggerEngine {
    /// Adds a home, or takes over its changes. Only triggers that changed are looked at, and those that depend on the
    /// home's place if it changed.
    ///
    /// - Parameters:
    ///   - home: The home as it is now.
    ///   - now: The time. A trigger that is new or has been edited fires after it.
    package mutating func update(_ home: Home, at now: Date) {
        let old = homes.updateValue(home, forKey: home.id)
        let changes = home.triggerChanges(since: old)
        for record in changes.changed {
            replace(TriggerKey(home: home.id, trigger: record.id), with: record, at: now)
        }
        for trigger in changes.removed {
            replace(TriggerKey(home: home.id, trigger: trigger), with: nil, at: now)
        }
        guard let old, old.place != home.place else { return }
        for record in home.triggers { schedule(TriggerKey(home: home.id, trigger: record.id), after: time?.now ?? now) }
    }

    /// Removes a home with its triggers.
    package mutating func remove(home id: UUID) {
        guard let home = homes.removeValue(forKey: id) else { return }
        for record in home.triggers {
            let key = TriggerKey(home: id, trigger: record.id)
            unindex(key)
            triggers[key] = nil
        }
    }

    /// Changes the hub's time zone.
    ///
    /// - Parameters:
    ///   - timeZone: The time zone.
    ///   - now: The time.
    package mutating func setTimeZone(_ timeZone: TimeZone, at now: Date) {
        guard timeZone != self.timeZone else { return }
        self.timeZone = timeZone
        for key in triggers.keys.sorted(by: isOrdered) { schedule(key, after: time?.now ?? now) }
    }

    /// Takes over a trigger's record. What the engine remembers is kept unless the trigger was removed; it is scheduled
    /// again only if its definition changed or it was enabled or disabled.
    private mutating func replace(_ key: TriggerKey, with record: TriggerRecord?, at now: Date) {
        let old = triggers[key]
        if let old, let record, old.record.definition == record.definition, old.record.isEnabled == record.isEnabled {
            triggers[key]?.record = record
            return
        }
        if old != nil { unindex(key) }
        guard let record else {
            triggers[key] = nil
            return
        }
        var trigger = old ?? ActiveTrigger(record, order: nextOrder)
        if old == nil { nextOrder += 1 }
        trigger.record = record
        trigger.isSpent = false
        trigger.scheduledSince = nil
        trigger.entered = [:]
        if trigger.rule?.endEvents.isEmpty != false { trigger.effectSince = nil }
        triggers[key] = trigger
        index(key)
        schedule(key, after: now)
    }

    /// Adds a trigger's events to the indexes: those that fire it if it is enabled, and those that end its effect.
    private mutating func index(_ key: TriggerKey) {
        for (event, reference) in events(of: key) {
            switch event.occurrence {
            case .characteristic, .threshold: characteristics.insert(watch(event, reference))
            case .presence: presences[key.home, default: []].insert(reference)
            case .location(let region):
                if let user = region.user { locations[user, default: []].insert(reference) }
            case .sun, .calendar, .duration, .hiddenLocation, .unknown: break
            }
        }
    }

    /// Removes a trigger's events from the indexes and the queue.
    private mutating func unindex(_ key: TriggerKey) {
        queue.set(EventReference(trigger: key, role: .timer), nil)
        for (event, reference) in events(of: key) {
            queue.set(reference, nil)
            characteristics.remove(watch(event, reference))
            presences[key.home]?.remove(reference)
            if presences[key.home]?.isEmpty == true { presences[key.home] = nil }
            if case .location(let region) = event.occurrence, let user = region.user {
                locations[user]?.remove(reference)
                if locations[user]?.isEmpty == true { locations[user] = nil }
            }
        }
    }

    /// Returns the watch of an event. It depends on the record only, so that what is added is removed.
    ///
    /// The event is decided together with those of other triggers if nothing but the trigger's condition can keep it from
    /// firing, and if the trigger doesn't wait for the characteristic a second time.
    private func watch(_ event: TriggerEvent, _ reference: EventReference) -> CharacteristicIndex.Watch {
        var watch = CharacteristicIndex.Watch(event: event, reference: reference)
        guard !reference.isEnd, let rule = triggers[reference.trigger]?.rule, rule.weekdays.isEmpty, !rule.executesOnce,
            rule.events.count(where: { $0.characteristic == event.characteristic }) == 1
        else { return watch }
        watch.condition = rule.condition
        return watch
    }

    /// The events of a trigger that can happen. It depends on the record only, so that what is added is removed.
    func events(of key: TriggerKey) -> [(event: TriggerEvent, reference: EventReference)] {
        guard let trigger = triggers[key], let rule = trigger.rule else { return [] }
        let events = trigger.record.isEnabled ? rule.events : []
        return events.enumerated().map { ($1, EventReference(trigger: key, role: .event($0))) }
            + rule.endEvents.enumerated().map { ($1, EventReference(trigger: key, role: .endEvent($0))) }
    }

    /// Orders triggers by the time at which the engine first saw them.
    func isOrdered(_ left: TriggerKey, _ right: TriggerKey) -> Bool {
        (triggers[left]?.order ?? 0) < (triggers[right]?.order ?? 0)
    }
}
