package import Foundation

extension Home {
    /// - Parameter giver: The role of the user who adds.
    func addUser(_ added: UserRecord, by giver: Role?) throws(HomeError) -> Change {
        let (id, role) = (added.id, added.role)
        if let user = users[id: id] {
            let reason = "\(user.name.quoted) is already a member of the home."
            throw HomeError(.alreadyAdded, reason, about: .user(user.name))
        }
        try checkIsNew(id)
        try checkCanBeGiven(role, by: giver)
        let name = NameRule.shortened(added.name)
        if name.isEmpty { throw HomeError(.nameEmpty, "A user needs a name.") }
        // Two users with one name couldn't be told apart.
        if users.contains(where: { FoldedName($0.name) == FoldedName(name) }) {
            throw HomeError(
                .nameTaken,
                "The name \(name.quoted) is taken by another user of the home. Add a last name.",
                about: .user(name),
                name: name
            )
        }
        try checkLimit(users.count < HomeLimits.usersPerHome, HomeLimits.usersPerHome, "users")
        var user = added
        user.name = name
        return Change(verb: .userAdded, subjects: [id], effects: [.put(.user(user))])
    }

    /// Returns the change that an invited user has joined; `nil` if the user isn't invited.
    package func joining(_ id: UUID) -> Change? {
        guard var user = users[id: id], user.isInvited else { return nil }
        user.isInvited = false
        return Change(verb: .userJoined, subjects: [id], effects: [.put(.user(user))])
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

    /// - Parameter giver: The role of the user who changes it.
    func setRole(_ role: Role, of id: UUID, by giver: Role?) throws(HomeError) -> Change? {
        var user = try user(id)
        guard user.role != role else { return nil }
        try checkCanBeGiven(role, by: giver)
        user.role = role
        return Change(verb: .userRoleChanged, subjects: [id], effects: [.put(.user(user))])
    }

    /// - Parameter giver: The role of the user who changes it. Administrators can't decide about each other, as with roles.
    func setMayBeAway(_ isAllowed: Bool, of id: UUID, by giver: Role?) throws(HomeError) -> Change? {
        guard var user = users[id: id] else { throw Self.noSuchUser }
        guard user.role != .owner else {
            throw HomeError(.ownerFixed, "The owner can always use the home from away. Remove a lost device instead.")
        }
        guard user.role == .guest || giver == .owner else {
            throw HomeError(.insufficientPrivileges, "Only the owner of a home decides this for administrators.")
        }
        guard user.mayBeAway != isAllowed else { return nil }
        user.awayChoice = isAllowed
        return Change(verb: .userAwayChanged, subjects: [id], effects: [.put(.user(user))])
    }

    /// - Parameter role: The role of the confirming user. An administrator could otherwise readmit users who the owner
    ///   knows were removed.
    func confirmUser(_ id: UUID, by role: Role?) throws(HomeError) -> Change? {
        guard role == .owner else {
            throw HomeError(.insufficientPrivileges, "Only the owner of a home may confirm users.")
        }
        var user = try user(id)
        guard user.isSuspended else { return nil }
        user.isSuspended = false
        return Change(verb: .userConfirmed, subjects: [id], effects: [.put(.user(user))])
    }

    /// Returns a user who may be removed or get another role.
    private func user(_ id: UUID) throws(HomeError) -> UserRecord {
        guard let user = users[id: id] else { throw Self.noSuchUser }
        guard user.role != .owner else {
            throw HomeError(.ownerFixed, "The owner can't be removed or get another role. Remove the home instead.")
        }
        return user
    }

    /// An administrator can't make others administrators: the owner alone decides who may change the home.
    private func checkCanBeGiven(_ role: Role, by giver: Role?) throws(HomeError) {
        if role == .owner { throw HomeError(.ownerFixed, "A home has one owner.") }
        guard role == .administrator || role == .guest else {
            throw HomeError(.invalidParameter, "\(role.rawValue.quoted) is not a role.")
        }
        if role == .administrator, giver != .owner {
            throw HomeError(.insufficientPrivileges, "Only the owner of a home can make administrators.")
        }
    }

    /// The error for an unknown user. Its reason has no ID, because clients know users by other IDs than the rules do.
    static var noSuchUser: HomeError { HomeError(.notFound, "There is no such user in the home.") }
}
