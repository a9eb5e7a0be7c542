import HomeKit

/// Saves an automation that runs when something happens, under conditions that must all be true.
class EventTriggerCreator: TriggerCreator {
    private(set) var conditions: [NSPredicate]

    var eventTrigger: HMEventTrigger? { trigger as? HMEventTrigger }

    override init(trigger: HMTrigger?, home: HMHome) {
        let predicate = (trigger as? HMEventTrigger)?.predicate
        if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and {
            conditions = compound.subpredicates as [NSPredicate]
        } else {
            conditions = predicate.map { [$0] } ?? []
        }
        super.init(trigger: trigger, home: home)
    }

    func addCondition(_ predicate: NSPredicate) {
        conditions.append(predicate)
    }

    func removeCondition(_ predicate: NSPredicate) {
        if let index = conditions.firstIndex(of: predicate) { conditions.remove(at: index) }
    }

    /// Returns all conditions as one. Without a condition it is always true.
    func newPredicate() -> NSPredicate {
        NSCompoundPredicate(type: .and, subpredicates: conditions)
    }

    func savePredicate() {
        saveGroup.enter()
        eventTrigger?.updatePredicate(newPredicate(), completionHandler: finishStep)
    }
}

/// Saves an automation that runs when characteristics have values, or change.
class CharacteristicTriggerCreator: EventTriggerCreator {
    private var targetValues: [HMCharacteristic: NSCopying] = [:]

    func updateEventValue(_ value: NSCopying, for characteristic: HMCharacteristic) {
        targetValues[characteristic] = value
    }

    func addCondition(_ value: NSCopying, for characteristic: HMCharacteristic) {
        let predicate = HMEventTrigger.predicateForEvaluatingTrigger(
            characteristic,
            relatedBy: .equalTo,
            toValue: value
        )
        addCondition(predicate)
    }

    /// The events of the trigger that the form doesn't replace.
    var events: [HMCharacteristicEvent<NSCopying>] {
        eventTrigger?.events.compactMap { $0 as? HMCharacteristicEvent<NSCopying> } ?? []
    }

    private var pendingEvents: [HMCharacteristicEvent<NSCopying>] {
        targetValues.map { HMCharacteristicEvent<NSCopying>(characteristic: $0.key, triggerValue: $0.value) }
    }

    override func newTrigger() -> HMTrigger? {
        HMEventTrigger(name: name, events: pendingEvents, predicate: newPredicate())
    }

    override func updateTrigger() {
        let kept = events.filter { targetValues[$0.characteristic] == nil }
        saveGroup.enter()
        eventTrigger?.updateEvents(kept + pendingEvents, completionHandler: finishStep)
        savePredicate()
    }
}

/// Saves an automation that runs when the user arrives in a region or leaves it.
class LocationTriggerCreator: EventTriggerCreator {
    var targetRegion: CLCircularRegion?
    /// 0 for arriving, 1 for leaving, as in a segmented control.
    var targetRegionState = 0

    override init(trigger: HMTrigger?, home: HMHome) {
        super.init(trigger: trigger, home: home)
        guard let event = eventTrigger?.events.first as? HMLocationEvent else { return }
        targetRegion = event.region as? CLCircularRegion
        targetRegionState = targetRegion?.notifyOnEntry == true ? 0 : 1
    }

    private var preparedRegion: CLCircularRegion? {
        targetRegion?.notifyOnEntry = targetRegionState == 0
        targetRegion?.notifyOnExit = targetRegionState == 1
        return targetRegion
    }

    override func newTrigger() -> HMTrigger? {
        guard let region = preparedRegion else { return nil }
        return HMEventTrigger(name: name, events: [HMLocationEvent(region: region)], predicate: newPredicate())
    }

    override func updateTrigger() {
        guard let region = preparedRegion else { return }
        saveGroup.enter()
        eventTrigger?.updateEvents([HMLocationEvent(region: region)], completionHandler: finishStep)
        savePredicate()
    }
}
