import Foundation
import HomeModel
import HubAPI
import SealedFeed

/// What an update of a feed changes in a copy, event by event.
struct FeedNews: Sendable {
    /// An event, and the copy before and after it.
    struct Step: Sendable {
        /// The event as the hub tells it an agent.
        var event: HubEvent
        /// The event as it is stored.
        var stored: HubEvent
        /// The copy before the event.
        var before: CopyState
        /// The copy with the event.
        var after: CopyState
    }

    /// The copy with all events.
    private(set) var copy: CopyState
    /// The events that change the copy.
    private(set) var steps: [Step] = []
    /// Whether the copy is another one.
    private(set) var hasChanged = false

    /// Creates news that change nothing.
    init(_ copy: CopyState) {
        self.copy = copy
    }

    /// Takes the events of an update. Those that the copy has already change nothing.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - keys: The alias keys of all homes, if the update has them.
    ///   - isKnown: Whether the hub itself has told the device of a later place, so that a base of another lineage is an old one.
    mutating func take(_ events: [HubEvent], _ keys: FeedHomeKeys?, isKnown: Bool) {
        var isBase = false
        if case .reset(let snapshot)? = events.first, let seen = copy.hub.seen {
            let cursors = LogCursors(snapshot)
            let isOld = seen.isUpToDate(with: cursors) || (isKnown && !seen.isComparable(with: cursors))
            guard !isOld else { return take(keys, replacing: false) }
            isBase = true
        }
        take(keys, replacing: isBase)
        for event in events { take(event) }
    }

    private mutating func take(_ keys: FeedHomeKeys?, replacing: Bool) {
        guard let keys else { return }
        // Further homes may have come over a connection.
        let others = replacing ? [:] : copy.keys?.keys ?? [:]
        let new = HomeKeys(user: keys.user, keys: keys.keys.merging(others) { $1 })
        guard new != copy.keys else { return }
        copy.keys = new
        hasChanged = true
    }

    private mutating func take(_ event: HubEvent) {
        var stored = event
        switch event {
        case .reset(let snapshot): stored = .reset(withKnownValues(snapshot))
        case .change(let change):
            guard let seen = copy.hub.seen, !seen.include(change) else { return }
            // A home begins with the change that tells it whole. This is of one that the copy has left behind.
            if let home = change.home, change.user == nil, seen.homes[home] == nil { return }
            // A log begins another lineage with a base only. This is one that the copy has left behind.
            if let cursor = change.home.map({ seen.homes[$0] }) ?? seen.account, cursor.lineage != change.lineage {
                return
            }
        case .homeGone(let home):
            guard copy.hub.seen?.homes[home] != nil else { return }
        default: return
        }
        let before = copy
        copy.hub.apply(stored)
        steps.append(Step(event: event, stored: stored, before: before, after: copy))
        hasChanged = true
    }

    /// Returns a snapshot with the last known values and runs, because feeds have none.
    private func withKnownValues(_ snapshot: Snapshot) -> Snapshot {
        var snapshot = snapshot
        snapshot.values = copy.hub.values.filter { snapshot.homes[$0] != nil }
        for (home, accessories) in snapshot.values.accessories {
            let kept = snapshot.homes[home]?.records.compactMap { record in
                if case .accessory(let accessory) = record { accessory.id } else { nil }
            }
            snapshot.values.remove(accessories: accessories.subtracting(kept ?? []), in: home)
        }
        snapshot.runs = copy.hub.runs.values.filter { snapshot.homes[$0.home] != nil }
        return snapshot
    }
}

extension FeedNews.Step {
    /// Returns what the hub would send a client, which is out of its reach.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - seen: The client's position, which follows.
    ///   - error: Why no accessory can be reached.
    func events(for client: SessionClient, _ seen: inout LogCursors, because error: HubError) -> [HubEvent] {
        let app = client.hello.app
        switch event {
        case .reset:
            guard let snapshot = after.snapshot(for: app, client.kind, because: error) else { return [] }
            let cursors = LogCursors(snapshot)
            guard cursors != seen else { return [] }
            seen = cursors
            return [.reset(snapshot)]
        case .homeGone(let home):
            return seen.homes.removeValue(forKey: home) == nil ? [] : [event]
        case .change(let change):
            guard !seen.include(change), let projection = after.projection(for: app, client.kind) else { return [] }
            seen.follow(change)
            return events(change, projection, client, because: error)
        default:
            return []
        }
    }

    private func events(
        _ change: LogChange,
        _ projection: Projection,
        _ client: SessionClient,
        because error: HubError
    ) -> [HubEvent] {
        let cursor = LogCursor(lineage: change.lineage, revision: change.revision)
        guard let id = change.home, let home = after.hub.homes[id] else {
            let log = LogID.account(projection.user)
            return [.change(projection.change(change.change, in: log, at: cursor, as: nil, isMine: false))]
        }
        guard change.user == nil else {
            let new = HubEvent.change(projection.homeChange(of: home, at: cursor, isMine: false))
            let reachability = after.unreachable(in: id, because: error)
            return reachability.isEmpty ? [new] : [new, .reachability(reachability)]
        }
        let role = home.activeRole(of: projection.user)
        let changed = projection.change(change.change, in: .home(id), at: cursor, as: role, isMine: false)
        var events = [HubEvent.change(changed)]
        let former = before.hub.homes[id]?.activeRole(of: projection.user)
        if projection.seesPlace(as: former) != projection.seesPlace(as: role),
            let snapshot = after.snapshot(for: client.hello.app, client.kind, because: error)
        {
            // The change of the role doesn't contain what the client may see now, or must not see any longer.
            events.append(.reset(snapshot))
        }
        let known = Set(before.hub.homes[id]?.accessories.map(\.id) ?? [])
        let added = after.unreachable(in: id, because: error).filter { !known.contains($0.accessory) }
        if !added.isEmpty { events.append(.reachability(added)) }
        return events
    }
}

extension LogCursors {
    /// Returns whether positions are in the same lineages as others, so that they say which is later.
    fileprivate func isComparable(with other: LogCursors) -> Bool {
        account.lineage == other.account.lineage
            && homes.allSatisfy { id, cursor in other.homes[id].map { $0.lineage == cursor.lineage } ?? true }
    }
}
