import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

/// Copies of a store, and stores restored from copies.
@Suite struct CopyTests {
    private let folder: TemporaryFolder
    private let person = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var fixtureURL: URL? {
        Bundle.module.url(forResource: "format1", withExtension: "sqlite", subdirectory: "Fixtures")
    }
    private var copy: URL { folder.url.appendingPathComponent("copy") }
    private var elsewhere: URL { folder.url.appendingPathComponent("elsewhere") }

    /// A store with two logs, secrets and metadata.
    private func filledStore() async throws -> (store: HomeStore, logs: [TestLog]) {
        let store = try await HomeStore.open(at: folder.data)
        var logs = [TestLog(), TestLog()]
        for name in ["One", "Two", "Three"] {
            try await store.append([logs[0].next(name)])
            try await store.append([logs[1].next(name)])
            try await store.setSecret(Array(name.utf8), for: SecretKey(kind: .pairing, log: logs[0].log, name: name))
        }
        try await store.setMetadata("A", for: .hubUser)
        return (store, logs)
    }

    @Test func aRestoredStoreHasAllThatTheCopyHad() async throws {
        let (store, logs) = try await filledStore()
        try await store.copy(to: copy)
        try await HomeStore.restore(copy, to: elsewhere, by: person, now: time)
        let restored = try await HomeStore.open(at: elsewhere)
        #expect(try await restored.logs() == store.logs())
        for log in logs {
            let (before, after) = (try await store.load(log.log), try await restored.load(log.log))
            #expect(after?.records == before?.records)
            #expect(after?.records.count == 3)
        }
        #expect(try await restored.metadata(.hubUser) == "A")
        for name in ["One", "Two", "Three"] {
            let key = SecretKey(kind: .pairing, log: logs[0].log, name: name)
            #expect(try await restored.secret(key) == Array(name.utf8))
        }
        try await restored.close()
        try await store.close()
    }

    @Test func aRestoredStoreSignsAllDevicesOut() async throws {
        let key = SecretKey(kind: .device, log: nil, name: UUID().uuidString)
        let store = try await HomeStore.open(at: folder.data)
        try await store.setSecret([1], for: key)
        try await store.copy(to: copy)
        try await store.close()
        try await HomeStore.restore(copy, to: elsewhere, by: person, now: time)
        let restored = try await HomeStore.open(at: elsewhere)
        #expect(try await restored.secrets(.device, of: nil).isEmpty)
        try await restored.close()
    }

    @Test func aWriteAheadLogThatHoldsChangesIsNotRemoved() throws {
        let path = folder.url.appendingPathComponent("whole.sqlite").path
        let sidecars = [path + "-wal", path + "-shm"]
        for sidecar in sidecars { try Data([1]).write(to: URL(fileURLWithPath: sidecar)) }
        let error = #expect(throws: StoreError.self) { try DatabaseFile.removeSidecars(path) }
        #expect(error?.code == .inputOutput)
        #expect(sidecars.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        try Data().write(to: URL(fileURLWithPath: sidecars[0]))
        try DatabaseFile.removeSidecars(path)
        #expect(!sidecars.contains { FileManager.default.fileExists(atPath: $0) })
    }

    @Test func manyCopiesAndReadersAtTheSameTimeAllComeToAnEnd() async throws {
        let (store, logs) = try await filledStore()
        let (copies, log) = (2 * ProcessInfo.processInfo.activeProcessorCount, logs[0].log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<copies {
                group.addTask { [copy] in try await store.copy(to: copy.appendingPathExtension("\(number)")) }
                group.addTask {
                    for _ in 0..<50 { _ = try await store.load(log) }
                }
            }
            try await group.waitForAll()
        }
        try await store.close()
    }

    @Test func aCopyIsOfOneMomentWhileTheStoreGoesOn() async throws {
        let (store, filled) = try await filledStore()
        var logs = filled
        let drafts = (0..<200).map { logs[0].next("Room \($0)") }
        async let appended: Void = {
            for draft in drafts { try await store.append([draft]) }
        }()
        try await store.copy(to: copy)
        try await appended
        try await HomeStore.restore(copy, to: elsewhere, by: person, now: time)
        let restored = try await HomeStore.open(at: elsewhere)
        let state = try #require(try await restored.load(logs[0].log))
        // The restore itself adds an entry.
        #expect(state.records.count == state.cursor.revision - 1)
        try await restored.close()
        try await store.close()
    }

