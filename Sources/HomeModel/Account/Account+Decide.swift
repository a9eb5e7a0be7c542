import Foundation

extension Account {
    /// Decides a request without changing anything. All rules about a user's list of homes are here.
    ///
    /// - Returns: The change with all its consequences; `nil` if nothing would change.
    /// - Throws: ``HomeError`` with the rule that the request breaks.
    package func decide(_ request: AccountRequest) throws(HomeError) -> Change? {
        switch request {
        case .addHome(let id, let name): try addHome(id, name: name)
        case .removeHome(let id): try removeHome(id)
        case .renameHome(let id, let name): try renameHome(id, name: name)
        case .setPrimaryHome(let id): try setPrimaryHome(id)
        case .decideApp(let id, let purpose, let isAllowed): try decideApp(id, purpose: purpose, isAllowed: isAllowed)
        case .forgetApp(let id): try forgetApp(id)
        case .addFavorites(let favorites, let home, let next): try addFavorites(favorites, in: home, before: next)
        case .moveFavorite(let favorite, let home, let next): try moveFavorite(favorite, in: home, before: next)
        case .removeFavorite(let favorite, let home): try removeFavorite(favorite, in: home)
        case .addDevice(let device, let limit): try addDevice(device, limit: limit)
        case .renameDevice(let id, let name): try renameDevice(id, name: name)
        case .removeDevices(let ids, let time): try removeDevices(ids, at: time)
        case .setDeviceKeys(let id, let box, let relayKey): try setDeviceKeys(id, box: box, relayKey: relayKey)
        case .confirmDevices(let ids): try confirmDevices(ids)
        }
    }

    private func addHome(_ id: UUID, name: String) throws(HomeError) -> Change {
        guard home(id) == nil else {
            throw HomeError(.alreadyAdded, "The home \(id) is already in the user's list.")
        }
        try checkName(name, of: id)
        guard homes.count < HomeLimits.homesPerUser else {
            let limit = HomeLimits.homesPerUser
            throw HomeError(.limitExceeded, "A user has at most \(limit) homes.", limit: limit)
        }
        let last = homes.last?.order ?? 0
        // Only a damaged log has an order at the end of the range; the home then sorts by its ID.
        let order = last == .max ? last : last + 1
        let record = AccountHomeRecord(id: id, name: name, isPrimary: primaryHome == nil, order: order)
        return Change(verb: .homeAdded, subjects: [id], effects: [.put(.accountHome(record))])
    }

    private func removeHome(_ id: UUID) throws(HomeError) -> Change {
        let removed = try existingHome(id)
        var change = Change(verb: .homeRemoved, subjects: [id], effects: [.remove(RecordID(.accountHome, id))])
        if favoriteRecords.contains(id: id) { change.effects.append(.remove(RecordID(.accountFavorites, id))) }
        if removed.isPrimary, let index = homes.firstIndex(of: removed) {
            let others = homes[(index + 1)...] + homes[..<index]
            if var next = others.first {
                next.isPrimary = true
                change.subjects.append(next.id)
                change.effects.append(.put(.accountHome(next)))
            }
        }
        return change
    }

    private func renameHome(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var home = try existingHome(id)
        try checkName(name, of: id)
        guard home.name != name else { return nil }
        home.name = name
        return Change(verb: .homeRenamed, subjects: [id], effects: [.put(.accountHome(home))])
    }

    private func setPrimaryHome(_ id: UUID) throws(HomeError) -> Change? {
        var home = try existingHome(id)
        guard !home.isPrimary else { return nil }
        var effects: [Effect] = []
        for var previous in homes where previous.isPrimary {
            previous.isPrimary = false
            effects.append(.put(.accountHome(previous)))
        }
        home.isPrimary = true
        effects.append(.put(.accountHome(home)))
        return Change(verb: .primaryHomeChanged, subjects: [id], effects: effects)
    }

    private func decideApp(_ id: String, purpose: String, isAllowed: Bool) throws(HomeError) -> Change? {
        guard !id.isEmpty, id.unicodeScalars.count <= HomeLimits.appIdentifierLength else {
            throw HomeError(.invalidParameter, "\(id.quoted) is not a valid app identifier.")
        }
        let purpose = purpose.reportedText(length: HomeLimits.purposeLength)
        let app = AccountAppRecord(id: id, purpose: purpose, isAllowed: isAllowed)
        guard apps[id: id] != app else { return nil }
        guard apps.count < HomeLimits.appsPerUser || apps.contains(id: id) else {
            let limit = HomeLimits.appsPerUser
            throw HomeError(.limitExceeded, "A user has at most \(limit) apps.", limit: limit)
        }
        return Change(verb: .appDecided, subjects: [], effects: [.put(.accountApp(app))])
    }

    private func forgetApp(_ id: String) throws(HomeError) -> Change {
        guard apps.contains(id: id) else {
            throw HomeError(.notFound, "The app \(id.quoted) was neither allowed nor denied.")
        }
        return Change(verb: .appForgotten, subjects: [], effects: [.remove(RecordID(kind: .accountApp, id: id))])
    }

    private func existingHome(_ id: UUID) throws(HomeError) -> AccountHomeRecord {
        guard let home = home(id) else { throw HomeError(.notFound, "There is no home \(id).", about: .home(id)) }
        return home
    }

    private func checkName(_ name: String, of id: UUID) throws(HomeError) {
        try NameRule.check(name)
        if let other = home(named: name), other.id != id {
            throw HomeError(
                .nameTaken,
                "The name \(name.quoted) is taken by the home \(other.name.quoted).",
                about: .home(other.id, other.name),
                name: name
            )
        }
    }
}
