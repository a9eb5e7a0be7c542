import Foundation

extension Home {
    func addUser(_ id: UUID, name: String, role: Role) throws(HomeError) -> Change {
        if let user = users[id: id] {
            throw HomeError(.alreadyAdded, "\(user.name.shownInQuotes) has a part in the home already.")
        }
        try checkIsNew(id)
        try checkCanBeGiven(role)
        let name = NameRule.shortened(name)
        if name.isEmpty { throw HomeError(.nameEmpty, "A person needs a name.") }
        try checkLimit(users.count < HomeLimits.usersPerHome, HomeLimits.usersPerHome, "people")
        let user = UserRecord(id: id, name: name, role: role)
        return Change(verb: .userAdded, subjects: [id], effects: [.put(.user(user))])
    }

    func removeUser(_ id: UUID) throws(HomeError) -> Change {
        let user = try user(id)
        let triggers = triggersAfter(losingUser: user.id)
        return Change(
            verb: .userRemoved,
            subjects: [id] + triggers.map(\.id),
            effects: triggers.map { .put(.trigger($0)) } + [.remove(RecordID(.user, id))]
        )
    }

    func setRole(_ role: Role, of id: UUID) throws(HomeError) -> Change? {
        var user = try user(id)
        try checkCanBeGiven(role)
        guard user.role != role else { return nil }
        user.role = role
        return Change(verb: .userRoleChanged, subjects: [id], effects: [.put(.user(user))])
    }

    /// - Parameter role: What the one who confirms may do: an administrator might otherwise let others in again whom only
    ///   the owner knows to have gone.
    func confirmUser(_ id: UUID, by role: Role?) throws(HomeError) -> Change? {
        guard role == .owner else {
            throw HomeError(.insufficientPrivileges, "Only the owner of a home may confirm people.")
        }
        var user = try user(id)
        guard user.isSuspended else { return nil }
        user.isSuspended = false
        return Change(verb: .userConfirmed, subjects: [id], effects: [.put(.user(user))])
    }

    /// A person who may go or get another role.
    private func user(_ id: UUID) throws(HomeError) -> UserRecord {
        guard let user = users[id: id] else { throw Self.noSuchPerson }
        guard user.role != .owner else {
            throw HomeError(.ownerFixed, "The owner of a home stays its owner. The home itself can be removed.")
        }
        return user
    }

    private func checkCanBeGiven(_ role: Role) throws(HomeError) {
        if role == .owner { throw HomeError(.ownerFixed, "A home has one owner.") }
        guard role == .administrator || role == .guest else {
            throw HomeError(.invalidParameter, "\(role.rawValue.shownInQuotes) is no role.")
        }
    }

    /// Its reason names no ID: the one that a rule knows is not the one that the client knows.
    static var noSuchPerson: HomeError { HomeError(.notFound, "There is no such person in the home.") }
}
