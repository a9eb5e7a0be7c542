import Foundation
import HomeModel
import HubAPI

extension HomeKitContext {
    /// Applies a change of a home to the objects and returns the callbacks. There are none for the delegates if this
    /// app made the change.
    func homeCallbacks(_ change: LogChange, of id: UUID, before: HubStateSummary, after: HubState) -> [Callback] {
        guard let new = after.homes[id] else { return [] }
        let old = before.homes[id]
        return withObjects { objects in
            // Create the objects named in callbacks before the objects of removed records are frozen and forgotten.
            let callbacks =
                change.isMine
                ? [] : Self.delegateCallbacks(about: change.change, old ?? new, new, &objects, self)
            let moved = objects.follow(change.change, from: old ?? new, to: new, isMine: change.isMine, self)
            let renewal = renewal(of: moved)
            guard old == nil, !change.isMine, after.account.home(id) != nil else { return renewal + callbacks }
            let home = objects.home(id, self)
            return renewal + [notifyManager { $0.homeManager($1, didAdd: home) }] + callbacks
        }
    }

    private static func delegateCallbacks(
        about change: Change,
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        eventCallbacks(about: change, old, new, &objects, context)
            + consequenceCallbacks(of: change, old, new, &objects, context)
    }

    private static func eventCallbacks(
        about change: Change,
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        switch change.event {
        case nil:
            return []
        case .accessoriesUpdated(let ids):
            return updateCallbacks(about: ids, old, new, &objects, context)
        case .accessoryRenamed(let id):
            guard let accessory = objects.accessories[id] else { return [] }
            return [{ accessory.delegate?.accessoryDidUpdateName(accessory) }]
        case .serviceRenamed(let service):
            return serviceCallback(about: service, objects) { $0.delegate?.accessory($0, didUpdateNameFor: $1) }
        case .associatedTypeChanged(let service):
            return serviceCallback(about: service, objects) {
                $0.delegate?.accessory($0, didUpdateAssociatedServiceTypeFor: $1)
            }
        case .homeImported:
            return Home.steps(of: change, from: old, to: new).flatMap {
                eventCallbacks(about: $0, old, new, &objects, context)
            }
        case let event?:
            guard let home = objects.homes[new.id] else { return [] }
            return automationCallbacks(about: event, to: home, old, new, &objects, context)
                ?? delegateCallbacks(about: event, to: home, new, &objects, context)
        }
    }

    /// Returns the callbacks of the home's delegate for action sets and triggers that changed as a consequence, such as the
    /// removal of an accessory that they refer to.
    private static func consequenceCallbacks(
        of change: Change,
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard change.event != .homeImported, let home = objects.homes[new.id] else { return [] }
        return change.effects.flatMap { effect -> [Callback] in
            switch effect {
            case .put(.actionSet(let record)) where record.id != change.subjects.first:
                guard let before = old.actionSet(record.id), before.actions != record.actions else { return [] }
                return actionCallbacks(about: record, to: home, new, &objects, context)
            case .put(.trigger(let record)) where record.id != change.subjects.first:
                guard let before = old.triggers[id: record.id], before != record else { return [] }
                let trigger = objects.trigger(record, in: new.id, context)
                return [{ home.delegate?.home(home, didUpdate: trigger) }]
            default:
                return []
            }
        }
    }

    /// Reports the actions of an action set or, if a trigger owns it, the trigger.
    private static func actionCallbacks(
        about record: ActionSetRecord,
        to home: HMHome,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard record.type == .triggerOwned else {
            let actionSet = objects.actionSet(record.id, in: new.id, context)
            return [{ home.delegate?.home(home, didUpdateActionsFor: actionSet) }]
        }
        guard let owner = new.triggers.first(where: { $0.actionSets.contains(record.id) }) else { return [] }
        let trigger = objects.trigger(owner, in: new.id, context)
        return [{ home.delegate?.home(home, didUpdate: trigger) }]
    }

