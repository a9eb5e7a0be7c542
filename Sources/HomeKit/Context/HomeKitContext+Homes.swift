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
        switch change.verb {
        case .roomAdded, .roomRemoved, .roomRenamed:
            roomCallbacks(about: change, new, &objects, context)
        case .zoneAdded, .zoneRemoved, .zoneRenamed, .zoneRoomAdded, .zoneRoomRemoved:
            zoneCallbacks(about: change, new, &objects, context)
        case .accessoriesAdded, .accessoriesRemoved, .accessoriesUnblocked, .accessoryMoved:
            accessoryCallbacks(about: change, new, &objects, context)
        case .accessoriesUpdated:
            updateCallbacks(about: change, old, new, &objects, context)
        case .accessoryRenamed:
            change.subjects.prefix(1).compactMap { objects.accessories[$0] }.map { accessory in
                { accessory.delegate?.accessoryDidUpdateName(accessory) }
            }
        case .serviceRenamed, .associatedTypeChanged:
            serviceCallbacks(about: change, &objects)
        case .serviceGroupAdded, .serviceGroupRemoved, .serviceGroupRenamed, .serviceGroupServiceAdded,
            .serviceGroupServiceRemoved:
            serviceGroupCallbacks(about: change, new, &objects, context)
        case .userAdded, .userRemoved, .userRoleChanged:
            userCallbacks(about: change, new, &objects, context)
        case .homeImported:
            Home.steps(of: change, from: old, to: new).flatMap {
                delegateCallbacks(about: $0, old, new, &objects, context)
            }
        default:
            []
        }
    }

    private static func roomCallbacks(
        about change: Change,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard let id = change.subjects.first, let home = objects.homes[new.id] else { return [] }
        let room = objects.room(id, in: new.id, context)
        switch change.verb {
        case .roomAdded: return [{ home.delegate?.home(home, didAdd: room) }]
        case .roomRenamed: return [{ home.delegate?.home(home, didUpdateNameFor: room) }]
        default:
            let defaultRoom = objects.room(new.defaultRoom, in: new.id, context)
            let moved = change.subjects.dropFirst().map { objects.accessory($0, in: new.id, context) }
            return [{ home.delegate?.home(home, didRemove: room) }]
                + moved.map { accessory in { home.delegate?.home(home, didUpdate: defaultRoom, for: accessory) } }
        }
    }

    private static func zoneCallbacks(
        about change: Change,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard let id = change.subjects.first, let home = objects.homes[new.id] else { return [] }
        let zone = objects.zone(id, in: new.id, context)
        switch change.verb {
        case .zoneAdded: return [{ home.delegate?.home(home, didAdd: zone) }]
        case .zoneRemoved: return [{ home.delegate?.home(home, didRemove: zone) }]
        case .zoneRenamed: return [{ home.delegate?.home(home, didUpdateNameFor: zone) }]
        default:
            guard change.subjects.count > 1 else { return [] }
            let room = objects.room(change.subjects[1], in: new.id, context)
            return change.verb == .zoneRoomAdded
                ? [{ home.delegate?.home(home, didAdd: room, to: zone) }]
                : [{ home.delegate?.home(home, didRemove: room, from: zone) }]
        }
    }

    private static func accessoryCallbacks(
        about change: Change,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard let home = objects.homes[new.id] else { return [] }
        switch change.verb {
        case .accessoriesAdded:
            return additionCallbacks(of: change.subjects, new, home, &objects, context)
        case .accessoriesRemoved:
            return change.subjects.map { objects.accessory($0, in: new.id, context) }.map { accessory in
                { home.delegate?.home(home, didRemove: accessory) }
            }
        case .accessoriesUnblocked:
            return change.subjects.map { objects.accessory($0, in: new.id, context) }.map { accessory in
                { home.delegate?.home(home, didUnblockAccessory: accessory) }
            }
        default:
            guard change.subjects.count > 1 else { return [] }
            let accessory = objects.accessory(change.subjects[0], in: new.id, context)
            let room = objects.room(change.subjects[1], in: new.id, context)
            return [{ home.delegate?.home(home, didUpdate: room, for: accessory) }]
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
        about change: Change,
        _ old: Home,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        var callbacks: [Callback] = []
        if let home = objects.homes[new.id] {
            let added = change.subjects.filter { !old.accessories.contains(id: $0) }
            callbacks += additionCallbacks(of: added, new, home, &objects, context)
        }
        for id in change.subjects {
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

    private static func serviceCallbacks(about change: Change, _ objects: inout ManagerObjects) -> [Callback] {
        guard change.subjects.count > 1, let accessory = objects.accessories[change.subjects[0]] else { return [] }
        let id = change.subjects[1]
        return [
            {
                guard let service = accessory.services.first(where: { $0.uniqueIdentifier == id }) else { return }
                if change.verb == .serviceRenamed {
                    accessory.delegate?.accessory(accessory, didUpdateNameFor: service)
                } else {
                    accessory.delegate?.accessory(accessory, didUpdateAssociatedServiceTypeFor: service)
                }
            }
        ]
    }

    private static func serviceGroupCallbacks(
        about change: Change,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard let id = change.subjects.first, let home = objects.homes[new.id] else { return [] }
        let group = objects.serviceGroup(id, in: new.id, context)
        switch change.verb {
        case .serviceGroupAdded: return [{ home.delegate?.home(home, didAdd: group) }]
        case .serviceGroupRemoved: return [{ home.delegate?.home(home, didRemove: group) }]
        case .serviceGroupRenamed: return [{ home.delegate?.home(home, didUpdateNameFor: group) }]
        default:
            guard change.subjects.count > 2 else { return [] }
            let identity = ServiceIdentity(accessory: change.subjects[1], service: change.subjects[2])
            guard let service = objects.service(identity, in: new, context) else { return [] }
            return change.verb == .serviceGroupServiceAdded
                ? [{ home.delegate?.home(home, didAdd: service, to: group) }]
                : [{ home.delegate?.home(home, didRemove: service, from: group) }]
        }
    }

    /// The current user's own membership is reported as a change to the list of homes.
    private static func userCallbacks(
        about change: Change,
        _ new: Home,
        _ objects: inout ManagerObjects,
        _ context: HomeKitContext
    ) -> [Callback] {
        guard let id = change.subjects.first, let home = objects.homes[new.id] else { return [] }
        guard id != new.viewer else {
            guard change.verb == .userRoleChanged else { return [] }
            return [{ home.delegate?.homeDidUpdateAccessControl(forCurrentUser: home) }]
        }
        let user = objects.user(id, in: new.id, context)
        switch change.verb {
        case .userAdded: return [{ home.delegate?.home(home, didAdd: user) }]
        case .userRemoved: return [{ home.delegate?.home(home, didRemove: user) }]
        default: return []
        }
    }
}
