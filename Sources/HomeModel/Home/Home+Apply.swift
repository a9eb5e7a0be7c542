import Foundation

extension Home {
    /// Applies a change's effects in order. Checks no rules and never fails: records that do not fit are stored or
    /// ignored, so that every reader of a log arrives at the same state.
    package mutating func apply(_ change: Change) {
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
            if let old = zones.put(zone) { unindex(old) }
            index(zone)
        case .shape(let shape):
            shapes.put(shape)
        case .accessory(let accessory):
            if let old = accessories.put(accessory) { unindex(old) }
            index(accessory)
        case .serviceGroup(let group):
            if let old = serviceGroups.put(group) { unindex(old) }
            index(group)
        case .actionSet(let actionSet):
            if let old = actionSetRecords.put(actionSet) ?? builtInActionSet(actionSet.id) { unindex(old) }
            index(actionSet)
        case .trigger(let trigger):
            if let old = triggers.put(trigger) { unindex(old) }
            index(trigger)
        case .order(let order):
            if let old = orders.put(order) { unindex(old) }
            index(order)
        case .home, .accountHome, .accountFavorites, .accountApp, .accountDevice, .unknown:
            unknownRecords.put(UnknownRecord(record: record))
        }
    }

    private mutating func remove(_ id: RecordID) {
        unknownRecords.remove(id: id)
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
            if let old = zones.remove(id: identity) { unindex(old) }
        case .accessory:
            if let old = accessories.remove(id: identity) { unindex(old) }
        case .serviceGroup:
            if let old = serviceGroups.remove(id: identity) { unindex(old) }
        case .actionSet:
            guard let old = actionSetRecords.remove(id: identity) else { return }
            unindex(old)
            if let builtIn = builtInActionSet(identity) { index(builtIn) }
        case .trigger:
            if let old = triggers.remove(id: identity) { unindex(old) }
        case .order:
            if let old = orders.remove(id: identity) { unindex(old) }
        default:
            break
        }
    }
}
