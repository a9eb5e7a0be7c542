import Consensus
import Foundation
import HomeModel
import HomeStore

/// Keeps and applies batches as one of two hubs, and reports what is on the disk.
///
/// Each batch appends one entry to a home's log and stores its number as the state of automations. Now and then, batches that
/// weren't applied are replaced by those of a later term.
struct Follower {
    private let store: HomeStore
    private let home = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private var state: VoterState

    /// Continues with what is on the disk.
    init(_ store: HomeStore) async throws {
        self.store = store
        if try await store.voterState() == nil { try await store.beginPair() }
        guard let state = try await store.voterState() else { throw StoreError(.damaged, "There is no voter.") }
        self.state = state
    }

    /// Lines: `kept PLACE TERM` for a batch that must not be lost unless a later line replaces it, `applied PLACE`.
    mutating func followForever() async throws {
        while true {
            guard let log = state.log else { throw StoreError(.damaged, "The batches have gaps.") }
            let replaces = log.last.place > state.applied.place && Bool.random()
            let term = replaces ? state.record.term + 1 : max(1, state.record.term)
            let first = replaces ? state.applied.place : log.last.place
            let added = try (1...Int.random(in: 1...3)).map { try batch(first + $0, term) }
            let change = LogChange(
                record: VoterRecord(term: term, vote: home),
                removedAfter: replaces ? first : nil,
                added: added
            )
            try await store.persist(change)
            for batch in added { say("kept \(batch.position.place) \(term)") }
            if Bool.random() {
                let place = Int.random(in: state.applied.place...first + added.count)
                if place > state.applied.place {
                    _ = try await store.apply(through: place) { batch throws(StoreError) in
                        guard let content = BatchContent(batch.bytes) else { throw StoreError(.damaged, "no content") }
                        return content
                    }
                    say("applied \(place)")
                }
                if Int.random(in: 0..<4) == 0, place > state.base.place { try await store.discard(through: place) }
            }
            guard let next = try await store.voterState() else { throw StoreError(.damaged, "There is no voter.") }
            state = next
        }
    }

    private func batch(_ place: Int, _ term: Int) throws -> Consensus.Batch {
        let room = RoomRecord(id: UUID(), name: "Room \(place)")
        var draft = try BatchDraft(
            EntryDraft(
                log: .home(home),
                entryID: UUID(),
                caller: Caller(user: home, device: home, app: "crash", client: home),
                cause: .app,
                time: Date(timeIntervalSince1970: 0),
                change: Change(verb: .roomAdded, subjects: [room.id], effects: [.put(.room(room))]),
                expectedRevision: place - 1
            )
        )
        if place == 1 { draft.lineage = home }
        let state = StateKey(.run, home: home, id: home)
        let content = BatchContent([.append([draft], removing: []), .setStates([state: Array("\(place)".utf8)])])
        return Consensus.Batch(BatchPosition(place: place, term: term), bytes: try content.encoded())
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
