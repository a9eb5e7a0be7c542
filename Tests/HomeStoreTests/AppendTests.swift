import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

@Suite struct AppendTests {
    private let folder: TemporaryFolder
    private let store: HomeStore

    init() async throws {
        folder = try TemporaryFolder()
        store = try await HomeStore.open(at: folder.data)
    }

    @Test func aNewStoreHoldsNothing() async throws {
        #expect(try await store.logs() == [])
        #expect(try await store.load(.home(UUID())) == nil)
        #expect(try await store.metadata(.hubUser) == nil)
    }

    @Test func whatWasAppendedIsThereAfterReopening() async throws {
        var log = TestLog()
        let drafts = [log.next("One"), log.next("Two"), log.next("Three")]
        var appended: [AppendedEntry] = []
        for draft in drafts { appended += try await store.append([draft]) }
        #expect(appended.map(\.cursor.revision) == [1, 2, 3])
        #expect(Set(appended.map(\.cursor.lineage)).count == 1)
        let before = try await store.load(log.log)
        try await store.close()

        let again = try await HomeStore.open(at: folder.data)
        let after = try #require(try await again.load(log.log))
        #expect(after == before)
        #expect(after.cursor == appended.last?.cursor && after.hash == appended.last?.hash)
        #expect(after.records.compactMap(Self.roomName) == ["One", "Two", "Three"])
        let entries = try #require(try await again.entries(of: log.log, after: Self.start(after)))
        #expect(entries.map(\.entry.entryID) == drafts.map(\.entryID))
        #expect(entries.map(\.hash) == appended.map(\.hash))
        #expect(entries.map(\.entry.previousHash) == [.none] + appended.dropLast().map(\.hash))
        #expect(try entries.map { try $0.entry.change() } == drafts.map(\.change))
        #expect(entries[0].entry.caller == log.caller && entries[0].entry.time == drafts[0].time)
        try await again.close()
    }

    @Test func aReplacedRecordKeepsItsPlaceAndARemovedOneLosesIt() async throws {
        var log = TestLog()
        let rooms = ["A", "B", "C"].map { RoomRecord(id: UUID(), name: $0) }
        func change(_ effects: [Effect]) -> Change { Change(verb: .roomAdded, subjects: [], effects: effects) }
        try await store.append([log.next(change: change(rooms.map { .put(.room($0)) }))])
        let renamed = RoomRecord(id: rooms[0].id, name: "A2")
        try await store.append([log.next(change: change([.put(.room(renamed))]))])
        let again: [Effect] = [.remove(RecordID(.room, rooms[1].id)), .put(.room(rooms[1]))]
        try await store.append([log.next(change: change(again))])
        let names = try await store.load(log.log)?.records.compactMap(Self.roomName)
        #expect(names == ["A2", "C", "B"])
    }

    @Test func aRecordOfAnUnknownKindIsKept() async throws {
        var log = TestLog()
        let body = JSONValue.object(["kind": .string("scene"), "id": .string("s"), "n": .unsigned(.max)])
        let scene = HomeModel.Record.unknown(kind: RecordKind(rawValue: "scene"), id: "s", body: body)
        let change = Change(verb: Verb(rawValue: "sceneAdded"), subjects: [], effects: [.put(scene)])
        try await store.append([log.next(change: change)])
        #expect(try await store.load(log.log)?.records == [scene])
    }

    @Test func anEntryDecidedAgainstAnotherRevisionIsRefused() async throws {
        var log = TestLog()
        let first = log.next()
        var wrong = log.next()
        #expect(await refusal { try await store.append([wrong]) } == .conflict)
        #expect(try await store.logs() == [])
        try await store.append([first])
        for revision in [0, 2, -1, .max] {
            wrong.expectedRevision = revision
            #expect(await refusal { try await store.append([wrong]) } == .conflict)
        }
        #expect(try await store.load(log.log)?.cursor.revision == 1)
    }

    @Test func entriesOfSeveralLogsAreAppendedTogetherOrNotAtAll() async throws {
        var home = TestLog()
        var other = TestLog()
        let both = try await store.append([home.next(), other.next()])
        #expect(both.map(\.log) == [home.log, other.log])
        var conflicting = other.next()
        conflicting.expectedRevision = 5
        let fine = home.next()
        #expect(await refusal { try await store.append([fine, conflicting]) } == .conflict)
        #expect(try await store.load(home.log)?.cursor.revision == 1)
        #expect(try await store.load(home.log)?.records.count == 1)
        #expect(try await store.logs() == [home.log, other.log])
    }

    @Test func concurrentAppendsKeepTheirOrderAndOneThatFailsFailsAlone() async throws {
        var log = TestLog()
        let drafts = (0..<200).map { log.next("Room \($0)") }
        var wrong = TestLog().log.draft(expecting: 7)
        wrong.entryID = UUID()
        let sender = Sender(store: store)
        let results = await sender.send(drafts.map { [$0] }, between: [wrong])
        #expect(results.appended.map(\.cursor.revision) == Array(1...200))
        #expect(results.refused == [.conflict])
        #expect(try await store.load(log.log)?.records.count == 200)
    }

