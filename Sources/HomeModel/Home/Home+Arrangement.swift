package import Foundation
import HashTreeCollections

// The order of rooms and tiles, and how services and scenes are shown.

extension Home {
    /// The rooms in the order that users gave them, without the default room.
    package var orderedRooms: [RoomRecord] {
        Self.ordered(Array(rooms), by: orders[id: id]?.rooms ?? [], \.id)
    }

    /// Returns the tiles in a room, in the order that users gave them.
    package func tiles(inRoom room: UUID) -> [(accessory: AccessoryRecord, service: ServiceShape)] {
        let tiles = accessories(inRoom: room).flatMap { accessory in
            services(of: accessory).tiles.map { (accessory: accessory, service: $0) }
        }
        return Self.ordered(tiles, by: orders[id: room]?.services ?? []) {
            ServiceIdentity(accessory: $0.accessory.id, service: Self.serviceID(of: $0.service.iid, in: $0.accessory))
        }
    }

    /// Returns the items that a list names in its order, then the others in theirs.
    private static func ordered<Item, ID: Hashable>(_ items: [Item], by list: [ID], _ id: (Item) -> ID) -> [Item] {
        guard !list.isEmpty else { return items }
        let ranks = Dictionary(zip(list, list.indices)) { first, _ in first }
        return items.enumerated()
            .map { (rank: (ranks[id($0.element)] ?? list.count, $0.offset), item: $0.element) }
            .sorted { $0.rank < $1.rank }.map(\.item)
    }

    /// Returns the items with one of them before another, or at the end.
    static func moved<ID: Equatable>(_ item: ID, before next: ID?, in items: [ID]) -> [ID] {
        guard item != next else { return items }
        var items = items.filter { $0 != item }
        items.insert(item, at: next.flatMap { items.firstIndex(of: $0) } ?? items.endIndex)
        return items
    }
}

extension Home {
    func reorderRoom(_ id: UUID, before next: UUID?) throws(HomeError) -> Change? {
        _ = try room(id)
        if let next { _ = try room(next) }
        let current = orderedRooms.map(\.id)
        var order = orders[id: self.id] ?? OrderRecord(id: self.id)
        order.rooms = Self.moved(id, before: next, in: current)
        guard order.rooms != current else { return nil }
        return Change(verb: .roomOrderChanged, subjects: [id], effects: [.put(.order(order))])
    }

    func reorderService(_ service: ServiceIdentity, before next: ServiceIdentity?) throws(HomeError) -> Change? {
        let room = try tile(service).room
        if let next, try tile(next).room != room {
            throw HomeError(.invalidParameter, "Services can only be ordered within a room.")
        }
        let current = tiles(inRoom: room).map {
            ServiceIdentity(accessory: $0.accessory.id, service: Self.serviceID(of: $0.service.iid, in: $0.accessory))
        }
        guard current.count <= HomeLimits.orderedServicesPerRoom else {
            let limit = HomeLimits.orderedServicesPerRoom
            throw HomeError(
                .limitExceeded,
                "A room with more than \(limit) services can't be ordered.",
                limit: limit
            )
        }
        var order = orders[id: room] ?? OrderRecord(id: room)
        order.services = Self.moved(service, before: next, in: current)
        guard order.services != current else { return nil }
        return Change(
            verb: .serviceOrderChanged,
            subjects: [service.accessory, service.service],
            effects: [.put(.order(order))]
        )
    }

    func setHidden(_ isHidden: Bool, accessory id: UUID, iid: UInt64) throws(HomeError) -> Change? {
        try setting(\.hiddenServices, isHidden, accessory: id, iid: iid)
    }

    func setAsksFirst(_ asksFirst: Bool, accessory id: UUID, iid: UInt64) throws(HomeError) -> Change? {
        try setting(\.servicesAskingFirst, asksFirst, accessory: id, iid: iid)
    }

    func setIcon(_ icon: SceneIcon?, ofActionSet id: UUID) throws(HomeError) -> Change? {
        guard var actionSet = actionSet(id), actionSet.type != .triggerOwned else {
            throw HomeError(.notFound, "There is no scene \(id) in the home.", about: .scene(id))
        }
        if let icon, !SceneIcon.choices.contains(icon) {
            let names = SceneIcon.choices.map(\.rawValue).joined(separator: ", ")
            throw HomeError(.invalidParameter, "\(icon.rawValue.abbreviated) is not an icon. The icons are \(names).")
        }
        guard actionSet.icon != icon else { return nil }
        actionSet.icon = icon
        return Change(verb: .actionSetIconChanged, subjects: [id], effects: [.put(.actionSet(actionSet))])
    }

    /// Throws if a favorite isn't a tile or a scene of the home.
    package func check(_ favorite: Favorite) throws(HomeError) {
        switch favorite {
        case .service(let service):
            _ = try tile(service)
        case .actionSet(let id):
            guard let actionSet = actionSet(id), actionSet.type != .triggerOwned else {
                throw HomeError(.notFound, "There is no scene \(id) in the home.", about: .scene(id))
            }
        }
    }

    /// Returns the orders that change when accessories are removed, without their services.
    func orders(without accessories: Set<UUID>, _ orders: [UUID]) -> [Effect] {
        self.orders.records(orders).map { old in
            var order = old
            order.services.removeAll { accessories.contains($0.accessory) }
            return order.isEmpty ? .remove(RecordID(.order, order.id)) : .put(.order(order))
        }
    }

    /// Returns the effects on orders of removing a room.
    func ordersAfter(losingRoom room: UUID) -> [Effect] {
        var effects: [Effect] = []
        if orders.contains(id: room) { effects.append(.remove(RecordID(.order, room))) }
        if var order = orders[id: id], order.rooms.contains(room) {
            order.rooms.removeAll { $0 == room }
            effects.append(order.isEmpty ? .remove(RecordID(.order, id)) : .put(.order(order)))
        }
        return effects
    }

    /// Returns the accessory of a service that is a tile.
    private func tile(_ identity: ServiceIdentity) throws(HomeError) -> AccessoryRecord {
        guard let found = service(identity), services(of: found.accessory).role(of: found.shape) == .tile else {
            throw HomeError(.notFound, "There is no service \(identity.service) in the home that is shown by itself.")
        }
        return found.accessory
    }

    private func setting(
        _ services: WritableKeyPath<AccessoryRecord, Set<UInt64>>,
        _ isMember: Bool,
        accessory id: UUID,
        iid: UInt64
    ) throws(HomeError) -> Change? {
        var accessory = try accessory(id)
        guard self.services(of: accessory).contains(where: { $0.iid == iid }) else {
            throw Self.noService(iid, of: accessory)
        }
        guard accessory[keyPath: services].contains(iid) != isMember else { return nil }
        if isMember { accessory[keyPath: services].insert(iid) } else { accessory[keyPath: services].remove(iid) }
        let service = Self.serviceID(of: iid, in: accessory)
        return Change(verb: .serviceDisplayChanged, subjects: [id, service], effects: [.put(.accessory(accessory))])
    }
}
