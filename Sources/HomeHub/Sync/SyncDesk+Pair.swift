import Foundation
import HomeIdentity
import HomeStore
import Logging
import Replication
import SealedFeed

/// What the desk does at one of two hubs: only the one that leads writes feeds.
extension SyncDesk {
    /// Handles that this hub leads from now on, or doesn't any more. It doesn't wait: the batches that the desk stores come after it.
    nonisolated func change(to role: HubRole) {
        let term: Int? = if case .leading(let term) = role { term } else { nil }
        addTurn { desk in await desk.lead(in: term) }
    }

    /// Handles that this hub is alone from now on.
    nonisolated func endPair() {
        addTurn { desk in await desk.lead(in: 0) }
    }

    /// Handles batches that this hub has applied: the leader may have changed what both store of the relay.
    nonisolated func receive(_ batches: [AppliedBatch]) {
        let isOther = batches.lazy.compactMap(\.content).flatMap(\.steps).contains { step in
            if case .setSecrets(let values) = step { values.keys.contains(StoredSync.key) } else { false }
        }
        if isOther { reload() }
    }

    /// Handles that the store may have something else of the relay than the desk.
    nonisolated func reload() {
        addTurn { desk in
            // The leader knows what it has stored.
            if await desk.leading == nil { await desk.follow() }
        }
    }

    /// Begins or stops writing.
    ///
    /// - Parameter term: The term in which the hub leads; 0 if it is alone, and `nil` if it doesn't lead.
    private func lead(in term: Int?) async {
        await closeFeeds()
        house = nil
        leading = term
        guard term != nil else { return }
        await load()
        await openFeeds()
        endFeeds()
    }

    /// Takes over what the leader has stored, and tells this hub's devices if there are other feeds, or the relay has other pins.
    private func follow() async {
        let (place, feeds) = (stored.place, stored.feeds)
        await load()
        let isElsewhere = stored.place?.relay != place?.relay || stored.place?.house != place?.house
        if isElsewhere || stored.feeds != feeds { await tellAgents() }
    }

    private func load() async {
        do {
            stored = try await StoredSync.load(from: store)
        } catch {
            log.error("What is stored of the relay can't be read.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// As whom this hub writes feeds.
    ///
    /// - Returns: `nil` if it must not, or can't store what the other hub needs to go on.
    func feedLead() async -> FeedLead? {
        guard let term = leading else { return nil }
        guard let list = hubs.list?.list else { return FeedLead() }
        let former = stored.hubs
        // A hub that led before this one may have been removed since, and have written entries.
        let members = (hubs.chain?.lists.map(\.list) ?? []).flatMap(\.members) + list.members
        let known = members.reduce(into: former ?? [:]) { known, member in known[member.id] = member.key }
        if former != known {
            stored.hubs = known
            guard await save() else {
                stored.hubs = former
                return nil
            }
        }
        return FeedLead(FeedLeadership(list: list.sequence, term: term), hubs: known, lists: hubs.chain)
    }
}
