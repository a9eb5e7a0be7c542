import Foundation
import GRDB
import HubAPI
import Testing

@testable import Journal

/// Files that are damaged, of a newer version, or on a full disk.
struct DamageTests {
    private let fixture: JournalFixture

    init() throws { fixture = try JournalFixture() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted() }
    }

    /// The ways in which a file is damaged.
    enum Damage: CaseIterable {
        case garbage, short, truncated, otherDatabase, pages

        func apply(to path: String) throws {
            let url = URL(fileURLWithPath: path)
            switch self {
            case .garbage: try Data(repeating: 0x55, count: 8_192).write(to: url)
            case .short: try Data("x".utf8).write(to: url)
            case .truncated:
                let file = try FileHandle(forUpdating: url)
                try file.truncate(atOffset: try file.seekToEnd() / 2 + 100)
                try file.close()
            case .otherDatabase:
                try FileManager.default.removeItem(at: url)
                try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE x (y)") }
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            case .pages:
                let file = try FileHandle(forUpdating: url)
                try file.seek(toOffset: 4_096)
                try file.write(contentsOf: Data(repeating: 0xAA, count: 4_096 * 12))
                try file.close()
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func aDamagedFileIsMovedAsideAndAnotherIsBegun(_ damage: Damage) async throws {
        let journal = try await fixture.open()
        journal.record((0..<500).map { _ in fixture.switched(true) })
        await journal.close()
        try damage.apply(to: fixture.path)
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.path))

        let again = try await fixture.open()
        let entry = fixture.switched(false)
        again.record([entry])
        #expect(try await fixture.all(in: again) == [entry])
        await again.close()
        guard case .damaged(let error, let path)? = fixture.notices.first, fixture.notices.count == 1 else {
            Issue.record("\(fixture.notices)")
            return
        }
        #expect(error.code == .damaged && error.reason.contains(fixture.path))
        #expect(path.hasPrefix(fixture.path + ".damaged-"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test func damageThatShowsLaterIsHandledTheSameWay() async throws {
        let journal = try await fixture.open()
        journal.record((0..<500).map { _ in fixture.switched(true) })
        await journal.flush()
        try await DatabaseQueue(path: fixture.path).writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            try database.execute(sql: "DROP TABLE entry")
        }
        let entry = fixture.switched(false)
        journal.record([entry])
        #expect(try await fixture.all(in: journal) == [entry])
        guard case .damaged? = fixture.notices.first else {
            Issue.record("\(fixture.notices)")
            return
        }
        await journal.close()
    }

    @Test func onlyTheLastDamagedFilesAreKept() async throws {
        var limits = JournalLimits()
        limits.damagedFiles = 2
        for index in 0..<4 {
            try Damage.garbage.apply(to: fixture.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.path)
            // Two in the same second have different names.
            if index != 1 { fixture.now += 1 }
            await (try await fixture.open(limits)).close()
        }
        let damaged = try names.filter { $0.contains(".damaged-") }
        #expect(damaged.count == 2, "\(damaged)")
        let last = fixture.notices.suffix(2).compactMap { notice -> String? in
            guard case .damaged(_, let path) = notice else { return nil }
            return URL(fileURLWithPath: path).lastPathComponent
        }
        #expect(damaged == last)
    }

    @Test func aFileOfANewerVersionIsLeftAlone() async throws {
        await (try await fixture.open()).close()
        try await DatabaseQueue(path: fixture.path).writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA user_version = \(JournalSchema.version + 1)")
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let journal = try await fixture.open()
        journal.record([fixture.switched(true)])
        await journal.flush()
        let error = await #expect(throws: JournalError.self) { _ = try await fixture.all(in: journal) }
        #expect(error?.code == .futureFormat)
        await journal.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == content)
        #expect(try names.filter { $0.contains("damaged") }.isEmpty)
        guard case .unsupported? = fixture.notices.first, fixture.notices.count == 1 else {
            Issue.record("\(fixture.notices)")
            return
        }
    }

    @Test func aFileThatWasNeverFinishedIsCompleted() async throws {
        #expect(
            FileManager.default.createFile(atPath: fixture.path, contents: nil, attributes: [.posixPermissions: 0o600])
        )
        let journal = try await fixture.open()
        let entry = fixture.switched(true)
        journal.record([entry])
        #expect(try await fixture.all(in: journal) == [entry])
        #expect(fixture.notices.isEmpty)
        await journal.close()
    }

    @Test func aFullDiskIsReportedOnceAndTheJournalGoesOnWhenThereIsRoom() async throws {
        var limits = JournalLimits()
        limits.waiting = 600
        limits.retryDelay = .milliseconds(50)
        let journal = try await fixture.open(limits)
        let first = fixture.switched(true)
        journal.record([first])
        await journal.flush()
        try await journal.writer.setPageLimit(1)
        let entries = (0..<700).map { _ in fixture.switched(true) }
        journal.record(Array(entries.prefix(500)))
        await journal.flush()
        journal.record(Array(entries.suffix(200)))
        await journal.flush()
        #expect(fixture.notices.count == 1)
        guard case .unwritable(let error)? = fixture.notices.first else {
            Issue.record("\(fixture.notices)")
            return
        }
        #expect(error.code == .full)
        // Reading goes on.
        #expect(try await fixture.all(in: journal) == [first])

        try await journal.writer.setPageLimit(1_000_000)
        await journal.flush()
        #expect(try await fixture.all(in: journal) == entries.suffix(600).reversed() + [first])
        #expect(fixture.notices.last == .writable(droppedEntries: 100))
        await journal.close()
    }
}
