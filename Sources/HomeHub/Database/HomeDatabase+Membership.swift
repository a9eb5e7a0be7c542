import Foundation
import HomeModel
import HubAPI

/// A user's list of homes follows from the homes of which the user is a member. Both are brought on the way together, and
/// they need not come to the disk together: what is missing in a list, or too much, is mended when the hub starts.
extension HomeDatabase {
    /// Has every list name the homes of which its user is a member, and no other.
    ///
    /// A home that is added to a list gets the name that its owner has for it.
    ///
    /// - Parameter hub: The hub's own caller.
    /// - Throws: `storeFailure`; some lists may have been mended then.
    func followMemberships(asHub hub: Caller) async throws(HubError) {
        for (user, changes) in try listsToMend() {
            for change in changes {
                try await submit(deciding: { () throws(HubError) in
                    let draft = self.draft(change, in: .account(user), by: hub, cause: .hub)
                    return Decision(drafts: [draft], change: change)
                })
                .committed()
            }
        }
    }

    /// What is missing in users' lists of homes, or too much.
    private func listsToMend() throws(HubError) -> [(user: UUID, changes: [Change])] {
        var memberships: [UUID: Set<UUID>] = [:]
        for home in newest.homes.values {
            for user in home.users { memberships[user.id, default: []].insert(home.id) }
        }
        var mended: [(user: UUID, changes: [Change])] = []
        for user in Set(memberships.keys).union(newest.accounts.keys) {
            var account = newest.account(of: user)
            var changes: [Change] = []
            let listed = Set(account.homes.map(\.id))
            let member = memberships[user] ?? []
            for home in account.homes.map(\.id) where !member.contains(home) {
                let change = try rule { () throws(HomeError) in try account.decide(.removeHome(home)) }
                if let change { account.apply(change); changes.append(change) }
            }
            for home in member.subtracting(listed).sorted(by: { $0.uuidString < $1.uuidString }) {
                let change = try rule { () throws(HomeError) in try account.joining(home, named: nameForMembers(home)) }
                if let change { account.apply(change); changes.append(change) }
            }
            if !changes.isEmpty { mended.append((user, changes)) }
        }
        return mended
    }

    /// What the owner of a home calls it, or else another member.
    private func nameForMembers(_ home: UUID) -> String {
        let users = newest.homes[home]?.users.sorted { $0.role == .owner && $1.role != .owner } ?? []
        return users.lazy.compactMap { self.newest.accounts[$0.id]?.home(home)?.name }.first ?? Self.unnamedHome
    }

    /// What a home is called that no list has a name for.
    private static let unnamedHome = "Home"
}
