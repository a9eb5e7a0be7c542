import Foundation
import HAPCatalog

extension HomeMerge {
    mutating func mergeActionSets() throws(HomeError) {
        let exportedSets = file.actionSetRecords.filter { $0.type == .userDefined }
        let present = here.actionSetRecords.filter { $0.type == .userDefined }
        let matching = NamedMatching(exportedSets.map { ($0.id, $0.name) }, with: present.map { ($0.id, $0.name) })
        for builtIn in file.builtInActionSets {
            actionSets[builtIn.id] = here.builtInActionSet(of: builtIn.type)?.id
        }
        for actionSet in file.actionSetRecords where actionSet.type != .triggerOwned {
            if let builtIn = actionSets[actionSet.id] {
                try merge(actionSet, into: here.actionSet(builtIn), actionSet.name)
            } else if actionSet.type == .userDefined {
                try merge(actionSet, into: matching.here[actionSet.id].flatMap { here.actionSet($0) }, actionSet.name)
            } else {
                report(.leftOut, RecordID(.actionSet, actionSet.id), actionSet.name, ["it is from a newer version"])
            }
        }
    }

    /// Imports an action set.
    ///
    /// - Parameters:
    ///   - old: The matching action set of the home; `nil` if it is new.
    ///   - name: The name in the report.
    mutating func merge(
        _ actionSet: ActionSetRecord,
        into old: ActionSetRecord?,
        _ name: String
    ) throws(HomeError) {
        let origin = RecordID(.actionSet, actionSet.id)
        actionSets[actionSet.id] = old?.id ?? actionSet.id
        if old == nil { try checkIsNew(origin) { () throws(HomeError) in try result.checkRoomForActionSet() } }
        var new = old ?? ActionSetRecord(id: actionSet.id, name: actionSet.name, type: actionSet.type)
        new.name = actionSet.name
        new.icon = actionSet.icon.flatMap { SceneIcon.choices.contains($0) ? $0 : nil }
        new.actions = try actions(of: actionSet, replacing: old?.actions ?? [], name)
        let count = new.actions.count
        try exported.check(origin) { () throws(HomeError) in
            guard count <= HomeLimits.actionsPerActionSet else {
                throw HomeError(.limitExceeded, "An action set has at most \(HomeLimits.actionsPerActionSet) actions.")
            }
        }
        var remarks = old.map { Self.renaming($0.name, actionSet.name) } ?? []
        if let old, old.actions != new.actions { remarks.append("has different actions") }
        if let old, old.icon != new.icon { remarks.append("has a different icon") }
        merge(.actionSet(new), replacing: old.map { .actionSet($0) }, origin: origin, name, remarks)
    }

    /// Returns the export's actions that the home can have, and the home's own actions on accessories that aren't in
    /// the export.
    private mutating func actions(
        of actionSet: ActionSetRecord,
        replacing old: [Action],
        _ name: String
    ) throws(HomeError) -> [Action] {
        let origin = RecordID(.actionSet, actionSet.id)
        var byCharacteristic: [CharacteristicIdentity: Action] = [:]
        for action in old {
            if let characteristic = action.characteristic { byCharacteristic[characteristic] = action }
        }
        var actions: [Action] = []
        var seen: Set<CharacteristicIdentity> = []
        // Accessories with an unmatched action. The home's own actions on them are kept.
        var uncertain: Set<UUID> = []
        for action in actionSet.actions {
            guard case .write(let characteristic, let value) = action.operation else {
                report(.leftOut, origin, name, ["without an action from a newer version"])
                continue
            }
            let part = CharacteristicDefinition.of(characteristic.type)?.identifier ?? characteristic.type.shortForm
            guard let target = correspondence(characteristic.accessory)?.characteristic(characteristic),
                seen.insert(target.identity).inserted
            else {
                // An action keeps its place while its accessory lacks the characteristic.
                if let known = byCharacteristic[characteristic], !seen.contains(characteristic) {
                    seen.insert(characteristic)
                    actions.append(known)
                    continue
                }
                if let here = accessories.here[characteristic.accessory] { uncertain.insert(here) }
                let absence = absence(of: "characteristic", in: characteristic.accessory)
                report(.leftOut, origin, name, ["without the action on \(part): \(absence)"])
                continue
            }
            let known = byCharacteristic[target.identity]
            do throws(HomeError) {
                guard target.shape.permissions.contains(.write) else {
                    throw HomeError(.notWritable, "The characteristic can't be written.")
                }
                let value = try result.checked(value, for: target.shape)
                let id = known?.id ?? action.id
                actions.append(Action(id: id, operation: .write(target.identity, value)))
            } catch {
                report(.leftOut, origin, name, ["without the action on \(part): \(error.reason)"])
                if let known { actions.append(known) }
            }
        }
        for action in actions where !old.contains(where: { $0.id == action.id }) {
            try exported.check(origin) { () throws(HomeError) in try result.checkIsNew(action.id) }
        }
        let taken = Set(actions.map(\.id))
        return actions
            + old.filter { action in
                guard let accessory = action.characteristic?.accessory else { return !taken.contains(action.id) }
                return !taken.contains(action.id) && (!isKnown(accessory) || uncertain.contains(accessory))
            }
    }
}
