import Foundation
import HashTreeCollections

extension Home {
    func addRoom(_ id: UUID, name: String) throws(HomeError) -> Change {
        try checkIsNew(id)
        try checkName(name)
        guard rooms.count < HomeLimits.roomsPerHome else {
            throw HomeError(
                .limitExceeded,
                "A home has at most \(HomeLimits.roomsPerHome) rooms.",
                limit: HomeLimits.roomsPerHome
            )
        }
        return Change(verb: .roomAdded, subjects: [id], effects: [.put(.room(RoomRecord(id: id, name: name)))])
    }

    func removeRoom(_ id: UUID) throws(HomeError) -> Change {
        let room = try room(id)
        var effects: [Effect] = []
        let moved = accessories(inRoom: id)
        for var accessory in moved {
            accessory.room = defaultRoom
            effects.append(.put(.accessory(accessory)))
        }
        let zonesOfRoom = referrers[id].compactMap { referrer -> UUID? in
            guard case .zone(let zone) = referrer else { return nil }
            return zone
        }
        for var zone in zones.records(zonesOfRoom) {
            zone.rooms.removeAll { $0 == id }
            effects.append(.put(.zone(zone)))
        }
        effects += ordersAfter(losingRoom: id)
        effects.append(.remove(RecordID(.room, room.id)))
        return Change(verb: .roomRemoved, subjects: [id] + moved.map(\.id), effects: effects)
    }

    func renameRoom(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var room = try room(id)
        try checkName(name) { $0 == .room(id) }
        guard room.name != name else { return nil }
        room.name = name
        return Change(verb: .roomRenamed, subjects: [id], effects: [.put(.room(room))])
    }
}
