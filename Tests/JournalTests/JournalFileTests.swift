import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI
import Journal
import Testing

/// Entries that are recorded, read and kept.
struct JournalFileTests {
    private let fixture: JournalFixture

    init() throws { fixture = try JournalFixture() }

    @Test func entriesComeBackAsTheyWereRecordedAndNewestFirst() async throws {
        let journal = try await fixture.open()
        let trigger = JournalObject(id: UUID(), name: "Evening")
        let event = TriggerEvent(id: UUID(), occurrence: .sun(SunMoment(.sunset, offset: 15)))
        let observation = Observation(
            .sun(.after, SunMoment(.sunset)),
            isTrue: true,
            moments: [fixture.now],
            present: [UUID()]
        )
        var fired = fixture.entry(
            .trigger(trigger, .fired, event: event, observations: [observation], due: fixture.now),
            cause: Cause(kind: .trigger, subject: trigger.id)
        )
        fired.names = [JournalObject(id: UUID(), name: "Ann")]
        var remote = fixture.switched(false, previous: true)
        (remote.device, remote.way) = ("Ann's “Laptop”", .away)
        let entries = [
            fired,
            fixture.entry(.scene(JournalObject(id: UUID(), name: "Cozy"), actions: 3, failures: 1), parent: fired.id),
            fixture.switched(true, previous: false),
            remote,
            fixture.entry(
                .failedWrite(
                    fixture.value(HAPType.Characteristic.brightness, .integer(40)),
                    HubError(.notReachable, "It doesn't answer.", trouble: .missingOnBridge)
                )
            ),
            fixture.entry(.change(.roomAdded, objects: [JournalObject(id: UUID(), name: "Kitchen")])),
            fixture.entry(.reachability(fixture.lamp, isReachable: false, reason: "No route.")),
        ]
        journal.record(entries)
        #expect(try await fixture.all(in: journal) == entries.reversed())
        await journal.close()
        let again = try await fixture.open()
        #expect(try await fixture.all(in: again) == entries.reversed())
        await again.close()
    }

