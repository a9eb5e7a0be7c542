package import Foundation

extension Home {
    /// Returns the change that creates a home: the home with its default room, and its owner.
    package static func creation(id: UUID, defaultRoom: UUID, owner: UserRecord) -> Change {
        Change(
            verb: .homeCreated,
            subjects: [id],
            effects: [.put(.home(HomeRecord(id: id, defaultRoom: defaultRoom))), .put(.user(owner))]
        )
    }

    /// Decides a request. All rules of a home are here.
    ///
    /// Nothing is changed; ``apply(_:)`` does that with the result. A caller who may not edit the layout learns nothing
    /// about it: the error is the same whether an ID exists or not.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The caller.
    ///   - now: The hub's time.
    /// - Returns: The change with all its consequences; `nil` if nothing would change.
    /// - Throws: ``HomeError`` with the rule that the request breaks.
    package func decide(_ request: HomeRequest, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        let isLeaving = presentRole(of: caller.user) != nil && request == .removeUser(caller.user)
        if !isLeaving { try checkMayEdit(caller) }
        switch request {
        case .addRoom(let id, let name): return try addRoom(id, name: name)
        case .removeRoom(let id): return try removeRoom(id)
        case .renameRoom(let id, let name): return try renameRoom(id, name: name)
        case .addZone(let id, let name): return try addZone(id, name: name)
        case .removeZone(let id): return try removeZone(id)
        case .renameZone(let id, let name): return try renameZone(id, name: name)
        case .addRoomToZone(let room, let zone): return try addRoom(room, toZone: zone)
        case .removeRoomFromZone(let room, let zone): return try removeRoom(room, fromZone: zone)
        case .addAccessories(let candidates, let server, let name, let room):
            return try addAccessories(candidates, server: server, name: name, room: room)
        case .removeAccessory(let id): return try removeAccessory(id)
        case .renameAccessory(let id, let name): return try renameAccessory(id, name: name)
        case .moveAccessory(let id, let room): return try moveAccessory(id, room: room)
        case .blockAccessory(let id): return try blockAccessory(id)
        case .unblockAccessory(let id): return try unblockAccessory(id)
        case .updateAccessories(let candidates, let server): return try updateAccessories(candidates, server: server)
        case .renameService(let accessory, let iid, let name):
            return try renameService(accessory: accessory, iid: iid, name: name)
        case .setAssociatedType(let type, let accessory, let iid):
            return try setAssociatedType(type, accessory: accessory, iid: iid)
        case .addServiceGroup(let id, let name): return try addServiceGroup(id, name: name)
        case .removeServiceGroup(let id): return try removeServiceGroup(id)
        case .renameServiceGroup(let id, let name): return try renameServiceGroup(id, name: name)
        case .addServiceToGroup(let service, let group): return try addService(service, toGroup: group)
        case .removeServiceFromGroup(let service, let group): return try removeService(service, fromGroup: group)
        case .addActionSet(let id, let name): return try addActionSet(id, name: name)
        case .addOwnedActionSet(let id, let trigger): return try addActionSet(id, ownedBy: trigger)
        case .removeActionSet(let id): return try removeActionSet(id)
        case .renameActionSet(let id, let name): return try renameActionSet(id, name: name)
        case .addAction(let id, let target, let value, let actionSet):
            return try addAction(id, write: value, to: target, in: actionSet)
        case .setActionValue(let value, let action, let actionSet):
            return try setValue(value, ofAction: action, in: actionSet)
        case .removeAction(let id, let actionSet): return try removeAction(id, from: actionSet)
        case .addTrigger(let id, let name, let definition):
            return try addTrigger(id, name: name, definition: definition, by: caller, at: now)
        case .removeTrigger(let id): return try removeTrigger(id)
        case .renameTrigger(let id, let name): return try renameTrigger(id, name: name)
        case .editTrigger(let id, let edit): return try editTrigger(id, edit, by: caller, at: now)
        case .addActionSetToTrigger(let actionSet, let trigger): return try addActionSet(actionSet, toTrigger: trigger)
        case .removeActionSetFromTrigger(let actionSet, let trigger):
            return try removeActionSet(actionSet, fromTrigger: trigger)
        case .enableTrigger(let id, let isEnabled): return try enableTrigger(id, isEnabled, at: now)
        case .addUser(let id, let name, let role): return try addUser(id, name: name, role: role)
        case .removeUser(let id): return try removeUser(id)
        case .setRole(let role, let id): return try setRole(role, of: id)
        case .confirmUser(let id): return try confirmUser(id, by: presentRole(of: caller.user))
        }
    }
}

