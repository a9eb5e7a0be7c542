public import Foundation

extension Home {
    /// The change that makes a home: the home itself with its default room, and its owner.
    public static func creation(id: UUID, defaultRoom: UUID, owner: UserRecord) -> Change {
        Change(
            verb: .homeCreated,
            subjects: [id],
            effects: [.put(.home(HomeRecord(id: id, defaultRoom: defaultRoom))), .put(.user(owner))]
        )
    }

    /// Decides a request: the one place where the rules of a home are.
    ///
    /// Nothing is changed; ``apply(_:)`` does that with the result. Someone who may not edit the layout learns nothing
    /// of what is there: the answer is the same for identities that exist and for those that do not.
    ///
    /// - Returns: What happens, its consequences included; nil if everything is so already.
    /// - Throws: ``HomeError`` with the rule that forbids it.
    public func decide(_ request: HomeRequest, by caller: Caller) throws(HomeError) -> Change? {
        guard role(of: caller.user)?.mayEditLayout == true else {
            throw HomeError(
                .insufficientPrivileges,
                "Only the owner and administrators of a home may change its layout."
            )
        }
        switch request {
        case .addRoom(let id, let name):
            return try addRoom(id, name: name)
        case .removeRoom(let id):
            return try removeRoom(id)
        case .renameRoom(let id, let name):
            return try renameRoom(id, name: name)
        case .addZone(let id, let name):
            return try addZone(id, name: name)
        case .removeZone(let id):
            return try removeZone(id)
        case .renameZone(let id, let name):
            return try renameZone(id, name: name)
        case .addRoomToZone(let room, let zone):
            return try addRoom(room, toZone: zone)
        case .removeRoomFromZone(let room, let zone):
            return try removeRoom(room, fromZone: zone)
        case .addAccessories(let candidates, let server, let name, let room):
            return try addAccessories(candidates, server: server, name: name, room: room)
        case .removeAccessory(let id):
            return try removeAccessory(id)
        case .renameAccessory(let id, let name):
            return try renameAccessory(id, name: name)
        case .moveAccessory(let id, let room):
            return try moveAccessory(id, room: room)
        case .updateAccessories(let candidates, let server):
            return try updateAccessories(candidates, server: server)
        case .renameService(let accessory, let iid, let name):
            return try renameService(accessory: accessory, iid: iid, name: name)
        }
    }
}

extension Home {
    /// Refuses a name that is none, or that someone else bears.
    ///
    /// - Parameter allowed: Bearers beside whom the name may stand.
    func checkName(_ name: String, beside allowed: (NameBearer) -> Bool = { _ in false }) throws(HomeError) {
        try NameRule.check(name)
        guard let bearer = names[FoldedName(name)].first(where: { !allowed($0) }) else { return }
        throw HomeError(.nameTaken, "The name \(name.shownInQuotes) is taken by \(description(of: bearer)).")
    }

    /// Refuses an identity that something in the home has.
    func checkIsNew(_ id: UUID) throws(HomeError) {
        guard
            id != self.id, !hasRoom(id), !zones.contains(id: id), !accessories.contains(id: id),
            !users.contains(id: id)
        else { throw HomeError(.alreadyAdded, "Something of the identity \(id) is in the home already.") }
    }

    func room(_ id: UUID) throws(HomeError) -> RoomRecord {
        if id == defaultRoom {
            throw HomeError(.defaultRoomFixed, "The default room can be neither renamed nor removed.")
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

    private func description(of bearer: NameBearer) -> String {
        switch bearer {
        case .defaultRoom: "the default room"
        case .room(let id): "the room \((rooms[id: id]?.name ?? "").shownInQuotes)"
        case .zone(let id): "the zone \((zones[id: id]?.name ?? "").shownInQuotes)"
        case .accessory(let id): "the accessory \((accessories[id: id]?.name ?? "").shownInQuotes)"
        case .service(let accessory, let iid):
            "the service \((accessories[id: accessory]?.serviceNames[iid] ?? "").shownInQuotes) of "
                + "\((accessories[id: accessory]?.name ?? "").shownInQuotes)"
        }
    }
}
