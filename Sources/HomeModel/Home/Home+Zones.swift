import Foundation

extension Home {
    func addZone(_ id: UUID, name: String) throws(HomeError) -> Change {
        try checkIsNew(id)
        try checkName(name)
        guard zones.count < HomeLimits.zonesPerHome else {
            throw HomeError(
                .limitExceeded,
                "A home has at most \(HomeLimits.zonesPerHome) zones.",
                limit: HomeLimits.zonesPerHome
            )
        }
        return Change(verb: .zoneAdded, subjects: [id], effects: [.put(.zone(ZoneRecord(id: id, name: name)))])
    }

    func removeZone(_ id: UUID) throws(HomeError) -> Change {
        let zone = try zone(id)
        return Change(verb: .zoneRemoved, subjects: [id], effects: [.remove(RecordID(.zone, zone.id))])
    }

    func renameZone(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var zone = try zone(id)
        try checkName(name) { $0 == .zone(id) }
        guard zone.name != name else { return nil }
        zone.name = name
        return Change(verb: .zoneRenamed, subjects: [id], effects: [.put(.zone(zone))])
    }

    func addRoom(_ id: UUID, toZone zoneID: UUID) throws(HomeError) -> Change {
        var zone = try zone(zoneID)
        if id == defaultRoom { throw HomeError(.defaultRoomNotInZone, "The default room can't be in a zone.") }
        let room = try room(id)
        if zone.rooms.contains(id) {
            throw HomeError(
                .alreadyInZone,
                "The room \(room.name.quoted) is already in the zone \(zone.name.quoted).",
                about: .zone(zone.id, zone.name),
                .room(id, room.name)
            )
        }
        zone.rooms.append(id)
        return Change(verb: .zoneRoomAdded, subjects: [zoneID, id], effects: [.put(.zone(zone))])
    }

    func removeRoom(_ id: UUID, fromZone zoneID: UUID) throws(HomeError) -> Change {
        var zone = try zone(zoneID)
        guard let name = roomName(id) else { throw Self.noRoom(id) }
        guard zone.rooms.contains(id) else {
            throw HomeError(
                .notInZone,
                "The room \(name.quoted) is not in the zone \(zone.name.quoted).",
                about: .zone(zone.id, zone.name),
                .room(id, name)
            )
        }
        zone.rooms.removeAll { $0 == id }
        return Change(verb: .zoneRoomRemoved, subjects: [zoneID, id], effects: [.put(.zone(zone))])
    }
}
