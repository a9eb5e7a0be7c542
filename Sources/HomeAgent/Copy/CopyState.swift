import Crypto
import Foundation
import HomeModel
import HubAPI

/// What a device knows of a hub's homes: what the agent's own session was told last.
///
/// It has the home's own user IDs and the homes' alias keys, so that each app is shown exactly what the hub would show it.
struct CopyState: Sendable {
    /// The account, the homes, the values and the last runs.
    var hub = HubState()
    /// The person, and the alias keys of the homes; `nil` until the hub has sent them.
    var keys: HomeKeys?
    /// The run of the hub that the copy is from.
    var run: UUID?
    /// The time of the last contact; `nil` if there was none.
    var lastContact: Date?

    /// Whether the device's person owns a home at the hub.
    var ownsHome: Bool {
        guard let user = keys?.user else { return false }
        return hub.homes.values.contains { $0.activeRole(of: user) == .owner }
    }

    /// Whether the copy can be shown to apps.
    var isComplete: Bool {
        guard let keys, hub.seen != nil else { return false }
        return hub.homes.keys.allSatisfy { keys.keys[$0] != nil }
    }

    /// Returns the copy as an app sees it; `nil` if the copy isn't complete.
    ///
    /// - Parameter error: Why no accessory can be reached; `nil` while the hub is in reach.
    func snapshot(for app: String, _ kind: SessionKind, because error: HubError?) -> Snapshot? {
        guard let keys, let seen = hub.seen, let projection = projection(for: app, kind) else { return nil }
        let homes = hub.homes.compactMap { id, home in
            seen.homes[id].map { (id, projection.log(home, at: $0)) }
        }
        return Snapshot(
            account: projection.log(Account(user: keys.user, records: hub.account.records), at: seen.account),
            homes: Dictionary(uniqueKeysWithValues: homes),
            values: hub.values,
            reachability: error.map(unreachable) ?? Array(hub.reachability.values),
            runs: Array(hub.runs.values)
        )
    }

    /// Returns the view that an app has of the homes; `nil` if the copy isn't complete.
    func projection(for app: String, _ kind: SessionKind) -> Projection? {
        guard isComplete, let keys else { return nil }
        let homeKeys = keys.keys.mapValues { SymmetricKey(data: $0) }
        return Projection(user: keys.user, app: app, kind: kind) { message, home in
            guard let key = homeKeys[home] else { return Array(repeating: 0, count: SHA256.byteCount) }
            return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        }
    }

    /// Returns that no accessory can be reached.
    private func unreachable(because error: HubError) -> [ReachabilityUpdate] {
        hub.homes.keys.flatMap { unreachable(in: $0, because: error) }
    }

    /// Returns that no accessory of a home can be reached.
    func unreachable(in home: UUID, because error: HubError) -> [ReachabilityUpdate] {
        hub.homes[home]?.accessories.map { ReachabilityUpdate(home: home, accessory: $0.id, because: error) } ?? []
    }
}

extension LogCursors {
    /// Returns whether a client at this position has nothing to be told from a copy at another: because it has all that the
    /// copy has, or because it knows something that the copy doesn't, which must not be taken back.
    ///
    /// The person's own log decides first, because its changes say which homes there are.
    func isUpToDate(with copy: LogCursors) -> Bool {
        guard account.lineage == copy.account.lineage else { return false }
        guard account.revision == copy.account.revision else { return account.revision > copy.account.revision }
        let isNewer = homes.contains { id, cursor in
            copy.homes[id].map { $0.lineage == cursor.lineage && $0.revision < cursor.revision } ?? false
        }
        return isNewer || homes == copy.homes
    }

    /// Returns whether positions are of the same homes as others, in the same lineages, and none is earlier.
    func isAtOrAfter(_ others: LogCursors) -> Bool {
        func isAtOrAfter(_ cursor: LogCursor, _ other: LogCursor) -> Bool {
            cursor.lineage == other.lineage && cursor.revision >= other.revision
        }
        return isAtOrAfter(account, others.account) && homes.count == others.homes.count
            && homes.allSatisfy { id, cursor in others.homes[id].map { isAtOrAfter(cursor, $0) } ?? false }
    }
}
