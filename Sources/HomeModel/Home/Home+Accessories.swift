import Foundation
import HAPCatalog

extension Home {
    func addAccessories(
        _ candidates: [AccessoryCandidate],
        server: String,
        name: String?,
        room: UUID?
    ) throws(HomeError) -> Change {
        guard !server.isEmpty, server.utf8.count <= HomeLimits.reportedTextLength else {
            throw HomeError(.invalidParameter, "\(server.quoted) is not a valid device ID.")
        }
        guard accessoriesByServer.count(server) == 0 else {
            throw HomeError(.alreadyAdded, "The accessories of \(server.abbreviated) are already in the home.")
        }
        let room = room ?? defaultRoom
        guard hasRoom(room) else { throw Self.noRoom(room) }
        try AccessoryCandidate.check(candidates)
        guard let primary = candidates.primary else {
            throw HomeError(.invalidParameter, "There is no accessory to add.")
        }
        try checkRoom(forMore: candidates.count)
        for candidate in candidates { try checkIsNew(candidate.id) }
        if let name { try checkName(name) }

        let isBridge = candidates.count > 1 || primary.category == .bridge
        var generator = NameGenerator(names: names)
        var interner = ShapeInterner(shapes: shapes)
        var accessories: [AccessoryRecord] = []
        for candidate in [primary] + candidates.filter({ $0.id != primary.id }) {
            let isPrimary = candidate.id == primary.id
            accessories.append(
                candidate.record(
                    named: isPrimary ? name : nil,
                    by: &generator,
                    shapes: &interner,
                    server: server,
                    room: room,
                    bridge: isPrimary ? nil : primary.id,
                    isBridge: isPrimary && isBridge
                )
            )
        }
        return Change(
            verb: .accessoriesAdded,
            subjects: accessories.map(\.id),
            effects: interner.added.map { .put(.shape($0)) } + accessories.map { .put(.accessory($0)) }
        )
    }

    func removeAccessory(_ id: UUID) throws(HomeError) -> Change {
        let accessory = try accessory(id)
        // An accessory that vanished from its bridge does not return if the device is gone, so users may remove it.
        guard accessory.bridge == nil || accessory.isAbsent else {
            throw HomeError(
                .bridgedNotRemovable,
                "\(accessory.name.quoted) is a bridged accessory. Remove its bridge with all its accessories instead.",
                about: .accessory(id, accessory.name)
            )
        }
        let removed = [accessory] + (accessory.isBridge ? accessories(behind: id) : [])
        return Change(
            verb: .accessoriesRemoved,
            subjects: removed.map(\.id),
            effects: consequences(ofRemoving: Set(removed.map(\.id)))
                + removed.map { .remove(RecordID(.accessory, $0.id)) } + removalOfShapes(replaced: removed, by: [])
        )
    }

    func renameAccessory(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var accessory = try accessory(id)
        try checkName(name) { holder in
            switch holder {
            case .accessory(id): true
            case .service(let owner, _): owner == id
            default: false
            }
        }
        guard accessory.name != name else { return nil }
        accessory.name = name
        return Change(verb: .accessoryRenamed, subjects: [id], effects: [.put(.accessory(accessory))])
    }

    func moveAccessory(_ id: UUID, room: UUID) throws(HomeError) -> Change? {
        var accessory = try accessory(id)
        guard hasRoom(room) else { throw Self.noRoom(room) }
        guard accessory.room != room else { return nil }
        accessory.room = room
        return Change(verb: .accessoryMoved, subjects: [id, room], effects: [.put(.accessory(accessory))])
    }

    func blockAccessory(_ id: UUID) throws(HomeError) -> Change? {
        let accessory = try accessory(id)
        guard accessory.bridge == nil else {
            throw HomeError(
                .bridgedNotBlockable,
                "\(accessory.name.quoted) is a bridged accessory. Block its bridge with all its accessories instead.",
                about: .accessory(id, accessory.name)
            )
        }
        return setBlocked(true, server: accessory.server, verb: .accessoriesBlocked)
    }

    func unblockAccessory(_ id: UUID) throws(HomeError) -> Change? {
        setBlocked(false, server: try accessory(id).server, verb: .accessoriesUnblocked)
    }

    private func setBlocked(_ isBlocked: Bool, server: String, verb: Verb) -> Change? {
        var changed = accessories(onServer: server).filter { $0.isBlocked != isBlocked }
        guard !changed.isEmpty else { return nil }
        for index in changed.indices { changed[index].isBlocked = isBlocked }
        return Change(verb: verb, subjects: changed.map(\.id), effects: changed.map { .put(.accessory($0)) })
    }

    /// Throws if adding this many accessories would exceed the limit of the home.
    func checkRoom(forMore count: Int) throws(HomeError) {
        guard accessories.count + count <= HomeLimits.accessoriesPerHome else {
            throw HomeError(
                .limitExceeded,
                "A home has at most \(HomeLimits.accessoriesPerHome) accessories.",
                limit: HomeLimits.accessoriesPerHome
            )
        }
    }

    /// Returns the removal of the shapes that no accessory uses after some records are replaced with others.
    func removalOfShapes(replaced old: [AccessoryRecord], by new: [AccessoryRecord]) -> [Effect] {
        var uses: [ShapeID: Int] = [:]
        var order: [ShapeID] = []
        for accessory in old {
            if uses[accessory.shape] == nil { order.append(accessory.shape) }
            uses[accessory.shape, default: accessoriesByShape.count(accessory.shape)] -= 1
        }
        for accessory in new where uses[accessory.shape] != nil { uses[accessory.shape, default: 0] += 1 }
        return order.filter { uses[$0] == 0 }.map { .remove(RecordID($0)) }
    }
}
