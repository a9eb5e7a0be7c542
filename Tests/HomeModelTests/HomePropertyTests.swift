import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// Properties that hold after any sequence of requests, including rejected ones.
@Suite struct HomePropertyTests {
    @Test(arguments: 0..<40)
    func randomRequestsKeepAHomeInOrder(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        var rows = Rows(test.home.records)
        var log: [Change] = []
        let start = test.home
        var refusals = 0
        for step in 0..<400 {
            let before = test.home
            let request = requests.next(for: test)
            do throws(HomeError) {
                guard let change = try test.ask(request) else {
                    #expect(test.home == before)
                    continue
                }
                log.append(change)
                rows.apply(change)
                #expect(test.home != before, "\(change.verb.rawValue) changed nothing")
                #expect(!change.subjects.isEmpty)
            } catch {
                refusals += 1
                #expect(test.home == before)
                #expect(!error.reason.isEmpty)
            }
            if step.isMultiple(of: 20) {
                HomeInvariants.expect(test.home)
                // The log, cut off after any entry, opens with the state of that entry.
                #expect(Home(id: test.home.id, records: rows.records) == test.home)
            }
        }
        HomeInvariants.expect(test.home)
        #expect(log.count > 50 && refusals > 10)

        // The state matches the records and the log, even after both were encoded as JSON and decoded.
        #expect(Home(id: test.home.id, records: test.home.records) == test.home)
        let records = try CanonicalJSON.decode([Record].self, from: CanonicalJSON.encode(rows.records))
        #expect(records == rows.records)
        let loaded = Home(id: test.home.id, records: records)
        #expect(loaded == test.home)
        var replay = start
        for change in log {
            let read = try CanonicalJSON.decode(Change.self, from: change.payload())
            #expect(read == change)
            replay.apply(read)
        }
        #expect(replay == test.home)
        // The indexes, updated over the whole sequence, equal those of a home that was just loaded.
        for _ in 0..<100 {
            let request = requests.next(for: test)
            #expect(Self.outcome(of: request, test.home, test.owner) == Self.outcome(of: request, loaded, test.owner))
        }
    }

    /// A log may have been written under other rules or by a faulty program. Applying it must never trap, and the
    /// result must be a home that can handle requests.
    @Test(arguments: 0..<40)
    func mangledChangesAreAppliedWithoutATrap(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        for step in 0..<300 {
            let request = requests.next(for: test)
            guard var change = Self.change(of: request, test) else { continue }
            requests.mangle(&change)
            test.home.apply(change)
            if step.isMultiple(of: 30) {
                let records = test.home.records
                #expect(Home(id: test.home.id, records: records).records == records)
            }
        }
        for _ in 0..<200 { _ = try? test.ask(requests.next(for: test)) }
    }

    /// An entry with any bytes is read or rejected, and an entry that is read is applied.
    @Test(arguments: 0..<20)
    func entriesWithMangledBytesAreReadOrRefusedAndAppliedWithoutATrap(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        var (read, refused) = (0, 0)
        for revision in 1...300 {
            guard let change = Self.change(of: requests.next(for: test), test) else { continue }
            let entry = Entry(
                test.draft(of: change),
                payload: try change.payload(),
                lineage: UUID(),
                revision: revision,
                previousHash: .none
            )
            var bytes = try entry.encoded()
            #expect(try Entry(encoded: bytes) == entry)
            requests.mangle(&bytes)
            guard let change = try? Entry(encoded: bytes).change() else {
                refused += 1
                test.home.apply(change)
                continue
            }
            read += 1
            test.home.apply(change)
        }
        let records = test.home.records
        #expect(Home(id: test.home.id, records: records).records == records)
        for _ in 0..<100 { _ = try? test.ask(requests.next(for: test)) }
        #expect(read > 0 && refused > 0)
    }

    @Test func recordsThatAreNotUnderstoodAreKept() {
        let id = UUID()
        let scene = Record.unknown(
            kind: RecordKind(rawValue: "scene"),
            id: "s",
            body: .object(["kind": .string("scene"), "id": .string("s")])
        )
        let unknownRecords: [Record] = [
            scene, .accountHome(AccountHomeRecord(id: UUID(), name: "A", isPrimary: true, order: 1)),
            .home(HomeRecord(id: UUID(), defaultRoom: UUID())),
        ]
        var home = Home(id: id, records: unknownRecords)
        #expect(home.records == unknownRecords)
        #expect(home.defaultRoom == id)
        home.apply(Change(verb: .homeCreated, subjects: [], effects: [.remove(scene.recordID)]))
        #expect(home.records == Array(unknownRecords.dropFirst()))
    }

    @Test func aVerbOfANewerVersionStillApplies() {
        var test = TestHome()
        let room = RoomRecord(id: UUID(), name: "Den")
        test.home.apply(Change(verb: Verb(rawValue: "roomPainted"), subjects: [], effects: [.put(.room(room))]))
        #expect(Array(test.home.rooms) == [room])
    }

    private static func change(of request: any HomeRequest, _ test: TestHome) -> Change? {
        do throws(HomeError) {
            return try test.home.decide(request, by: test.owner, at: TestHome.time)
        } catch {
            return nil
        }
    }

    private enum Outcome: Equatable {
        case change(Change?)
        case refusal(HomeError.Code)
    }

    private static func outcome(of request: any HomeRequest, _ home: Home, _ caller: Caller) -> Outcome {
        do throws(HomeError) {
            return .change(try home.decide(request, by: caller, at: TestHome.time))
        } catch {
            return .refusal(error.code)
        }
    }
}

/// The rows that a store has of a log: each record at the position of its first insertion, until it is removed.
private struct Rows {
    private var list = RecordList<Row>()

    private struct Row: Identifiable {
        var record: Record
        var id: RecordID { record.recordID }
    }

    init(_ records: [Record]) {
        for record in records { list.put(Row(record: record)) }
    }

    var records: [Record] { list.map(\.record) }

    mutating func apply(_ change: Change) {
        for effect in change.effects {
            switch effect {
            case .put(let record): list.put(Row(record: record))
            case .remove(let id): list.remove(id: id)
            }
        }
    }
}
