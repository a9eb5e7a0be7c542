import Foundation
import HomeModel
import HomeStore
import HubAPI
import Replication

/// The homes of a hub that is one of two: the leader decides, and both follow what is committed.
///
/// Of a replicator's calls, those of ``Replication/BatchReceiver`` come here in the order of the batches.
extension HomeDatabase {
    /// Handles that this hub is alone from now on.
    func endPair() { restraint = nil }

    /// Handles that this hub may decide from now on, or may not any more. What waits to be stored is refused by the replicator.
    /// A hub that becomes one of two begins with ``Replication/HubRole/withoutLeader``.
    func change(to role: HubRole) {
        switch role {
        case .leading:
            restraint = nil
            // Nothing was decided meanwhile.
            newest = stored
        case .following: restraint = Self.otherLeads
        case .withoutLeader: restraint = Self.noLeader
        }
    }

    static let noLeader = HubError(
        .noLeader,
        "This hub is one of two, and reaches neither the other hub nor the relay, so it changes nothing. Try again later."
    )
    private static let otherLeads = HubError(.noLeader, "The other hub leads. Ask it, or try again in some seconds.")

    /// Handles batches that the store has applied.
    func receive(_ batches: [AppliedBatch]) {
        for batch in batches {
            guard let steps = batch.content?.steps, let results = try? batch.result.get() else { continue }
            for (step, result) in zip(steps, results) {
                guard case .append(let items, let removed) = step, case .appended(let entries) = result else {
                    continue
                }
                receive(items.map(\.draft), removing: removed, entries)
            }
        }
    }

    private func receive(_ drafts: [EntryDraft], removing removed: [LogID], _ entries: [AppendedEntry]) {
        // The leader's own come here before their append returns.
        if !storing.isEmpty, storing.flatMap(\.drafts).map(Identity.init) == drafts.map(Identity.init) {
            return publishStoring(entries)
        }
        for entry in entries { stored.lineages[entry.log] = entry.cursor.lineage }
        publish(drafts, removing: removed.lazy.compactMap { if case .home(let home) = $0 { home } else { nil } }.first)
        decideAllAgain()
    }

    /// Decides what waits again, because the state has changed beneath it.
    private func decideAllAgain() {
        if decided.isEmpty, storing.isEmpty {
            newest = stored
        } else {
            rollBack([], by: Self.noLeader)
        }
    }

    /// What an entry is known by while it is being stored.
    private struct Identity: Equatable {
        var log: LogID
        var entry: UUID
        var revision: Int

        init(_ draft: EntryDraft) {
            (log, entry, revision) = (draft.log, draft.entryID, draft.expectedRevision)
        }
    }

    /// Handles that the store's state was replaced as a whole, because this hub lacked too much. Clients see one change.
    func reload() async throws {
        let former = stored
        let new = try await State.load(from: store)
        let logs = Set(former.revisions.keys).union(new.revisions.keys).sorted { $0.description < $1.description }
        var drafts: [EntryDraft] = []
        for log in logs where new.revisions[log] != nil && new.cursor(log) != former.cursor(log) {
            drafts.append(replacement(of: log, former, by: new))
        }
        let entries = drafts.map { StoredRequest.Entry(draft: $0, cursor: new.cursor($0.log)) }
        stored = new
        if !entries.isEmpty {
            activities.publish(.stored(StoredRequest(entries: entries, removedHome: nil, state: stored)))
        }
        for case .home(let home) in logs where new.revisions[.home(home)] == nil {
            activities.publish(.stored(StoredRequest(entries: [], removedHome: home, state: stored)))
        }
        decideAllAgain()
    }

    private func replacement(of log: LogID, _ former: State, by new: State) -> EntryDraft {
        let known = Dictionary(former.records(of: log).map { ($0.recordID, $0) }) { _, last in last }
        let records = new.records(of: log)
        var change = Change(verb: .recovered, subjects: [], effects: [])
        change.effects = records.filter { known[$0.recordID] != $0 }.map { .put($0) }
        let kept = Set(records.map(\.recordID))
        change.effects += known.keys.filter { !kept.contains($0) }.map { .remove($0) }
        let hub = Caller(user: hubUser, device: hubUser, app: "hearth.hub", client: hubUser)
        var draft = draft(change, in: log, by: hub, cause: .hub)
        draft.expectedRevision = new.cursor(log).revision - 1
        return draft
    }

    /// Fails what is being stored and what waits, because this hub doesn't lead any more.
    func loseLead(_ refused: [PendingBatch], _ error: HubError) {
        storing = []
        let waiting = decided
        decided = []
        separateGroups = 0
        newest = stored
        rollbackCount += 1
        for request in refused { request.change.complete(.failure(error)) }
        // Nobody has proposed these, so they don't happen.
        for request in waiting { request.change.complete(.failure(Self.noLeader)) }
    }
}

extension HomeDatabase.State {
    /// The records of a log, none if it doesn't exist.
    fileprivate func records(of log: LogID) -> [Record] {
        switch log {
        case .account(let user): accounts[user]?.records ?? []
        case .home(let home): homes[home]?.records ?? []
        }
    }
}