    /// Returns the callbacks of the home's delegate for an event of an action set or a trigger; `nil` for other events.
    private static func automationCallbacks(
        about event: HomeEvent,
        to home: HMHome,
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback]? {
        switch event {
        case .actionSetAdded(let id), .actionSetRemoved(let id), .actionSetRenamed(let id), .actionsChanged(let id):
            guard let record = new.actionSet(id) ?? old.actionSet(id) else { return [] }
            if case .actionsChanged = event { return actionCallbacks(about: record, to: home, new, &objects, context) }
            // The home doesn't list an action set that a trigger owns. The trigger's change is reported.
            guard record.type != .triggerOwned else { return [] }
            let actionSet = objects.actionSet(id, in: new.id, context)
            return [
                {
                    switch event {
                    case .actionSetAdded: home.delegate?.home(home, didAdd: actionSet)
                    case .actionSetRemoved: home.delegate?.home(home, didRemove: actionSet)
                    default: home.delegate?.home(home, didUpdateNameFor: actionSet)
                    }
                }
            ]
        case .triggerAdded(let id), .triggerRemoved(let id), .triggerRenamed(let id), .triggerUpdated(let id):
            guard let record = new.triggers[id: id] ?? old.triggers[id: id] else { return [] }
            let trigger = objects.trigger(record, in: new.id, context)
            return [
                {
                    switch event {
                    case .triggerAdded: home.delegate?.home(home, didAdd: trigger)
                    case .triggerRemoved: home.delegate?.home(home, didRemove: trigger)
                    case .triggerRenamed: home.delegate?.home(home, didUpdateNameFor: trigger)
                    default: home.delegate?.home(home, didUpdate: trigger)
                    }
                }
            ]
        default:
            return nil
        }
    }

    /// Returns the callbacks of the home's delegate.
    private static func delegateCallbacks(
        about event: HomeEvent,
        to home: HMHome,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        switch event {
        case .roomAdded(let id):
            let room = objects.room(id, in: new.id, context)
            return [{ home.delegate?.home(home, didAdd: room) }]
        case .roomRenamed(let id):
            let room = objects.room(id, in: new.id, context)
            return [{ home.delegate?.home(home, didUpdateNameFor: room) }]
        case .roomRemoved(let id, let accessories):
            let room = objects.room(id, in: new.id, context)
            let defaultRoom = objects.room(new.defaultRoom, in: new.id, context)
            let moved = accessories.map { objects.accessory($0, in: new.id, context) }
            return [{ home.delegate?.home(home, didRemove: room) }]
                + moved.map { accessory in { home.delegate?.home(home, didUpdate: defaultRoom, for: accessory) } }
        case .zoneAdded(let id):
            let zone = objects.zone(id, in: new.id, context)
            return [{ home.delegate?.home(home, didAdd: zone) }]
        case .zoneRemoved(let id):
            let zone = objects.zone(id, in: new.id, context)
            return [{ home.delegate?.home(home, didRemove: zone) }]
        case .zoneRenamed(let id):
            let zone = objects.zone(id, in: new.id, context)
            return [{ home.delegate?.home(home, didUpdateNameFor: zone) }]
        case .zoneRoomAdded(let room, let zone):
            let (zone, room) = (objects.zone(zone, in: new.id, context), objects.room(room, in: new.id, context))
            return [{ home.delegate?.home(home, didAdd: room, to: zone) }]
        case .zoneRoomRemoved(let room, let zone):
            let (zone, room) = (objects.zone(zone, in: new.id, context), objects.room(room, in: new.id, context))
            return [{ home.delegate?.home(home, didRemove: room, from: zone) }]
        case .accessoriesAdded(let ids):
            return additionCallbacks(of: ids, new, home, &objects, context)
        case .accessoriesRemoved(let ids):
            return ids.map { objects.accessory($0, in: new.id, context) }.map { accessory in
                { home.delegate?.home(home, didRemove: accessory) }
            }
        case .accessoriesUnblocked(let ids):
            return ids.map { objects.accessory($0, in: new.id, context) }.map { accessory in
                { home.delegate?.home(home, didUnblockAccessory: accessory) }
            }
        case .accessoryMoved(let id, let room):
            let accessory = objects.accessory(id, in: new.id, context)
            let room = objects.room(room, in: new.id, context)
            return [{ home.delegate?.home(home, didUpdate: room, for: accessory) }]
        case .serviceGroupAdded(let id):
            let group = objects.serviceGroup(id, in: new.id, context)
            return [{ home.delegate?.home(home, didAdd: group) }]
        case .serviceGroupRemoved(let id):
            let group = objects.serviceGroup(id, in: new.id, context)
            return [{ home.delegate?.home(home, didRemove: group) }]
        case .serviceGroupRenamed(let id):
            let group = objects.serviceGroup(id, in: new.id, context)
            return [{ home.delegate?.home(home, didUpdateNameFor: group) }]
        case .serviceGroupServiceAdded(let service, let group):
            let group = objects.serviceGroup(group, in: new.id, context)
            guard let service = objects.service(service, in: new, context) else { return [] }
            return [{ home.delegate?.home(home, didAdd: service, to: group) }]
        case .serviceGroupServiceRemoved(let service, let group):
            let group = objects.serviceGroup(group, in: new.id, context)
            guard let service = objects.service(service, in: new, context) else { return [] }
            return [{ home.delegate?.home(home, didRemove: service, from: group) }]
        // An app learns of its own user's arrival and departure by the list of homes.
        case .userAdded(let id):
            guard id != new.viewer else { return [] }
            let user = objects.user(id, in: new.id, context)
            return [{ home.delegate?.home(home, didAdd: user) }]
        case .userRemoved(let id):
            guard id != new.viewer else { return [] }
            let user = objects.user(id, in: new.id, context)
            return [{ home.delegate?.home(home, didRemove: user) }]
        case .userRoleChanged(let id):
            guard id == new.viewer else { return [] }
            return [{ home.delegate?.homeDidUpdateAccessControl(forCurrentUser: home) }]
        case .accessoriesUpdated, .accessoryRenamed, .serviceRenamed, .associatedTypeChanged, .homeImported,
            .actionSetAdded, .actionSetRemoved, .actionSetRenamed, .actionsChanged, .triggerAdded, .triggerRemoved,
            .triggerRenamed, .triggerUpdated:
            return []
        }
    }

