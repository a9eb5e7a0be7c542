import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI
import Testing

@testable import Journal

/// The bounds of the journal in number and age.
struct JournalLimitTests {
    private let fixture: JournalFixture

    init() throws { fixture = try JournalFixture() }

    private func rows(_ table: String) throws -> Int {
        try DatabaseQueue(path: fixture.path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    @Test func theOldestEntryGoesWhenThereIsOneTooMany() async throws {
        var limits = JournalLimits()
        limits.entries = 10
        let journal = try await fixture.open(limits)
        let entries = (0..<11).map { _ in fixture.switched(true) }
        journal.record(Array(entries.prefix(10)))
        #expect(try await fixture.all(in: journal) == entries.prefix(10).reversed())
        journal.record([entries[10]])
        #expect(try await fixture.all(in: journal) == entries.suffix(10).reversed())
        await journal.close()
        // The count is right after a restart too.
        let again = try await fixture.open(limits)
        let last = fixture.switched(false)
        again.record([last])
        #expect(try await fixture.all(in: again) == [last] + entries.suffix(9).reversed())
        await again.close()
    }

    @Test func entriesAreRemovedInSmallStepsWhenTheLimitShrinks() async throws {
        let journal = try await fixture.open()
        journal.record((0..<100).map { _ in fixture.switched(true) })
        await journal.close()
        var limits = JournalLimits()
        limits.entries = 10
        limits.removalsPerWrite = 20
        let smaller = try await fixture.open(limits)
        smaller.record([fixture.switched(false)])
        await smaller.flush()
        #expect(try rows("entry") == 101 - 21)
        // The rest follows without anybody asking for it.
        for _ in 0..<6_000 where try rows("entry") > 10 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try rows("entry") == 10)
        await smaller.close()
    }

    @Test func anEntryIsKeptUntilItsAgeIsReached() async throws {
        var limits = JournalLimits()
        limits.entryAge = .seconds(3_600)
        let journal = try await fixture.open(limits)
        let start = fixture.now
        let old = fixture.entry(
            .change(.zoneRoomAdded, objects: [fixture.lamp, JournalObject(id: UUID(), name: "Kitchen")])
        )
        journal.record([old])
        fixture.now = start + 3_600
        let second = fixture.switched(true)
        journal.record([second])
        #expect(try await fixture.all(in: journal) == [second, old])
        fixture.now = start + 3_601
        let third = fixture.switched(true)
        journal.record([third])
        #expect(try await fixture.all(in: journal) == [third, second])
        #expect(try rows("mention") == 0)
        await journal.close()
    }

    @Test func samplesAreBoundedInNumberAndAge() async throws {
        var limits = JournalLimits()
        limits.samples = 5
        limits.sampleAge = .seconds(600)
        let journal = try await fixture.open(limits)
        let start = Date(timeIntervalSince1970: 60 * 30_000_000)
        let source = JournalSample.Source(home: fixture.home, accessory: fixture.lamp.id, iid: 9)
        func record(_ minutes: Range<Int>) {
            journal.record(
                [],
                samples: minutes.map { JournalSample(source, time: start + Double($0 * 60), value: Double($0)) }
            )
        }
        func values() async throws -> [Double] {
            try await journal.samples(of: fixture.lamp.id, in: fixture.home, since: start, limit: 100).map(\.value)
        }
        fixture.now = start
        record(0..<5)
        #expect(try await values() == [0, 1, 2, 3, 4])
        record(5..<6)
        #expect(try await values() == [1, 2, 3, 4, 5])
        fixture.now = start + 60 * 13
        record(6..<7)
        #expect(try await values() == [3, 4, 5, 6])
        await journal.close()
    }

    @Test func whatWaitsInMemoryIsBounded() {
        var backlog = JournalBacklog()
        let entries = (0..<5).map { _ in fixture.switched(true) }
        backlog.add(entries, limit: 5)
        #expect(backlog.takeDropped() == 0)
        let late = fixture.switched(false)
        backlog.add([late], limit: 5)
        #expect(backlog.entries == Array(entries.dropFirst()) + [late])
        let taken = backlog.take()
        backlog.add([fixture.switched(true)], limit: 5)
        backlog.putBack(taken.entries, [], limit: 5)
        #expect(backlog.entries.first == entries[2])
        #expect(backlog.takeDropped() == 2)
        #expect(backlog.takeDropped() == 0)
    }

    /// The statements that answer within milliseconds in a file of 1,000,000 entries.
    @Test func noStatementReadsATableWithoutAnIndex() async throws {
        let journal = try await fixture.open()
        let entry = fixture.switched(true)
        journal.record([entry])
        await journal.flush()
        let object = fixture.lamp.id.bytes
        try await DatabaseQueue(path: fixture.path).read { [fixture] database in
            func plan(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map { $0["detail"] }
            }
            func listing(_ selection: JournalSelection) throws -> [String] {
                let request = try EntryTable.request(selection, database)
                return try plan(request.sql, request.arguments)
            }
            let home = fixture.home
            let plans = [
                try plan(EntryTable.latestStatement, [object, 1, home.bytes, 32]),
                try plan(EntryTable.entryStatement, [entry.id.bytes, home.bytes]),
                try listing(JournalSelection(home: home, limit: 100)),
                try listing(
                    JournalSelection(home: home, since: entry.time, before: entry.id, kinds: [.value], limit: 9)
                ),
                try listing(JournalSelection(home: home, about: fixture.lamp.id, since: entry.time, limit: 9)),
                try plan(
                    "SELECT time, value FROM sample WHERE series = ? AND minute >= ? AND time >= ? ORDER BY minute",
                    [1, 0, 0]
                ),
            ]
            for plan in plans {
                // A search without an index goes through the rows.
                #expect(!plan.contains { $0.hasPrefix("SEARCH entry") && !$0.contains("USING") }, "\(plan)")
                let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("(subquery-") && !$0.contains("SCAN (") }
                #expect(scans.isEmpty, "\(plan)")
            }
            // Only the few rows of the last one are sorted.
            for plan in plans.dropLast(2) {
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
        await journal.close()
    }

    @Test func aHundredThousandEntriesAreExplained() async throws {
        var limits = JournalLimits()
        limits.waiting = 200_000
        let journal = try await fixture.open(limits)
        let cause = fixture.entry(.scene(JournalObject(id: UUID(), name: "Cozy"), actions: 1, failures: 0))
        let lit = fixture.switched(true, previous: false, cause: Cause(kind: .scene), parent: cause.id)
        journal.record([cause, lit])
        let other = JournalObject(id: UUID(), name: "Other")
        journal.record(
            (0..<100_000).map { index in
                var value = fixture.value(HAPType.Characteristic.on, .bool(index.isMultiple(of: 2)))
                value.accessory = other
                return fixture.entry(.value(value))
            }
        )
        #expect(try await journal.explain(fixture.lamp.id, in: fixture.home) == [lit, cause])
        let newest = try await fixture.all(in: journal, limit: 3)
        #expect(newest.count == 3)
        await journal.close()
        #expect(try rows("entry") == 100_002)
    }
}
