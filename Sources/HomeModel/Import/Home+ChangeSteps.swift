import Foundation
import HAPCatalog

extension Home {
    /// Splits an import into ordinary changes, for clients that report each one: every change has a verb and subjects,
    /// but no effects.
    ///
    /// - Parameter change: The change from `old` to `new`. It must not remove anything.
    package static func steps(of change: Change, from old: Home, to new: Home) -> [Change] {
        change.effects.flatMap { effect -> [Change] in
            guard case .put(let record) = effect, let id = record.recordID.uuid else { return [] }
            switch record {
            case .home: return old.place == new.place ? [] : [step(.homePlaceChanged, id)]
            case .room: return named(id, old.rooms[id: id]?.name, new.rooms[id: id]?.name, .roomAdded, .roomRenamed)
            case .zone: return zoneSteps(id, old, new)
            case .accessory: return accessorySteps(id, old, new)
            case .serviceGroup: return serviceGroupSteps(id, old, new)
            case .actionSet: return actionSetSteps(id, old, new)
            case .trigger: return triggerSteps(id, old, new)
            default: return []
            }
        }
    }

    private static func step(_ verb: Verb, _ subjects: UUID...) -> Change {
        Change(verb: verb, subjects: subjects, effects: [])
    }

    private static func named(
        _ id: UUID,
        _ old: String?,
        _ new: String?,
        _ addition: Verb,
        _ renaming: Verb
    ) -> [Change] {
        guard let old else { return [step(addition, id)] }
        return old == new ? [] : [step(renaming, id)]
    }

    private static func zoneSteps(_ id: UUID, _ old: Home, _ new: Home) -> [Change] {
        let (before, after) = (old.zones[id: id], new.zones[id: id])
        let (rooms, oldRooms) = (after?.rooms ?? [], before?.rooms ?? [])
        return named(id, before?.name, after?.name, .zoneAdded, .zoneRenamed)
            + oldRooms.filter { !rooms.contains($0) }.map { step(.zoneRoomRemoved, id, $0) }
            + rooms.filter { !oldRooms.contains($0) }.map { step(.zoneRoomAdded, id, $0) }
    }

    private static func accessorySteps(_ id: UUID, _ old: Home, _ new: Home) -> [Change] {
        guard let before = old.accessories[id: id], let after = new.accessories[id: id] else { return [] }
        var steps: [Change] = []
        if before.name != after.name { steps.append(step(.accessoryRenamed, id)) }
        if before.room != after.room { steps.append(step(.accessoryMoved, id, after.room)) }
        for service in new.services(of: after) {
            let identity = serviceID(of: service.iid, in: after)
            if before.serviceNames[service.iid] != after.serviceNames[service.iid] {
                steps.append(step(.serviceRenamed, id, identity))
            }
            if before.associatedTypes[service.iid] != after.associatedTypes[service.iid] {
                steps.append(step(.associatedTypeChanged, id, identity))
            }
        }
        return steps
    }

    private static func serviceGroupSteps(_ id: UUID, _ old: Home, _ new: Home) -> [Change] {
        let (before, after) = (old.serviceGroups[id: id], new.serviceGroups[id: id])
        let (services, oldServices) = (after?.services ?? [], before?.services ?? [])
        return named(id, before?.name, after?.name, .serviceGroupAdded, .serviceGroupRenamed)
            + oldServices.filter { !services.contains($0) }
            .map { step(.serviceGroupServiceRemoved, id, $0.accessory, $0.service) }
            + services.filter { !oldServices.contains($0) }
            .map { step(.serviceGroupServiceAdded, id, $0.accessory, $0.service) }
    }

    private static func actionSetSteps(_ id: UUID, _ old: Home, _ new: Home) -> [Change] {
        let (before, after) = (old.actionSet(id), new.actionSet(id))
        return named(id, before?.name, after?.name, .actionSetAdded, .actionSetRenamed)
            + (before?.actions ?? [] == after?.actions ?? [] ? [] : [step(.actionsChanged, id)])
    }

    private static func triggerSteps(_ id: UUID, _ old: Home, _ new: Home) -> [Change] {
        guard var before = old.triggers[id: id], let after = new.triggers[id: id] else {
            return [step(.triggerAdded, id)]
        }
        let renaming = named(id, before.name, after.name, .triggerAdded, .triggerRenamed)
        before.name = after.name
        return renaming + (before == after ? [] : [step(.triggerUpdated, id)])
    }
}