    @Test func aRestoredLogBeginsANewLineageThatSaysSo() async throws {
        let (store, filled) = try await filledStore()
        var logs = filled
        try await store.copy(to: copy)
        let before = try #require(try await store.load(logs[0].log)).cursor
        try await HomeStore.restore(copy, to: elsewhere, by: person, now: time)
        let restored = try await HomeStore.open(at: elsewhere)
        let after = try #require(try await restored.load(logs[0].log)).cursor
        #expect(after.lineage != before.lineage)
        #expect(after.revision == before.revision + 1)
        // Readers of the previous log must load it again.
        #expect(try await restored.entries(of: logs[0].log, after: before) == nil)
        let start = LogCursor(lineage: after.lineage, revision: before.revision)
        let entries = try #require(try await restored.entries(of: logs[0].log, after: start))
        let change = try entries.first?.entry.change()
        #expect(change?.verb == .restored)
        #expect(change?.effects.isEmpty == true)
        #expect(entries.first?.entry.time == time)
        // The log continues, even after the next start.
        logs[0].revision = after.revision
        try await restored.append([logs[0].next("After")])
        try await restored.close()
        let again = try await HomeStore.open(at: elsewhere)
        #expect(try await again.load(logs[0].log)?.records.count == 4)
        try await again.close()
        try await store.close()
    }

    @Test func twoRestorationsOfOneCopyAreTwoLineages() async throws {
        let (store, logs) = try await filledStore()
        try await store.copy(to: copy)
        try await store.close()
        let other = folder.url.appendingPathComponent("other")
        var lineages: Set<UUID> = []
        for place in [elsewhere, other] {
            try await HomeStore.restore(copy, to: place, by: person, now: time)
            let restored = try await HomeStore.open(at: place)
            lineages.insert(try #require(try await restored.load(logs[0].log)).cursor.lineage)
            try await restored.close()
        }
        #expect(lineages.count == 2)
    }

    @Test func whatAHubKeepsBesideADamagedDatabaseIsNotInTheWay() async throws {
        let (store, logs) = try await filledStore()
        let copies = folder.data.appending(path: "copies")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
        let daily = copies.appending(path: "hearth-2026-01-01.sqlite")
        try await store.copy(to: daily)
        try await store.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.data.path)
        where name.hasPrefix(folder.database.lastPathComponent) {
            try FileManager.default.removeItem(at: folder.data.appending(path: name))
        }
        try Data("old".utf8).write(to: folder.data.appending(path: "hearth.sqlite.format1"))
        try await HomeStore.restore(daily, to: folder.data, by: person, now: time)
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(logs[0].log)?.records.count == 3)
        try await again.close()
        #expect(FileManager.default.fileExists(atPath: daily.path))
    }

    @Test func aFolderThatHasHomesIsNotRestoredInto() async throws {
        let (store, logs) = try await filledStore()
        try await store.copy(to: copy)
        #expect(await refusal { try await HomeStore.restore(copy, to: folder.data, by: person, now: time) } == .inUse)
        try await store.close()
        let bytes = try Data(contentsOf: folder.database)
        #expect(
            await refusal { try await HomeStore.restore(copy, to: folder.data, by: person, now: time) } == .occupied
        )
        #expect(try Data(contentsOf: folder.database) == bytes)
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(logs[0].log)?.records.count == 3)
        try await again.close()
    }

    @Test func aCopyIsTheOwnersOnlyAndTakesNobodysName() async throws {
        let (store, _) = try await filledStore()
        try await store.copy(to: copy)
        let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let bytes = try Data(contentsOf: copy)
        #expect(await refusal { try await store.copy(to: copy) } == .occupied)
        #expect(try Data(contentsOf: copy) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["copy", "data"])
        try await store.close()
    }

    @Test func aCopyThatCannotBeReadIsRefusedAndLeavesTheFolderWithoutHomes() async throws {
        let (store, _) = try await filledStore()
        try await store.copy(to: copy)
        try await store.close()
        let whole = try Data(contentsOf: copy)
        var flipped = whole
        let place = try #require(whole.range(of: Data("roomAdded".utf8))).lowerBound
        flipped[place] ^= 1
        for (name, bytes) in [("cut", whole.dropLast(1)), ("flipped", flipped), ("text", Data("x".utf8)), ("", Data())]
        {
            try bytes.write(to: copy)
            let code = await refusal { try await HomeStore.restore(copy, to: elsewhere, by: person, now: time) }
            #expect(code == .damaged, "\(name)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == ["lock"], "\(name)")
        }
        let missing = folder.url.appendingPathComponent("missing")
        #expect(await refusal { try await HomeStore.restore(missing, to: elsewhere, by: person, now: time) } != nil)
    }

    @Test func aCopyOfTheFirstFormatIsRestoredInThisOne() async throws {
        let fixture = try #require(fixtureURL)
        try await HomeStore.restore(fixture, to: elsewhere, by: person, now: time)
        let restored = try await HomeStore.open(at: elsewhere)
        #expect(try await !restored.logs().isEmpty)
        for log in try await restored.logs() { #expect(try await restored.load(log) != nil) }
        try await restored.close()
    }
}