    @Test func whatWasFlushedSurvivesAHubThatNeverClosedTheFile() async throws {
        let killed = try await fixture.open()
        let entry = fixture.switched(true)
        killed.record([entry])
        await killed.flush()
        // A copy of the files as they are is what a killed process leaves.
        let other = try JournalFixture(at: fixture.now)
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                at: fixture.folder.appending(path: name),
                to: other.folder.appending(path: name)
            )
        }
        let copy = try await other.open()
        #expect(try await copy.entries(JournalSelection(home: fixture.home, limit: 10)) == [entry])
        #expect(other.notices.isEmpty)
        await copy.close()
        await killed.close()
    }

    @Test func entriesAreWrittenWithoutAnybodyAskingForIt() async throws {
        let journal = try await fixture.open()
        journal.record([fixture.switched(true)])
        let wal = fixture.path + "-wal"
        let before = try FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int ?? 0
        var size = before
        for _ in 0..<6_000 where size == before {
            try await Task.sleep(for: .milliseconds(10))
            size = try FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int ?? 0
        }
        #expect(size > before)
        await journal.close()
    }

    @Test func onlyTheOwnerHasAccessToTheFiles() async throws {
        let journal = try await fixture.open()
        journal.record([fixture.switched(true)])
        await journal.flush()
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
        await journal.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: fixture.path)
        let error = await #expect(throws: JournalError.self) { _ = try await fixture.open() }
        #expect(error?.code == .insecure)
        #expect(error?.reason.contains("chmod 600 \(fixture.path)") == true)
    }

    @Test func aPageContinuesWhereTheLastOneEnded() async throws {
        let journal = try await fixture.open()
        let entries = (0..<7).map { fixture.switched($0.isMultiple(of: 2)) }
        journal.record(entries)
        var pages: [[JournalEntry]] = []
        var last: UUID?
        repeat {
            pages.append(try await journal.entries(JournalSelection(home: fixture.home, before: last, limit: 3)))
            last = pages.last?.last?.id
        } while last != nil
        #expect(pages.map(\.count) == [3, 3, 1, 0])
        #expect(pages.flatMap(\.self) == entries.reversed())
        let unknown = JournalSelection(home: fixture.home, before: UUID(), limit: 3)
        let error = await #expect(throws: JournalError.self) { _ = try await journal.entries(unknown) }
        #expect(error?.code == .noSuchEntry)
        await journal.close()
    }

    @Test func entriesAreSelectedByTimeObjectKindAndHome() async throws {
        let journal = try await fixture.open()
        let start = fixture.now
        let kitchen = JournalObject(id: UUID(), name: "Kitchen")
        let first = fixture.switched(true)
        fixture.now = start + 60
        let moved = fixture.entry(.change(.accessoryMoved, objects: [fixture.lamp, kitchen]))
        fixture.now = start + 120
        let added = fixture.entry(.change(.zoneRoomAdded, objects: [JournalObject(id: UUID(), name: "Top"), kitchen]))
        var foreign = fixture.switched(false)
        foreign.home = UUID()
        journal.record([first, moved, added, foreign])

        func select(
            about: UUID? = nil,
            since: Date? = nil,
            kinds: Set<JournalKind> = Set(JournalKind.allCases)
        ) async throws -> [JournalEntry] {
            let selection = JournalSelection(home: fixture.home, about: about, since: since, kinds: kinds, limit: 10)
            return try await journal.entries(selection)
        }
        #expect(try await select() == [added, moved, first])
        #expect(try await select(since: start + 60) == [added, moved])
        #expect(try await select(since: start + 121).isEmpty)
        #expect(try await select(about: fixture.lamp.id) == [moved, first])
        #expect(try await select(about: kitchen.id) == [added, moved])
        #expect(try await select(about: kitchen.id, since: start + 61) == [added])
        #expect(try await select(about: fixture.lamp.id, kinds: [.value]) == [first])
        #expect(try await select(kinds: [.change]) == [added, moved])
        #expect(try await select(about: UUID()).isEmpty)
        await journal.close()
    }

    @Test func aClockThatIsSetBackKeepsTheOrder() async throws {
        let journal = try await fixture.open()
        let late = fixture.switched(true)
        fixture.now -= 3_600
        let early = fixture.switched(false)
        journal.record([late])
        journal.record([early])
        #expect(try await fixture.all(in: journal) == [early, late])
        #expect(try await journal.explain(fixture.lamp.id, in: fixture.home) == [early])
        await journal.close()
    }

    /// Waits until so many entries are on the disk.
    private func waitForEntries(_ count: Int) async throws {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: fixture.path, configuration: configuration)
        let sql = "SELECT count(*) FROM entry"
        while try await file.read({ try Int.fetchOne($0, sql: sql) }) != count {
            try await Task.sleep(for: .milliseconds(10))
        }
        try file.close()
    }

    @Test(.timeLimit(.minutes(5))) func whatAnAccessoryReportsIsWrittenWithTheNextEntryOrByItself() async throws {
        var limits = JournalLimits()
        limits.reportDelay = .seconds(24 * 60 * 60)
        limits.delay = .zero
        let patient = try await fixture.open(limits)
        patient.record([fixture.switched(true, cause: .accessory)], urgency: .report)
        patient.record([fixture.switched(false)])
        try await waitForEntries(2)
        await patient.close()

        limits.reportDelay = .zero
        limits.delay = .seconds(24 * 60 * 60)
        let prompt = try await fixture.open(limits)
        prompt.record([fixture.switched(true, cause: .accessory)], urgency: .report)
        try await waitForEntries(3)
        await prompt.close()
    }

    @Test(.timeLimit(.minutes(5))) func whatIsDueIsWrittenWithoutADelay() async throws {
        var limits = JournalLimits()
        limits.reportDelay = .seconds(24 * 60 * 60)
        limits.delay = .seconds(24 * 60 * 60)
        let journal = try await fixture.open(limits)
        journal.record([fixture.switched(true)])
        journal.record([fixture.switched(false)], urgency: .high)
        try await waitForEntries(2)
        await journal.close()
    }

    @Test func entriesThatWereRecordedTwiceAreKeptOnce() async throws {
        let journal = try await fixture.open()
        let entry = fixture.switched(true)
        journal.record([entry])
        await journal.flush()
        journal.record([entry])
        #expect(try await fixture.all(in: journal) == [entry])
        await journal.close()
    }

    @Test func anEntryThatIsTooLargeIsDroppedAndTheOthersAreKept() async throws {
        var limits = JournalLimits()
        let small = fixture.switched(true)
        limits.entryBytes = 400
        let journal = try await fixture.open(limits)
        let large = fixture.entry(
            .reachability(fixture.lamp, isReachable: false, reason: String(repeating: "x", count: 400))
        )
        journal.record([large, small])
        #expect(try await fixture.all(in: journal) == [small])
        guard case .dropped(let bytes)? = fixture.notices.first else {
            Issue.record("\(fixture.notices)")
            return
        }
        #expect(bytes > 400)
        await journal.close()
    }

    @Test func aClosedJournalSaysSo() async throws {
        let journal = try await fixture.open()
        await journal.close()
        journal.record([fixture.switched(true)])
        let error = await #expect(throws: JournalError.self) { _ = try await fixture.all(in: journal) }
        #expect(error?.code == .closed)
    }
}