extension Home {
    /// Throws if the caller may not change the layout.
    func checkMayEdit(_ caller: Caller) throws(HomeError) {
        guard presentRole(of: caller.user)?.canEditLayout == true else {
            throw HomeError(
                .insufficientPrivileges,
                "Only the owner and administrators of a home may change its layout."
            )
        }
    }

    /// Throws if the name is invalid or already in use.
    ///
    /// - Parameter allowed: A closure that returns whether a holder may have the same name.
    func checkName(_ name: String, beside allowed: (NameHolder) -> Bool = { _ in false }) throws(HomeError) {
        try NameRule.check(name)
        guard let bearer = names[FoldedName(name)].first(where: { !allowed($0) }) else { return }
        throw HomeError(.nameTaken, "The name \(name.quoted) is taken by \(description(of: bearer)).")
    }

    /// Throws if an object in the home has the ID.
    func checkIsNew(_ id: UUID) throws(HomeError) {
        guard
            id != self.id, !hasRoom(id), !zones.contains(id: id), !accessories.contains(id: id),
            !serviceGroups.contains(id: id), !triggers.contains(id: id), !users.contains(id: id),
            actionSet(id) == nil, actionSetOf(action: id) == nil
        else { throw HomeError(.alreadyAdded, "The home already has an object with the ID \(id).") }
    }

    /// Throws if a limit of the home is reached.
    func checkLimit(_ isBelow: Bool, _ limit: Int, _ things: String) throws(HomeError) {
        guard isBelow else { throw HomeError(.limitExceeded, "A home has at most \(limit) \(things).") }
    }

    func room(_ id: UUID) throws(HomeError) -> RoomRecord {
        if id == defaultRoom {
            throw HomeError(.defaultRoomFixed, "The default room can't be renamed or removed.")
        }
        guard let room = rooms[id: id] else { throw HomeError(.notFound, "There is no room \(id) in the home.") }
        return room
    }

    func zone(_ id: UUID) throws(HomeError) -> ZoneRecord {
        guard let zone = zones[id: id] else { throw HomeError(.notFound, "There is no zone \(id) in the home.") }
        return zone
    }

    func accessory(_ id: UUID) throws(HomeError) -> AccessoryRecord {
        guard let accessory = accessories[id: id] else {
            throw HomeError(.notFound, "There is no accessory \(id) in the home.")
        }
        return accessory
    }

    /// Returns a human-readable description of a name's holder.
    func description(of bearer: NameHolder) -> String {
        switch bearer {
        case .defaultRoom: "the default room"
        case .room(let id): "the room \((rooms[id: id]?.name ?? "").quoted)"
        case .zone(let id): "the zone \((zones[id: id]?.name ?? "").quoted)"
        case .accessory(let id): "the accessory \((accessories[id: id]?.name ?? "").quoted)"
        case .service(let accessory, let iid):
            "the service \((accessories[id: accessory]?.serviceNames[iid] ?? "").quoted) of "
                + "\((accessories[id: accessory]?.name ?? "").quoted)"
        case .serviceGroup(let id): "the service group \((serviceGroups[id: id]?.name ?? "").quoted)"
        case .actionSet(let id): "the scene \((actionSet(id)?.name ?? "").quoted)"
        case .trigger(let id): "the automation \((triggers[id: id]?.name ?? "").quoted)"
        }
    }
}
