package import Foundation
import HAPCatalog
import HashTreeCollections

extension Home {
    /// The action sets that users see: the built-in ones, then the others in the order in which they were added. Action
    /// sets that are owned by a trigger are left out.
    package var actionSets: [ActionSetRecord] {
        let builtIn = builtInActionSets.map { actionSetRecords[id: $0.id] ?? $0 }
        return builtIn + actionSetRecords.filter { $0.type != .triggerOwned && builtInActionSet($0.id) == nil }
    }

    /// Returns any action set, including built-in and trigger-owned ones.
    package func actionSet(_ id: UUID) -> ActionSetRecord? { actionSetRecords[id: id] ?? builtInActionSet(id) }

    /// Returns the built-in action set of a type; `nil` if the type isn't built in.
    package func builtInActionSet(of type: ActionSetType) -> ActionSetRecord? {
        builtInActionSets.first { $0.type == type }.flatMap { actionSet($0.id) }
    }

    /// Returns the trigger that owns an action set; `nil` if none does.
    package func owner(ofActionSet id: UUID) -> TriggerRecord? {
        guard actionSet(id)?.type == .triggerOwned else { return nil }
        for case .trigger(let trigger) in referrers[id] { return triggers[id: trigger] }
        return nil
    }

    /// Returns a built-in action set as it is before any change.
    func builtInActionSet(_ id: UUID) -> ActionSetRecord? { builtInActionSets.first { $0.id == id } }
}

extension Home {
    func addActionSet(_ id: UUID, name: String) throws(HomeError) -> Change {
        try checkIsNew(id)
        try checkName(name)
        try checkRoomForActionSet()
        let actionSet = ActionSetRecord(id: id, name: name)
        return Change(verb: .actionSetAdded, subjects: [id], effects: [.put(.actionSet(actionSet))])
    }

    func addActionSet(_ id: UUID, ownedBy triggerID: UUID) throws(HomeError) -> Change {
        try checkIsNew(id)
        var trigger = try trigger(triggerID)
        try checkRoomForActionSet()
        try checkRoomForActionSet(in: trigger)
        guard !trigger.isEnabled else { throw Self.noActions(in: nil) }
        trigger.actionSets.append(id)
        return Change(
            verb: .actionSetAdded,
            subjects: [id, triggerID],
            effects: [
                .put(.actionSet(ActionSetRecord(id: id, name: "", type: .triggerOwned))), .put(.trigger(trigger)),
            ]
        )
    }

    func removeActionSet(_ id: UUID) throws(HomeError) -> Change {
        let actionSet = try existingActionSet(id)
        guard builtInActionSet(id) == nil else {
            throw HomeError(
                .builtInActionSet,
                "\(actionSet.name.quoted) is built in and can't be removed.",
                about: .scene(id, actionSet.name)
            )
        }
        let triggers = triggersAfter(losing: id)
        return Change(
            verb: .actionSetRemoved,
            subjects: [id] + triggers.map(\.id),
            effects: triggers.map { .put(.trigger($0)) } + [.remove(RecordID(.actionSet, id))]
        )
    }

    func renameActionSet(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var actionSet = try existingActionSet(id)
        guard actionSet.type != .triggerOwned else {
            throw HomeError(.triggerOwnedActionSet, "An action set that is owned by a trigger has no name.")
        }
        try checkName(name) { $0 == .actionSet(id) }
        guard actionSet.name != name else { return nil }
        actionSet.name = name
        return Change(verb: .actionSetRenamed, subjects: [id], effects: [.put(.actionSet(actionSet))])
    }