    /// Reports bridged accessories but not the bridge itself.
    private static func additionCallbacks(
        of ids: [UUID],
        _ new: Home,
        _ home: HMHome,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        ids.filter { new.accessories[id: $0]?.isBridge == false }.map { id in
            let accessory = objects.accessory(id, in: new.id, context)
            return { home.delegate?.home(home, didAdd: accessory) }
        }
    }

    private static func updateCallbacks(
        about ids: [UUID],
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        var callbacks: [Callback] = []
        if let home = objects.homes[new.id] {
            let added = ids.filter { !old.accessories.contains(id: $0) }
            callbacks += additionCallbacks(of: added, new, home, &objects, context)
        }
        for id in ids {
            guard let accessory = objects.accessories[id], let before = old.accessories[id: id],
                let after = new.accessories[id: id]
            else { continue }
            if before.shape != after.shape {
                callbacks.append { accessory.delegate?.accessoryDidUpdateServices(accessory) }
            }
            let wasCamera = !old.cameraServices(of: before).isEmpty
            let isCamera = !new.cameraServices(of: after).isEmpty
            if wasCamera != isCamera {
                let camera = accessory.camera()
                callbacks.append {
                    if isCamera {
                        accessory.delegate?.accessory(accessory, didAdd: camera)
                    } else {
                        accessory.delegate?.accessory(accessory, didRemove: camera)
                    }
                }
            }
            if let version = after.information.firmwareRevision, version != before.information.firmwareRevision {
                callbacks.append { accessory.delegate?.accessory(accessory, didUpdateFirmwareVersion: version) }
            }
        }
        return callbacks
    }

    private static func serviceCallback(
        about identity: ServiceIdentity,
        _ objects: ManagerObjects,
        _ send: @escaping @Sendable (HMAccessory, HMService) -> Void
    ) -> [Callback] {
        guard let accessory = objects.accessories[identity.accessory] else { return [] }
        return [
            {
                guard let service = accessory.services.first(where: { $0.uniqueIdentifier == identity.service })
                else { return }
                send(accessory, service)
            }
        ]
    }
}
