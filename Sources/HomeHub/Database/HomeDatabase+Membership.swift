import Foundation
import HomeModel
import HubAPI

/// Consistency of users' lists of homes with their memberships.
///
/// A user's list follows from the homes of which the user is a member. Both changes are submitted together, but may not
/// reach the disk together. The hub repairs the lists when it starts.
extension HomeDatabase {
    /// Repairs every user's list, so that it contains exactly the homes of which the user is a member.
    ///
    /// A home that is added to a list gets the name that its owner uses for it.
    ///
    /// - Parameter hub: The hub's own caller.
    /// - Throws: ``HubError`` with `storeFailure`; some lists may be repaired then.
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

    /// Returns the changes that add missing homes to users' lists, and remove surplus homes.
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

    /// Returns the owner's name for a home, or else another member's.
    private func nameForMembers(_ home: UUID) -> String {
        let users = newest.homes[home]?.users.sorted { $0.role == .owner && $1.role != .owner } ?? []
        return users.lazy.compactMap { self.newest.accounts[$0.id]?.home(home)?.name }.first ?? Self.unnamedHome
    }

    /// The name of a home that has no name in any list.
    private static let unnamedHome = "Home"
}
