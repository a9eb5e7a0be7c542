import Foundation
import HomeModel
import HomeStore
import HubAPI
import Replication

/// The homes of a hub that is one of two: the leader decides, and both follow what is committed.
///
/// Of a replicator's calls, those of ``Replication/BatchReceiver`` come here in the order of the batches.
extension HomeDatabase {
    /// Handles that this hub leads from now on, or doesn't any more.
    func change(to role: HubRole) {
        if case .leading = role { decideAllAgain() }
    }

    static let noLeader = HubError(
        .noLeader,
        "This hub is one of two, and reaches neither the other hub nor the relay, so it changes nothing. Try again later."
    )

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

    /// How often a change is decided again because the other hub's changes came before, until it fails.
    static let maximumRepetitions = 8

    /// Decides what waits again, because the state has changed beneath it. What is being stored may still succeed.
    private func decideAllAgain() {
        newest = stored
        guard !decided.isEmpty || !storing.isEmpty else { return }
        for request in storing {
            for draft in request.drafts { newest.apply(draft.change, to: draft.log) }
            if let home = request.removedHome { newest.remove(home: home) }
        }
        decideInTurn(decided)
    }

    /// Decides requests again that came too late for the state that they were decided on, before those that wait.
    func decideAgain(_ late: [PendingBatch]) {
        storing = []
        newest = stored
        let late = late.map { request in
            var request = request
            request.repetitions += 1
            return request
        }
        decideInTurn(late + decided)
    }

    private func decideInTurn(_ requests: [PendingBatch]) {
        var waiting = requests
        decided = []
        rollbackCount += 1
        while !waiting.isEmpty { decideGroupAgain(dequeueGroup(from: &waiting)) }
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
