import Consensus
import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

/// Two hubs' stores: batches are kept, applied and discarded, and the same batches give the same state.
@Suite struct PairTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ name: String = "data") async throws -> HomeStore {
        try await HomeStore.open(at: folder.url.appendingPathComponent(name))
    }

    private func batch(_ place: Int, term: Int = 1, _ steps: [BatchContent.Step] = []) throws -> Consensus.Batch {
        let bytes = try BatchContent(steps).encoded()
        return Consensus.Batch(BatchPosition(place: place, term: term), bytes: bytes)
    }

    private static func read(_ batch: Consensus.Batch) throws(StoreError) -> BatchContent {
        guard let content = BatchContent(batch.bytes) else { throw StoreError(.damaged, "no content") }
        return content
    }

    private func write(_ steps: [[BatchContent.Step]], to store: HomeStore) async throws -> [AppliedBatch] {
        let last = try #require(try await store.voterState()?.log).last
        let batches = try steps.enumerated().map { try batch(last.place + 1 + $0, $1) }
        try await store.persist(LogChange(record: VoterRecord(term: 1), added: batches))
        return try await store.apply(through: last.place + batches.count, opening: Self.read)
    }

    /// The rows of all tables that both hubs have.
    private func rows(_ store: HomeStore) async throws -> [String] {
        let tables = ["log", "entry", "record", "request", "firing", "state", "sqlite_sequence", "secret", "metadata"]
        return try await store.database.read { database in
            try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
            }
        }
    }

    @Test func `a hub that is alone is no voter, and has nothing to apply`() async throws {
        let store = try await open()
        #expect(try await store.voterState() == nil)
        #expect(await refusal { try await store.persist(LogChange(record: VoterRecord(term: 1))) } == .invalid)
        #expect(await refusal { try await store.apply(through: 1, opening: Self.read) } == .invalid)
        #expect(await refusal { try await store.makeBase(at: folder.url.appendingPathComponent("base")) } == .invalid)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("base").path))
        try await store.close()
    }

    @Test func `a hub that goes on alone has the same state in new lineages, and appends to them`() async throws {
        let store = try await open()
        var log = TestLog()
        try await store.append([log.next("Attic"), log.next("Loft")])
        try await store.setSecret([1], for: SecretKey(kind: .device, log: nil, name: "browser"))
        let before = try #require(try await store.load(log.log))
        try await store.renewLineages(by: log.caller, now: Date(timeIntervalSince1970: 1_700_000_000))
        let after = try #require(try await store.load(log.log))
        #expect(after.records == before.records, "nobody is suspended")
        #expect(after.cursor.lineage != before.cursor.lineage)
        #expect(after.cursor.revision == before.cursor.revision + 1)
        #expect(try await store.secret(SecretKey(kind: .device, log: nil, name: "browser")) == [1])
        log.revision = after.cursor.revision
        let added = try await store.append([log.next("Shed")])
        #expect(added.first?.cursor.lineage == after.cursor.lineage)
        try await store.close()
    }

    @Test func `term, vote and batches are there after a restart`() async throws {
        var store = try await open()
        try await store.beginPair()
        #expect(await refusal { try await store.beginPair() } == .occupied)
        #expect(try await store.voterState() == VoterState())
        let vote = VoterRecord(term: 3, vote: UUID())
        let added = [try batch(1), try batch(2), Consensus.Batch(BatchPosition(place: 3, term: 3))]
        try await store.persist(LogChange(record: vote, added: added))
        let other = try batch(2, term: 3)
        try await store.persist(LogChange(removedAfter: 1, added: [other]))
        try await store.close()
        store = try await open()
        let state = try #require(try await store.voterState())
        #expect(state.record == vote)
        #expect(state.batches == [added[0], other])
        #expect(state.log?.last == other.position)
        try await store.endPair()
        #expect(try await store.voterState() == nil)
        try await store.close()
    }

    @Test func `applied batches move on the place, and are discarded only then`() async throws {
        let store = try await open()
        try await store.beginPair()
        var log = TestLog()
        let appends = try (0..<3).map { _ in [BatchContent.Step.append([try BatchDraft(log.next())], removing: [])] }
        let applied = try await write(appends, to: store)
        #expect(applied.map(\.position.place) == [1, 2, 3])
        for (index, batch) in applied.enumerated() {
            guard case .appended(let entries)? = try batch.result.get().first else { Issue.record("none"); continue }
            #expect(entries.map(\.cursor.revision) == [index + 1])
        }
        try await store.persist(LogChange(added: [Consensus.Batch(BatchPosition(place: 4, term: 1))]))
        #expect(await refusal { try await store.discard(through: 4) } == .invalid)
        try await store.discard(through: 2)
        let state = try #require(try await store.voterState())
        #expect(state.base.place == 2 && state.applied.place == 3)
        #expect(state.batches.map(\.position.place) == [3, 4])
        #expect(await refusal { try await store.apply(through: 5, opening: Self.read) } == .damaged)
        #expect(try await store.apply(through: 4, opening: Self.read).first?.content == nil)
        try await store.close()
    }

    @Test func `a batch whose last step fails changes nothing, and the next one is applied`() async throws {
        let store = try await open()
        try await store.beginPair()
        var log = TestLog()
        let first = try BatchDraft(log.next())
        let second = try BatchDraft(log.next())
        let late = SecretKey(kind: .invitation, log: nil, name: "late")
        let applied = try await write(
            [
                [.append([first], removing: [])],
                [.setSecrets([late: [1]]), .append([first], removing: [])],
                [.setSecrets([SecretKey(kind: .hubKey, log: nil): [1]])],
                [.setMetadata(.networkPort, "1")],
                [.append([second], removing: [])],
            ],
            to: store
        )
        #expect(applied.map { (try? $0.result.get()) != nil } == [true, false, false, false, true])
        #expect(try await store.secret(late) == nil)
        #expect(try await store.secret(SecretKey(kind: .hubKey, log: nil)) == nil)
        #expect(try await store.load(log.log)?.cursor.revision == 2)
        try await store.close()
    }

    @Test func `a batch that can't be opened is not applied, nor are those before it`() async throws {
        let store = try await open()
        try await store.beginPair()
        var log = TestLog()
        let good = try batch(1, [.append([try BatchDraft(log.next())], removing: [])])
        let bad = Consensus.Batch(BatchPosition(place: 2, term: 1), bytes: [0])
        try await store.persist(LogChange(record: VoterRecord(term: 1), added: [good, bad]))
        #expect(await refusal { try await store.apply(through: 2, opening: Self.read) } == .damaged)
        #expect(try await store.voterState()?.applied == .start)
        #expect(try await store.logs().isEmpty)
        try await store.close()
    }

    /// Steps of all kinds, in several batches, some of which fail.
    private func history(_ log: inout TestLog) throws -> [[BatchContent.Step]] {
        var steps: [[BatchContent.Step]] = []
        let trigger = UUID()
        for number in 0..<20 {
            let request = RequestKey(sender: log.caller.user, app: "test", key: UUID())
            let receipt = RequestReceipt(request: request, digest: [1], reply: [2])
            steps.append([.append([try BatchDraft(log.next("Room \(number)", receipt: receipt))], removing: [])])
            var claim = FiringClaim(
                home: log.id,
                trigger: trigger,
                occurrence: "\(number / 2)",
                time: Date(milliseconds: Int64(number))
            )
            claim.hub = trigger
            claim.term = number
            let state = StateKey(.run, home: log.id, id: trigger)
            steps.append([.claim([claim], updating: [0: [state: [UInt8(number)]]])])
            if number.isMultiple(of: 3) { steps.append([.complete(claim, updating: [state: nil])]) }
        }
        let key = SecretKey(kind: .invitation, log: log.log, name: "02:00:00:00:00:01")
        steps.append([.setSecrets([key: [1, 2]]), .setMetadata(.hubUser, "Ann")])
        var gone = TestLog()
        steps.append([.append([try BatchDraft(gone.next())], removing: [])])
        steps.append([.append([try BatchDraft(log.next())], removing: [gone.log])])
        steps.append([.append([try BatchDraft(gone.next())], removing: [])])
        return steps
    }

    @Test func `the same batches give the same rows, however they are divided`() async throws {
        let (first, second) = (try await open("first"), try await open("second"))
        for store in [first, second] { try await store.beginPair() }
        var log = TestLog()
        let history = try history(&log)
        let whole = try await write(history, to: first)
        var parts: [AppliedBatch] = []
        for steps in history { parts += try await write([steps], to: second) }
        for (one, other) in zip(whole, parts) {
            #expect(one.position == other.position)
            #expect((try? one.result.get()) == (try? other.result.get()))
        }
        #expect(whole.contains { (try? $0.result.get()) == nil }, "none of the batches failed")
        #expect(try await rows(first) == rows(second))
        #expect(try await first.incompleteFirings().first?.hub != nil)
        for store in [first, second] { try await store.close() }
    }

    @Test func `a base has the state of both, but no key of one hub`() async throws {
        let first = try await open("first")
        let own = Array("this hub's very own key".utf8)
        let pairing = SecretKey(kind: .pairing, log: nil, name: "02:00:00:00:00:01")
        try await first.setSecret(own, for: SecretKey(kind: .hubKey, log: nil))
        try await first.setSecret(own, for: pairing)
        try await first.setMetadata("4711", for: .networkPort)
        try await first.beginPair()
        var log = TestLog()
        let history = try history(&log)
        _ = try await write(history, to: first)
        let file = folder.url.appendingPathComponent("base")
        let position = try await first.makeBase(at: file)
        #expect(position.place == history.count)
        #expect(try Data(contentsOf: file).firstRange(of: Data(own)) == nil)
        #expect(try HomeStore.checkBase(file) == position)

        let second = try await open("second")
        try await second.setSecret([7], for: SecretKey(kind: .hubKey, log: nil))
        var old = TestLog()
        try await second.append([old.next()])
        try await second.setSecret([8], for: SecretKey(kind: .pairing, log: old.log, name: "lamp"))
        #expect(try await second.installBase(from: file) == position)
        #expect(try await second.secret(SecretKey(kind: .hubKey, log: nil)) == [7])
        #expect(try await second.secret(SecretKey(kind: .scheduledRemoval, log: nil, name: "lamp")) == [8])
        #expect(try await second.logs() == first.logs())
        #expect(try await second.voterState()?.applied == position)

        // Both go on from there with the same batches.
        let more = [[BatchContent.Step.append([try BatchDraft(log.next())], removing: [])]]
        let again = [[BatchContent.Step.append([try BatchDraft(log.next())], removing: [])], history[0]]
        for store in [first, second] { _ = try await write(more + again, to: store) }
        let shared = { (rows: [String]) in rows.filter { !$0.hasPrefix("secret") && !$0.hasPrefix("metadata") } }
        #expect(shared(try await rows(first)) == shared(try await rows(second)))
        try await first.close()
        try await second.close()
        let reopened = try await open("second")
        #expect(try await reopened.voterState()?.applied.place == history.count + 3)
        try await reopened.close()
    }

    @Test func `later batches stay with a base only if it says so`() async throws {
        let first = try await open("first")
        try await first.beginPair()
        var log = TestLog()
        let steps = try (0..<2).map { _ in [BatchContent.Step.append([try BatchDraft(log.next())], removing: [])] }
        _ = try await write(steps, to: first)
        let file = folder.url.appendingPathComponent("base")
        _ = try await first.makeBase(at: file)
        for keepsLater in [true, false] {
            let other = try await open("other \(keepsLater)")
            try await other.beginPair()
            let batches = try (1...4).map { try batch($0, $0 <= 2 ? steps[$0 - 1] : []) }
            try await other.persist(LogChange(record: VoterRecord(term: 5), added: batches))
            try await other.installBase(from: file, keepsLater: keepsLater)
            let state = try #require(try await other.voterState())
            #expect(state.record.term == 5)
            #expect(state.batches.map(\.position.place) == (keepsLater ? [3, 4] : []))
            #expect(state.log?.base.place == 2)
            try await other.close()
        }
        try await first.close()
    }

    @Test func `a file that is no base is not installed`() async throws {
        let store = try await open()
        var log = TestLog()
        try await store.append([log.next()])
        let before = try await rows(store)
        let file = folder.url.appendingPathComponent("base")
        try Data("no database".utf8).write(to: file)
        #expect(await refusal { try await store.installBase(from: file) } == .damaged)
        try FileManager.default.removeItem(at: file)
        try await store.copy(to: file)
        #expect(await refusal { try await store.installBase(from: file) } == .damaged)
        #expect(try await rows(store) == before)
        #expect(try await store.voterState() == nil)
        try await store.append([log.next()])
        try await store.close()
    }

    @Test func `a store whose batches have a gap, or that lacks its vote, does not open`() async throws {
        for damage in ["DELETE FROM tail WHERE place = 2", "DELETE FROM voter", "UPDATE voter SET appliedPlace = 9"] {
            let store = try await open()
            if try await store.voterState() == nil { try await store.beginPair() }
            try await store.persist(
                LogChange(record: VoterRecord(term: 1), added: try (1...3).map { try batch($0) })
            )
            try await store.close()
            let queue = try DatabaseQueue(path: folder.database.path)
            try await queue.write { try $0.execute(sql: damage) }
            try queue.close()
            #expect(await refusal { try await open() } == .damaged)
            try FileManager.default.removeItem(at: folder.data)
        }
    }

    @Test func `a restored copy is no voter`() async throws {
        let store = try await open()
        try await store.beginPair()
        var log = TestLog()
        _ = try await write([[.append([try BatchDraft(log.next())], removing: [])]], to: store)
        let copy = folder.url.appendingPathComponent("copy")
        try await store.copy(to: copy)
        try await store.close()
        let target = folder.url.appendingPathComponent("restored")
        try await HomeStore.restore(copy, to: target, by: log.caller, now: Date(milliseconds: 0))
        let restored = try await HomeStore.open(at: target)
        #expect(try await restored.voterState() == nil)
        #expect(try await restored.load(log.log) != nil)
        try await restored.close()
    }

    @Test func `a change in parts is carried out by its last part`() async throws {
        let store = try await open()
        try await store.beginPair()
        let key = SecretKey(kind: .invitation, log: nil, name: "large")
        let content = BatchContent([.setSecrets([key: [UInt8](repeating: 7, count: 100)])])
        let parts = BatchContent.parts(of: try content.encoded(), size: 50).map(\.steps)
        #expect(parts.count > 2)
        var applied = try await write(Array(parts.dropLast()), to: store)
        #expect(applied.count == parts.count - 1 && applied.allSatisfy { $0.content == nil })
        #expect(try await store.secret(key) == nil)
        // The parts are in a base.
        let base = folder.url.appendingPathComponent("base")
        _ = try await store.makeBase(at: base)
        let other = try await open("other")
        _ = try await other.installBase(from: base)
        for hub in [store, other] {
            applied = try await write(Array(parts.suffix(1)), to: hub)
            #expect(applied.map(\.content) == [content])
            #expect(try await hub.secret(key)?.count == 100)
            #expect(try await hub.secrets(.changePart, of: nil).isEmpty)
        }
        #expect(try await rows(store) == rows(other))
        for hub in [store, other] { try await hub.close() }
    }

    @Test func `the parts of a leader that is gone are dropped when a term begins`() async throws {
        let store = try await open()
        try await store.beginPair()
        let keys = ["one", "two"].map { SecretKey(kind: .invitation, log: nil, name: $0) }
        let parts = try keys.map { key in
            BatchContent.parts(of: try BatchContent([.setSecrets([key: [1, 2, 3]])]).encoded(), size: 20).map(\.steps)
        }
        _ = try await write([parts[0][0]], to: store)
        let last = try #require(try await store.voterState()?.log).last
        let start = Consensus.Batch(BatchPosition(place: last.place + 1, term: 2))
        try await store.persist(LogChange(record: VoterRecord(term: 2), added: [start]))
        _ = try await store.apply(through: start.position.place, opening: Self.read)
        #expect(try await store.secrets(.changePart, of: nil).isEmpty)
        let next = try parts[1].enumerated().map { try batch(start.position.place + 1 + $0, term: 2, $1) }
        try await store.persist(LogChange(added: next))
        let applied = try await store.apply(through: start.position.place + next.count, opening: Self.read)
        #expect(try applied.last?.result.get() == [.done])
        #expect(try await store.secret(keys[1]) == [1, 2, 3])
        #expect(try await store.secret(keys[0]) == nil)
        try await store.close()
    }
}