    @Test func aReaderGetsWhatCameAfterItsPlaceOrHasToLoadAnew() async throws {
        var log = TestLog()
        for _ in 0..<10 { try await store.append([log.next()]) }
        let newest = try #require(try await store.load(log.log)?.cursor)
        func revisions(after revision: Int, lineage: UUID? = nil, limit: Int = 100) async throws -> [Int]? {
            let cursor = LogCursor(lineage: lineage ?? newest.lineage, revision: revision)
            return try await store.entries(of: log.log, after: cursor, limit: limit)?.map(\.entry.revision)
        }
        #expect(try await revisions(after: 0) == Array(1...10))
        #expect(try await revisions(after: 7) == [8, 9, 10])
        #expect(try await revisions(after: 10) == [])
        #expect(try await revisions(after: 11) == nil)
        #expect(try await revisions(after: -1) == nil)
        #expect(try await revisions(after: 10, lineage: UUID()) == nil)
        #expect(try await revisions(after: 7, limit: 3) == [8, 9, 10])
        #expect(try await revisions(after: 6, limit: 3) == nil)
        #expect(try await store.entries(of: .home(UUID()), after: newest) == nil)
    }

    @Test func oldEntriesAreCompactedAwayAndTheirEffectsAreKept() async throws {
        var log = TestLog()
        let count = HomeStore.keptEntries + 1_000
        let drafts = (0..<count).map { log.next("Room \($0)") }
        try await store.append(drafts)
        let loaded = try #require(try await store.load(log.log))
        #expect(loaded.cursor.revision == count)
        #expect(loaded.records.compactMap(Self.roomName) == (0..<count).map { "Room \($0)" })
        let lineage = loaded.cursor.lineage
        let kept = LogCursor(lineage: lineage, revision: count - HomeStore.keptEntries)
        #expect(try await store.entries(of: log.log, after: kept)?.count == HomeStore.keptEntries)
        let first = LogCursor(lineage: lineage, revision: 0)
        #expect(try await store.entries(of: log.log, after: first, limit: .max) == nil)
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(log.log) == loaded)
        try await again.append([log.next("Last")])
        try await again.close()
    }

    @Test func aRemovedLogTakesItsEntriesRecordsAndSecretsWithIt() async throws {
        var home = TestLog()
        var other = TestLog()
        var account = TestLog()
        try await store.append([home.next(), other.next(), account.next()])
        let key = SecretKey(kind: .controllerIdentity, log: home.log)
        try await store.setSecret([1], for: key)
        try await store.setSecret([2], for: SecretKey(kind: .controllerIdentity, log: other.log))
        let lineage = try await store.load(home.log)?.cursor.lineage
        try await store.append([account.next()], removing: [home.log])
        #expect(try await store.logs() == [other.log, account.log])
        #expect(try await store.load(home.log) == nil)
        #expect(try await store.secret(key) == nil)
        #expect(try await store.secret(SecretKey(kind: .controllerIdentity, log: other.log)) == [2])
        #expect(try await store.load(other.log)?.records.count == 1)
        let left = try await store.database.read { database in
            try ["entry", "record"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1 }
        }
        #expect(left == [3, 3])

        home.revision = 0
        try await store.append([home.next()])
        #expect(try await store.load(home.log)?.cursor.lineage != lineage)
        #expect(try await store.load(home.log)?.records.count == 1)
    }

    @Test func withoutSpaceNothingIsAppendedAndWithSpaceAgainItIs() async throws {
        var log = TestLog()
        try await store.append([log.next("One")])
        let pages = try await store.database.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
        let effects = (0..<200).map { Effect.put(.room(RoomRecord(id: UUID(), name: "Room \($0)"))) }
        let large = log.next(change: Change(verb: .roomAdded, subjects: [], effects: effects))
        #expect(await refusal { try await store.append([large]) } == .full)
        #expect(try await store.load(log.log)?.records.count == 1)
        try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        try await store.append([large])
        #expect(try await store.load(log.log)?.records.count == 201)
    }

    @Test func aClosedStoreRefusesEverything() async throws {
        var log = TestLog()
        let draft = log.next()
        try await store.append([draft])
        try await store.close()
        #expect(await refusal { try await store.append([log.next()]) } == .closed)
        #expect(await refusal { try await store.logs() } == .closed)
        #expect(await refusal { try await store.load(log.log) } == .closed)
        #expect(await refusal { try await store.setMetadata("x", for: .hubUser) } == .closed)
        #expect(await refusal { try await store.close() } == nil)
    }

    private static func roomName(_ record: HomeModel.Record) -> String? {
        guard case .room(let room) = record else { return nil }
        return room.name
    }

    private static func start(_ log: StoredLog) -> LogCursor { LogCursor(lineage: log.cursor.lineage, revision: 0) }
}

/// Appends many entries in a fixed order without awaiting each, as a hub does.
private actor Sender {
    let store: HomeStore

    init(store: HomeStore) {
        self.store = store
    }

    func send(
        _ batches: [[EntryDraft]],
        between other: [EntryDraft]
    ) async -> (appended: [AppendedEntry], refused: [StoreError.Code]) {
        var tasks: [Task<[AppendedEntry], any Error>] = []
        for (index, batch) in batches.enumerated() {
            if index == batches.count / 2 { tasks.append(start(other)) }
            tasks.append(start(batch))
        }
        var appended: [AppendedEntry] = []
        var refused: [StoreError.Code] = []
        for task in tasks {
            do {
                appended += try await task.value
            } catch {
                refused.append((error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)"))
            }
        }
        return (appended, refused)
    }

    private func start(_ drafts: [EntryDraft]) -> Task<[AppendedEntry], any Error> {
        Task.immediate { try await self.store.append(drafts) }
    }
}

extension LogID {
    fileprivate func draft(expecting revision: Int) -> EntryDraft {
        var log = TestLog()
        var draft = log.next()
        draft.log = self
        draft.expectedRevision = revision
        return draft
    }
}
