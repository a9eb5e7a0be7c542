import Foundation

extension Home {
    /// Follows a change's effects, in their order. Knows no rule and never fails: what does not fit is kept or passed
    /// over, so that every reader of a log ends with the same state.
    public mutating func apply(_ change: Change) {
        for effect in change.effects {
            switch effect {
            case .put(let record): put(record)
            case .remove(let id): remove(id)
            }
        }
    }

    mutating func put(_ record: Record) {
        switch record {
        case .home(let home) where home.id == id:
            self.record = home
        case .user(let user):
            users.put(user)
        case .room(let room):
            if let old = rooms.put(room) { names.remove(.room(old.id), old.name) }
            names.insert(.room(room.id), room.name)
        case .zone(let zone):
            if let old = zones.put(zone) { names.remove(.zone(old.id), old.name) }
            names.insert(.zone(zone.id), zone.name)
        case .shape(let shape):
            shapes.put(shape)
        case .accessory(let accessory):
            if let old = accessories.put(accessory) { unindex(old) }
            index(accessory)
        case .home, .accountHome, .unknown:
            strangers.put(StrangerRecord(record: record))
        }
    }

    private mutating func remove(_ id: RecordID) {
        strangers.remove(id: id)
        if id.kind == .shape {
            shapes.remove(id: ShapeID(rawValue: id.id))
            return
        }
        guard let identity = id.uuid else { return }
        switch id.kind {
        case .home where identity == self.id:
            record = nil
        case .user:
            users.remove(id: identity)
        case .room:
            if let old = rooms.remove(id: identity) { names.remove(.room(old.id), old.name) }
        case .zone:
            if let old = zones.remove(id: identity) { names.remove(.zone(old.id), old.name) }
        case .accessory:
            if let old = accessories.remove(id: identity) { unindex(old) }
        default:
            break
        }
    }

    private mutating func index(_ accessory: AccessoryRecord) {
        names.insert(.accessory(accessory.id), accessory.name)
        for (iid, name) in accessory.serviceNames { names.insert(.service(accessory: accessory.id, iid: iid), name) }
        accessoriesByRoom.insert(accessory.id, under: accessory.room)
        accessoriesByServer.insert(accessory.id, under: accessory.server)
        accessoriesByShape.insert(accessory.id, under: accessory.shape)
        if let bridge = accessory.bridge { accessoriesByBridge.insert(accessory.id, under: bridge) }
    }

    private mutating func unindex(_ accessory: AccessoryRecord) {
        names.remove(.accessory(accessory.id), accessory.name)
        for (iid, name) in accessory.serviceNames { names.remove(.service(accessory: accessory.id, iid: iid), name) }
        accessoriesByRoom.remove(accessory.id, under: accessory.room)
        accessoriesByServer.remove(accessory.id, under: accessory.server)
        accessoriesByShape.remove(accessory.id, under: accessory.shape)
        if let bridge = accessory.bridge { accessoriesByBridge.remove(accessory.id, under: bridge) }
    }
}