    func addAction(
        _ id: UUID,
        write value: CharacteristicValue,
        to characteristic: CharacteristicIdentity,
        in actionSetID: UUID
    ) throws(HomeError) -> Change {
        var actionSet = try existingActionSet(actionSetID)
        let isKnown = actionSet.actions.contains { $0.id == id || $0.characteristic == characteristic }
        guard !isKnown else {
            throw HomeError(
                .actionOnSameCharacteristic,
                "\(actionSet.name.quoted) already has an action on that characteristic. Change its value instead.",
                about: .scene(actionSetID, actionSet.name),
                .characteristic(nil, of: characteristic.accessory, "\(characteristic.type)")
            )
        }
        if actionSetOf(action: id) != nil {
            throw HomeError(.actionInAnotherActionSet, "The action \(id) is in another action set.")
        }
        try checkIsNew(id)
        let shape = try writable(characteristic)
        guard actionSet.actions.count < HomeLimits.actionsPerActionSet else {
            let limit = HomeLimits.actionsPerActionSet
            throw HomeError(.limitExceeded, "An action set has at most \(limit) actions.", limit: limit)
        }
        let operation = Action.Operation.write(characteristic, try checked(value, for: shape))
        actionSet.actions.append(Action(id: id, operation: operation))
        return Change(verb: .actionsChanged, subjects: [actionSetID, id], effects: [.put(.actionSet(actionSet))])
    }

    func setValue(
        _ value: CharacteristicValue,
        ofAction id: UUID,
        in actionSetID: UUID
    ) throws(HomeError) -> Change? {
        var actionSet = try existingActionSet(actionSetID)
        let index = try index(of: id, in: actionSet)
        guard case .write(let characteristic, let old) = actionSet.actions[index].operation else {
            throw HomeError(.invalidParameter, "The action \(id) is from a newer version and doesn't write a value.")
        }
        let value = try checked(value, for: try writable(characteristic))
        guard value != old else { return nil }
        actionSet.actions[index].operation = .write(characteristic, value)
        return Change(verb: .actionsChanged, subjects: [actionSetID, id], effects: [.put(.actionSet(actionSet))])
    }

    func removeAction(_ id: UUID, from actionSetID: UUID) throws(HomeError) -> Change {
        var actionSet = try existingActionSet(actionSetID)
        actionSet.actions.remove(at: try index(of: id, in: actionSet))
        let triggers = triggersWithoutWork(after: [actionSet])
        return Change(
            verb: .actionsChanged,
            subjects: [actionSetID, id] + triggers.map(\.id),
            effects: [.put(.actionSet(actionSet))] + triggers.map { .put(.trigger($0)) }
        )
    }

    func existingActionSet(_ id: UUID) throws(HomeError) -> ActionSetRecord {
        guard let actionSet = actionSet(id) else {
            throw HomeError(.notFound, "There is no action set \(id) in the home.", about: .scene(id))
        }
        return actionSet
    }

    /// Returns the action set that contains an action.
    func actionSetOf(action id: UUID) -> ActionSetRecord? {
        for case .actionSet(let actionSet) in referrers[id] {
            if let found = self.actionSet(actionSet), found.actions.contains(where: { $0.id == id }) { return found }
        }
        return nil
    }

    private func index(of action: UUID, in actionSet: ActionSetRecord) throws(HomeError) -> Int {
        guard let index = actionSet.actions.firstIndex(where: { $0.id == action }) else {
            let reason = "There is no action \(action) in \(actionSet.name.quoted)."
            throw HomeError(.notFound, reason, about: .scene(actionSet.id, actionSet.name))
        }
        return index
    }

    private func writable(_ characteristic: CharacteristicIdentity) throws(HomeError) -> CharacteristicShape {
        let shape = try existing(characteristic)
        guard shape.permissions.contains(.write) else {
            throw HomeError(
                .notWritable,
                "The characteristic \(characteristic.characteristic) can't be written.",
                about: .characteristic(shape.iid, of: characteristic.accessory, "\(characteristic.type)")
            )
        }
        return shape
    }

    func checkRoomForActionSet() throws(HomeError) {
        let builtIn = builtInActionSets.count { actionSetRecords.contains(id: $0.id) }
        let limit = HomeLimits.actionSetsPerHome
        try checkLimit(actionSetRecords.count - builtIn < limit, limit, "action sets")
    }
}
