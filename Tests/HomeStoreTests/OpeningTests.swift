import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A closed store with three entries and a secret, and the bytes of its file.
    private func filledStore() async throws -> (log: TestLog, bytes: Data) {
        let store = try await HomeStore.open(at: folder.data)
        var log = TestLog()
        for name in ["One", "Two", "Three"] { try await store.append([log.next(name)]) }
        try await store.setSecret(Array("geheim".utf8), for: SecretKey(kind: .pairing, log: log.log, name: "A"))
        try await store.close()
        return (log, try Data(contentsOf: folder.database))
    }

    // MARK: Permissions

    @Test func folderAndFilesAreTheirOwnersOnly() async throws {
        let store = try await HomeStore.open(at: folder.data)
        var log = TestLog()
        try await store.append([log.next()])
        #expect(try folder.mode("") == 0o700)
        for name in ["hearth.sqlite", "hearth.sqlite-wal", "hearth.sqlite-shm", "lock"] {
            #expect(try folder.mode(name) == 0o600, "\(name)")
        }
        try await store.close()
    }

    @Test func anEmptyFolderIsClosedToOthers() async throws {
        try FileManager.default.createDirectory(at: folder.data, withIntermediateDirectories: false)
        try folder.setMode(0o755, folder.data)
        let store = try await HomeStore.open(at: folder.data)
        #expect(try folder.mode("") == 0o700)
        try await store.close()
    }

    @Test func aFolderWithContentThatOthersCanEnterIsRefused() async throws {
        _ = try await filledStore()
        for mode in [0o755, 0o750, 0o701, 0o720] {
            try folder.setMode(mode, folder.data)
            #expect(await refusal { try await HomeStore.open(at: folder.data) } == .insecure)
            #expect(try folder.mode("") == mode)
        }
    }

    @Test(arguments: ["hearth.sqlite", "hearth.sqlite-wal", "hearth.sqlite-shm"])
    func aFileThatOthersCanReadIsRefused(_ name: String) async throws {
        _ = try await filledStore()
        let file = folder.data.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        try folder.setMode(0o640, file)
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .insecure)
    }

    @Test func foldersOnTheWayAreMade() async throws {
        let deep = folder.data.appendingPathComponent("a/b")
        let store = try await HomeStore.open(at: deep)
        #expect(try folder.mode("a/b") == 0o700)
        try await store.close()
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() async throws {
        try Data("x".utf8).write(to: folder.data)
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .inputOutput)
        let below = folder.data.appendingPathComponent("below")
        #expect(await refusal { try await HomeStore.open(at: below) } == .inputOutput)
    }

    @Test func aFolderIsOpenOnce() async throws {
        let store = try await HomeStore.open(at: folder.data)
        let error = await #expect(throws: StoreError.self) { try await HomeStore.open(at: folder.data) }
        #expect(error?.code == .inUse)
        #expect(error?.reason.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        try await again.close()
    }

    @Test func aStoreThatNobodyHoldsAnyMoreLetsTheFolderGo() async throws {
        _ = try await HomeStore.open(at: folder.data)
        let again = try await HomeStore.open(at: folder.data)
        try await again.close()
    }

    @Test func commitsAreWrittenThroughToTheDisk() async throws {
        let store = try await HomeStore.open(at: folder.data)
        let settings = try await store.database.write { database in
            try ["synchronous", "journal_mode", "user_version"].map { name in
                try String.fetchOne(database, sql: "PRAGMA \(name)")
            }
        }
        #expect(settings == ["2", "wal", "\(Schema.version)"])
        try await store.close()
    }

    // MARK: Damage

    @Test func anEmptyFileIsNoEmptyHome() async throws {
        _ = try await filledStore()
        try await expectRefusal(of: Data(), .damaged)
    }

    @Test func aTruncatedFileIsRefusedAndLeftAsItIs() async throws {
        let (_, bytes) = try await filledStore()
        for length in [1, 15, 16, 99, 100, 4_095, 4_096, bytes.count / 2, bytes.count - 4_096, bytes.count - 1] {
            try await expectRefusal(of: bytes.prefix(length), .damaged)
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefusedAndLeftAsItIs() async throws {
        let (_, bytes) = try await filledStore()
        try await expectRefusal(of: Data("{\"homes\":[]}".utf8), .damaged)
        try await expectRefusal(of: Data(repeating: 0, count: bytes.count), .damaged)
        try await expectRefusal(of: Data((0..<bytes.count).map { _ in UInt8.random(in: 0...255) }), .damaged)
        try await expectRefusal(of: bytes.prefix(100) + Data(repeating: 0xA5, count: bytes.count - 100), .damaged)
    }

    @Test func aTornLastPageIsRefused() async throws {
        let (_, bytes) = try await filledStore()
        try await expectRefusal(of: bytes.dropLast(4_096) + Data(repeating: 0xFF, count: 4_096), .damaged)
    }

    @Test func aTornEndOfTheWriteAheadLogIsTheStateBeforeItsLastChange() async throws {
        let store = try await HomeStore.open(at: folder.data)
        var log = TestLog()
        let wal = folder.data.appendingPathComponent("hearth.sqlite-wal")
        for name in ["One", "Two"] { try await store.append([log.next(name)]) }
        let start = try Data(contentsOf: wal).count
        try await store.append([log.next("Three")])
        let whole = try Data(contentsOf: wal)
        let database = try Data(contentsOf: folder.database)
        try await store.close()
        #expect(whole.count > start)

        func expect(_ torn: Data, _ revision: Int, _ comment: Comment) async throws {
            try replaceDatabase(by: database)
            try torn.write(to: wal)
            try folder.setMode(0o600, wal)
            let store = try await HomeStore.open(at: folder.data)
            #expect(try await store.load(log.log)?.cursor.revision == revision, comment)
            try await store.close()
        }
        try await expect(whole, 3, "all of it")
        for length in Array(stride(from: start, to: whole.count, by: 700)) + [whole.count - 1] {
            try await expect(whole.prefix(length), 2, "cut at \(length)")
            try await expect(whole.prefix(length) + Data(count: whole.count - length), 2, "zeros from \(length)")
        }
    }

    @Test func anotherApplicationsDatabaseIsRefused() async throws {
        var (_, bytes) = try await filledStore()
        bytes.replaceSubrange(68..<72, with: [0, 0, 0, 0])
        try await expectRefusal(of: bytes, .damaged)
    }

    @Test func aFileFromTheFutureIsRefusedAndLeftAsItIs() async throws {
        var (_, bytes) = try await filledStore()
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, UInt8(Schema.version + 1)])
        try await expectRefusal(of: bytes, .futureFormat)
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 0])
        try await expectRefusal(of: bytes, .damaged)
    }

    @Test func aMissingDatabaseWhosePartsAreThereIsNotReplaced() async throws {
        _ = try await filledStore()
        try FileManager.default.removeItem(at: folder.database)
        let wal = folder.data.appendingPathComponent("hearth.sqlite-wal")
        try Data().write(to: wal)
        try folder.setMode(0o600, wal)
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .damaged)
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
    }

    @Test func aDatabaseWhoseMakingWasCutShortIsMadeAnew() async throws {
        let store = try await HomeStore.open(at: folder.data)
        try await store.close()
        let unfinished = folder.data.appendingPathComponent("hearth.sqlite.new")
        try FileManager.default.removeItem(at: folder.database)
        try Data("half".utf8).write(to: unfinished)
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.logs() == [])
        try await again.close()
        #expect(!FileManager.default.fileExists(atPath: unfinished.path))
    }

    @Test(
        arguments: [
            "UPDATE entry SET encoded = CAST(replace(CAST(encoded AS TEXT), 'Two', 'Zwo') AS BLOB)",
            "DELETE FROM entry WHERE place = (SELECT max(place) FROM entry)",
            "DELETE FROM entry WHERE place = (SELECT max(place) - 1 FROM entry)",
            "DELETE FROM entry", "UPDATE log SET hash = zeroblob(32)", "UPDATE log SET hash = zeroblob(5)",
            "UPDATE log SET revision = 2", "UPDATE log SET lineage = 'x'", "UPDATE log SET name = 'x'",
            "UPDATE entry SET encoded = zeroblob(0)", "UPDATE entry SET hash = zeroblob(32)",
            "UPDATE log SET lineage = '00112233-4455-6677-8899-AABBCCDDEEFF'",
        ]
    )
    func entriesThatDoNotFitTogetherAreRefused(_ sql: String) async throws {
        _ = try await filledStore()
        let queue = try DatabaseQueue(path: folder.database.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .damaged)
    }

    @Test(arguments: ["'{}'", "''", "'{\"kind\":\"room\"}'", "'['"])
    func aRecordThatCannotBeReadIsNamed(_ body: String) async throws {
        let (log, _) = try await filledStore()
        let queue = try DatabaseQueue(path: folder.database.path)
        try await queue.write { try $0.execute(sql: "UPDATE record SET body = \(body) WHERE place = 2") }
        try queue.close()
        let store = try await HomeStore.open(at: folder.data)
        let error = await #expect(throws: StoreError.self) { try await store.load(log.log) }
        #expect(error?.code == .damaged)
        #expect(error?.reason.contains("room") == true)
        try await store.close()
    }

    /// With any byte changed, the store is rejected, or an unreadable part is named, or some state is read. Nothing
    /// traps, and a rejected file isn't changed.
    @Test func anyFlippedByteIsRefusedOrRead() async throws {
        let (log, bytes) = try await filledStore()
        var refusals = 0
        // Some bytes of the header, where each one matters most, and some of the rest.
        for index in Array(stride(from: 0, to: 100, by: 3)) + Array(stride(from: 100, to: bytes.count, by: 451)) {
            var flipped = bytes
            flipped[index] ^= 0xFF
            try replaceDatabase(by: flipped)
            do {
                let store = try await HomeStore.open(at: folder.data)
                for log in (try? await store.logs()) ?? [] { _ = try? await store.load(log) }
                _ = try? await store.entries(of: log.log, after: LogCursor(lineage: UUID(), revision: 0))
                try await store.close()
            } catch {
                refusals += 1
                #expect([.damaged, .futureFormat].contains(error.code), "byte \(index): \(error)")
                #expect(try Data(contentsOf: folder.database) == flipped)
            }
        }
        #expect(refusals > 0)
    }

    private func expectRefusal(
        of bytes: Data,
        _ code: StoreError.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try replaceDatabase(by: bytes)
        #expect(
            await refusal { try await HomeStore.open(at: folder.data) } == code,
            sourceLocation: sourceLocation
        )
        #expect(try Data(contentsOf: folder.database) == bytes, sourceLocation: sourceLocation)
    }

    private func replaceDatabase(by bytes: Data) throws {
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.database.path + suffix)
        }
        try bytes.write(to: folder.database)
        try folder.setMode(0o600, folder.database)
    }

    @Test func manyStoresCloseWhileTheyAreRead() async throws {
        // As many at the same time as there can be threads for tasks, each while it is being read.
        try await withThrowingTaskGroup { group in
            for number in 0..<32 {
                let directory = folder.url.appendingPathComponent("store\(number)")
                group.addTask {
                    let store = try await HomeStore.open(at: directory)
                    let readers = (0..<8).map { _ in Task { try? await store.logs() } }
                    try await store.close()
                    for reader in readers { _ = await reader.value }
                }
            }
            try await group.waitForAll()
        }
    }
}
