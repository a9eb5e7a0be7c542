import Foundation
import GRDB
import HAPCatalog
import HomeModel
import Testing

@testable import HomeStore

/// A store of every earlier format opens with its content.
@Suite struct MigrationTests {
    private let folder: TemporaryFolder
    private let original: Data

    private static let home = id(10)
    private static let user = id(1)

    init() throws {
        folder = try TemporaryFolder()
        let fixture = Bundle.module.url(forResource: "format1", withExtension: "sqlite", subdirectory: "Fixtures")
        original = try Data(contentsOf: try #require(fixture))
        try FileManager.default.createDirectory(
            at: folder.data,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try restore()
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 8) + "\(10_000 + number)".suffix(4))
            ?? UUID()
    }

    private func restore() throws {
        try original.write(to: folder.database)
        try folder.setMode(0o600, folder.database)
    }

    private func copy(_ suffix: String = "") -> URL {
        folder.data.appendingPathComponent("hearth.sqlite.format1" + suffix)
    }

    @Test func aStoreOfFormat1OpensAsWhatItWas() async throws {
        for _ in 0..<2 {
            let store = try await HomeStore.open(at: folder.data)
            #expect(try await store.logs() == [.home(Self.home), .account(Self.user)])
            let stored = try #require(try await store.load(.home(Self.home)))
            #expect(stored.cursor.revision == 9)
            let home = Home(id: Self.home, records: stored.records)
            #expect(home.rooms.map(\.name) == ["Kitchen"])
            #expect(home.zones.map(\.rooms) == [[Self.id(20)]])
            #expect(home.accessories.map(\.name) == ["Acme Lamp"])
            #expect(home.accessories.map(\.serviceNames) == [[10: "Bulb"]])
            #expect(home.users.map(\.role) == [.owner])

            let start = LogCursor(lineage: stored.cursor.lineage, revision: 0)
            var replay = Home(id: Self.home)
            for entry in try #require(try await store.entries(of: .home(Self.home), after: start)) {
                replay.apply(try entry.entry.change())
            }
            #expect(replay == home)
            let account = try #require(try await store.load(.account(Self.user)))
            #expect(Account(user: Self.user, records: account.records).primaryHome?.name == "My Home")
            let key = SecretKey(kind: .pairing, log: .home(Self.home), name: "AA:BB:CC:DD:EE:FF")
            #expect(try await store.secret(key) == Array("geheim".utf8))
            #expect(try await store.metadata(.clock) == "system")
            try await store.close()
        }
    }

    /// A home that was created by a hub, in a store of a given format.
    private struct HubsHome: Sendable, CustomTestStringConvertible {
        var format: Int
        var id: String
        var revision: Int
        var rooms: [String]

        var testDescription: String { "format \(format)" }
    }

    private static let hubsHomes = [
        HubsHome(format: 2, id: "FB98AC23-F6D7-4419-BA6B-F79D7C8B7CCA", revision: 11, rooms: ["Kitchen", "Attic"]),
        HubsHome(
            format: 3,
            id: "3C3265BC-4287-41F3-BD91-60BBB78954DB",
            revision: 12,
            rooms: ["Kitchen", "Attic", "Study"]
        ),
        HubsHome(
            format: 4,
            id: "C1AA21AA-5B21-4BB4-A066-EA21065167A1",
            revision: 12,
            rooms: ["Kitchen", "Attic", "Study"]
        ),
        HubsHome(
            format: 5,
            id: "2CB0827E-DC3D-4C9C-81C6-E88623D792AF",
            revision: 12,
            rooms: ["Kitchen", "Attic", "Study"]
        ),
    ]

    @Test(arguments: hubsHomes)
    private func aStoreThatAHubHasMadeOpensAsWhatItWas(made: HubsHome) async throws {
        let name = "format\(made.format)"
        let fixture = Bundle.module.url(forResource: name, withExtension: "sqlite", subdirectory: "Fixtures")
        try Data(contentsOf: try #require(fixture)).write(to: folder.database)
        let id = try #require(UUID(uuidString: made.id))
        for _ in 0..<2 {
            let store = try await HomeStore.open(at: folder.data)
            let stored = try #require(try await store.load(.home(id)))
            #expect(stored.cursor.revision == made.revision)
            let home = Home(id: id, records: stored.records)
            #expect(home.rooms.map(\.name) == made.rooms)
            #expect(home.zones.map(\.name) == ["Upstairs"])
            #expect(home.accessories.map(\.name) == ["Lamp"])
            #expect(home.users.map(\.role) == [.owner, .guest])
            #expect(home.serviceGroups.map(\.services.count) == [1])
            #expect(home.actionSets.filter { $0.name == "Movie Night" }.map(\.actions.count) == [1])

            let start = LogCursor(lineage: stored.cursor.lineage, revision: 0)
            var replay = Home(id: id)
            for entry in try #require(try await store.entries(of: .home(id), after: start)) {
                replay.apply(try entry.entry.change())
            }
            #expect(replay == home)
            let key = SecretKey(kind: .pairing, log: .home(id), name: "02:48:45:41:52:02")
            #expect(try await store.secret(key)?.isEmpty == false)
            if made.format >= 3 {
                let user = try #require(home.users.first { $0.role == .owner }?.id)
                let study = try #require(home.rooms.first { $0.name == "Study" }?.id)
                // The name that make-store gave its request.
                let key = try #require(UUID(uuidString: "0D8F2C7A-5B14-4E0B-9C3D-6A1E4F7B2058"))
                let receipt = try await store.receipt(of: RequestKey(sender: user, app: "hearth.make-store", key: key))
                #expect(receipt?.reply == Array(#"{"id":"\#(study.uuidString)"}"#.utf8))
                #expect(receipt?.digest.count == 32)
            }
            try await store.close()
        }
    }

    /// When the format changes, a store of the previous format must be added.
    @Test func thereIsAStoreOfEveryFormat() throws {
        for format in Schema.firstVersion...Schema.version {
            let name = "format\(format)"
            let file = Bundle.module.url(forResource: name, withExtension: "sqlite", subdirectory: "Fixtures")
            let copy = folder.data.appendingPathComponent(name)
            try Data(contentsOf: try #require(file, "\(name)")).write(to: copy)
            let queue = try DatabaseQueue(path: copy.path)
            #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == format)
            try queue.close()
        }
    }

    @Test func theOldStoreIsKeptAsItWasAndIsItsOwnersOnly() async throws {
        let before = try Self.content(of: folder.database)
        let store = try await HomeStore.open(at: folder.data)
        try await store.close()
        #expect(try Self.content(of: copy()) == before)
        #expect(try folder.mode("hearth.sqlite.format1") == 0o600)

        // The copy can be restored, and no copy replaces another.
        try FileManager.default.removeItem(at: folder.database)
        try FileManager.default.copyItem(at: copy(), to: folder.database)
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(.home(Self.home))?.cursor.revision == 9)
        try await again.close()
        #expect(try Self.content(of: copy()) == before)
        #expect(try Self.content(of: copy("-2")) == before)
        let newest = try await HomeStore.open(at: folder.data)
        try await newest.close()
        #expect(!FileManager.default.fileExists(atPath: copy("-3").path))
    }

    @Test func aMigrationThatIsCutShortAfterTheCopyKeepsOneCopyOnly() async throws {
        for _ in 0..<3 {
            let store = try await HomeStore.open(at: folder.data)
            try await store.close()
            // The state before the migration, and the copy next to it.
            try FileManager.default.removeItem(at: folder.database)
            try restore()
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.data.path).sorted()
                == ["hearth.sqlite", "hearth.sqlite.format1", "lock"]
        )

        // A copy with a different content is a different copy.
        let queue = try DatabaseQueue(path: folder.database.path)
        try await queue.write { try $0.execute(sql: "DELETE FROM secret") }
        try queue.close()
        let changed = try Self.content(of: folder.database)
        let store = try await HomeStore.open(at: folder.data)
        try await store.close()
        #expect(try Self.content(of: copy("-2")) == changed)
    }

    /// The content of a database with its format.
    private static func content(of file: URL) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            let tables = ["log", "entry", "record", "secret", "metadata"]
            let rows = try tables.flatMap { try Row.fetchAll(database, sql: "SELECT * FROM \($0)") }
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            return ["\(version)"] + rows.map { row in row.map { "\($0): \($1)" }.joined(separator: ", ") }
        }
    }

    private static let crashRuns = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 12

    @Test func aMigrationThatIsKilledLeavesTheOldStoreOrTheNewOne() async throws {
        // Large enough that copying and migrating take long enough to be killed.
        let queue = try DatabaseQueue(path: folder.database.path)
        try await queue.write { database in
            for number in 0..<100 {
                try database.execute(
                    sql: "INSERT INTO secret VALUES ('pairing', '', ?, ?)",
                    arguments: ["\(number)", Data(repeating: UInt8(number % 256), count: 20_000)]
                )
            }
        }
        try queue.close()
        let large = try Data(contentsOf: folder.database)
        let content = try Self.content(of: folder.database)
        let unfinished = folder.data.appendingPathComponent("hearth.sqlite.new")
        var (old, cutShort) = (0, 0)
        for run in 0..<Self.crashRuns {
            for file in try FileManager.default.contentsOfDirectory(at: folder.data, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: file)
            }
            try large.write(to: folder.database)
            try folder.setMode(0o600, folder.database)
            // During the copy, right after it, and at any time.
            let sign = [unfinished, copy(), folder.data.appendingPathComponent("lock")][run % 3]
            let (data, delay) = (folder.data, UInt32.random(in: 0...(run % 3 == 2 ? 40_000 : 1_000)))
            try await blocking { try Self.migrate(data, killedOnceThereIs: sign, after: delay) }

            let isMigrated = try Self.format(of: folder.data) == "\(Schema.version)"
            let hasCopy = FileManager.default.fileExists(atPath: copy().path)
            if !isMigrated { old += 1 }
            if FileManager.default.fileExists(atPath: unfinished.path) { cutShort += 1 }
            if isMigrated { #expect(hasCopy) }
            if hasCopy { #expect(try Self.content(of: copy()) == content) }

            // The next start succeeds, and the old store still exists.
            let store = try await HomeStore.open(at: folder.data)
            #expect(try await store.load(.home(Self.home))?.cursor.revision == 9)
            #expect(try await store.secrets(.pairing, of: nil).count == 100)
            try await store.close()
            #expect(try Self.content(of: copy()) == content)
            let leftovers = try FileManager.default.contentsOfDirectory(atPath: folder.data.path)
            #expect(leftovers.filter { $0.hasPrefix("hearth.sqlite.new") }.isEmpty)
        }
        #expect(old > 0 && cutShort > 0, "killed too late: \(old) not migrated, \(cutShort) while copying")
    }

    /// Opens the store in a process, and kills it the given number of microseconds after a file exists.
    private static func migrate(_ data: URL, killedOnceThereIs sign: URL, after delay: UInt32) throws {
        let process = Process()
        process.executableURL = try crashChild()
        process.arguments = ["--open", data.path]
        try process.run()
        while process.isRunning, access(sign.path, F_OK) != 0 { usleep(50) }
        usleep(delay)
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Returns the content of the file, including its write-ahead log, without changing any file.
    private static func format(of data: URL) throws -> String {
        let folder = try TemporaryFolder()
        for file in try FileManager.default.contentsOfDirectory(at: data, includingPropertiesForKeys: nil)
        where !file.lastPathComponent.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: file, to: folder.url.appendingPathComponent(file.lastPathComponent))
        }
        let queue = try DatabaseQueue(path: folder.url.appendingPathComponent("hearth.sqlite").path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: "PRAGMA user_version") ?? "" }
    }

    @Test func aMigratedStoreTakesMoreAndKeepsReceipts() async throws {
        let store = try await HomeStore.open(at: folder.data)
        let room = RoomRecord(id: UUID(), name: "Study")
        var draft = EntryDraft(
            log: .home(Self.home),
            entryID: UUID(),
            caller: Caller(user: Self.user, device: UUID(), app: "test", client: UUID()),
            cause: .app,
            time: Date(timeIntervalSince1970: 0),
            change: Change(verb: .roomAdded, subjects: [room.id], effects: [.put(.room(room))]),
            expectedRevision: 9
        )
        let request = RequestKey(sender: Self.user, app: "test", key: draft.entryID)
        draft.receipt = RequestReceipt(request: request, digest: [1], reply: [2])
        #expect(try await store.append([draft]).first?.cursor.revision == 10)
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(.home(Self.home))?.cursor.revision == 10)
        #expect(try await again.receipt(of: request) == draft.receipt)
        try await again.close()
    }

    @Test func aDamagedStoreIsNotMigrated() async throws {
        var damaged = original
        damaged.replaceSubrange((damaged.count - 4_096)..., with: Data(repeating: 0xA5, count: 4_096))
        try damaged.write(to: folder.database)
        try folder.setMode(0o600, folder.database)
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .damaged)
        #expect(try Data(contentsOf: folder.database) == damaged)
        #expect(!FileManager.default.fileExists(atPath: copy().path))
    }

    @Test func aStoreThatCannotBeCopiedIsNotMigrated() async throws {
        // A folder at the path of the copy.
        let obstacle = folder.data.appendingPathComponent("hearth.sqlite.new")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        #expect(await refusal { try await HomeStore.open(at: folder.data) } == .inputOutput)
        #expect(try Data(contentsOf: folder.database) == original)
        try FileManager.default.removeItem(at: obstacle)
        let store = try await HomeStore.open(at: folder.data)
        #expect(try await store.logs().count == 2)
        try await store.close()
    }
}
