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

    /// Decides a request. This is the one way to change a home; each ``HomeRequest`` holds its own rule.
    ///
    /// Nothing is changed; ``apply(_:)`` does that with the result. A caller who can't edit the layout learns nothing about
    /// the home: the error is the same for IDs that exist and for those that don't.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The user, device and app that make it.
    ///   - now: The hub's time.
    /// - Returns: The change, consequences included, or `nil` if there is nothing to change.
    /// - Throws: ``HomeError`` with the rule that forbids it.
    package func decide(
        _ request: any HomeRequest,
        by caller: Caller,
        at now: Date
    ) throws(HomeError) -> Change? {
        let isLeaving = activeRole(of: caller.user) != nil && (request as? RemoveUser)?.id == caller.user
        if !isLeaving { try checkMayEdit(caller) }
        return try request.change(in: self, by: caller, at: now)
    }
}

extension Home {
    /// Throws if the caller may not change the layout.
    func checkMayEdit(_ caller: Caller) throws(HomeError) {
        guard activeRole(of: caller.user)?.canEditLayout == true else {
            throw HomeError(
                .insufficientPrivileges,
                "Only the owner and administrators of a home may change its layout."
            )
        }
    }

    /// Throws if the name is invalid or already in use.
    ///
    /// - Parameter isAllowed: A closure that returns whether a holder may have the same name.
    func checkName(_ name: String, allowing isAllowed: (NameHolder) -> Bool = { _ in false }) throws(HomeError) {
        try NameRule.check(name)
        guard let holder = names[FoldedName(name)].first(where: { !isAllowed($0) }) else { return }
        throw HomeError(
            .nameTaken,
            "The name \(name.quoted) is taken by \(description(of: holder)).",
            about: subject(of: holder),
            name: name
        )
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
        guard isBelow else {
            throw HomeError(.limitExceeded, "A home has at most \(limit) \(things).", limit: limit)
        }
    }

    func room(_ id: UUID) throws(HomeError) -> RoomRecord {
        if id == defaultRoom {
            throw HomeError(.defaultRoomFixed, "The default room can't be renamed or removed.", about: .room(id))
        }
        guard let room = rooms[id: id] else { throw Self.noRoom(id) }
        return room
    }

    /// The error for an unknown room.
    static func noRoom(_ id: UUID) -> HomeError {
        HomeError(.notFound, "There is no room \(id) in the home.", about: .room(id))
    }

    func zone(_ id: UUID) throws(HomeError) -> ZoneRecord {
        guard let zone = zones[id: id] else {
            throw HomeError(.notFound, "There is no zone \(id) in the home.", about: .zone(id))
        }
        return zone
    }

    func accessory(_ id: UUID) throws(HomeError) -> AccessoryRecord {
        guard let accessory = accessories[id: id] else {
            throw HomeError(.notFound, "There is no accessory \(id) in the home.", about: .accessory(id))
        }
        return accessory
    }

    /// Returns a human-readable description of a name's holder.
    func description(of holder: NameHolder) -> String {
        switch holder {
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
