import Foundation
import HomeIdentity
import PeerProcess
import RelayAPI
import Testing

@testable import RelayPostgres

/// What is PostgreSQL's own: a server that fails, and tables of other versions.
struct PostgresStoreTests {
    /// Runs `body` with a server that the test may disturb, and a store in it.
    private static func withServer(
        smallDisk: Int? = nil,
        _ prepare: (PostgresServer) throws -> String = { $0.url() },
        _ body: (PostgresServer, StoreFixture) async throws -> Void
    ) async throws {
        let server = try await PostgresServer(smallDisk: smallDisk, like: try await .shared())
        let result: Result<Void, any Error>
        do {
            let store = try await RelayPostgres.open(try prepare(server), connections: 2, patience: .seconds(60))
            do {
                try await body(server, StoreFixture(kind: .postgres, folder: server.folder, store: store))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await store.close()
        } catch {
            result = .failure(error)
        }
        await server.end()
        try result.get()
    }

    /// Returns the reason of the failure with which a store refuses something.
    private static func failure(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
        } catch RelayStoreError.failure(let reason) {
            return reason
        } catch RelayStoreError.full(let reason) {
            return "full: \(reason)"
        }
        throw PeerProcessError("nothing failed")
    }

    // MARK: A server that fails

    @Test func whatWasAcknowledgedSurvivesACrashOfTheServer() async throws {
        try await Self.withServer { server, fixture in
            var writer = try await fixture.makeFeed()
            let acknowledged = Acknowledged()
            for _ in 1...3 {
                let (start, before) = (writer, acknowledged.all.count)
                // An entry whose answer was lost is there or not: sent again, it is there once. So the writer ends only after
                // an answer, or with the store.
                let writing = Task {
                    var writer = start
                    while !Task.isCancelled {
                        let pending = writer.item()
                        var answer: AppendResult?
                        while answer != .appended(seq: writer.seq + 1) {
                            do {
                                answer = try await fixture.append([pending]).first
                            } catch RelayStoreError.closed {
                                return writer
                            } catch {
                                // For a moment after an attempt, the store doesn't try to connect.
                                try? await Task.sleep(for: .milliseconds(5))
                            }
                        }
                        acknowledged.add(pending.bytes)
                        writer.seq += 1
                        writer.head = EntryDigest(of: pending.bytes)
                    }
                    return writer
                }
                defer { writing.cancel() }
                try await Wait.until("entries are acknowledged") { acknowledged.all.count >= before + 20 }
                try await server.crash()
                let reason = try await Self.failure { try await fixture.store.check() }
                #expect(reason.contains("can't be reached"))
                let whole = acknowledged.all.count
                try await server.start()
                try await Wait.until("entries are acknowledged again") { acknowledged.all.count >= whole + 20 }
                writing.cancel()
                writer = await writing.value
            }
            let position = try await fixture.position()
            let entries = try await fixture.entries(limit: acknowledged.all.count + 1)
            #expect(entries == .entries(acknowledged.all, position: position))
        }
    }

    @Test func aServerThatDoesNotAnswerIsGivenUpAndNothingIsLost() async throws {
        try await Self.withServer { server, fixture in
            var writer = try await fixture.makeFeed()
            // On a busy machine, even opening can take longer than this one's patience.
            var opened: RelayPostgres?
            try await Wait.until("a store with little patience is open") {
                opened = try? await RelayPostgres.open(server.url(), connections: 1, patience: .milliseconds(500))
                return opened != nil
            }
            let impatient = try #require(opened)
            var hasty = fixture
            hasty.store = impatient
            try await server.freeze()
            let item = writer.next()
            let reason = try await Self.failure { _ = try await hasty.append([item]) }
            #expect(reason.contains("hasn't answered") || reason.contains("timeout"), "\(reason)")
            try await server.thaw()
            // It recovers by itself, and has the entry once, whether it had received it or not.
            try await Wait.until("the store works") { (try? await hasty.append([item])) == [.appended(seq: 1)] }
            #expect(try await fixture.append([item, writer.next()]) == [.appended(seq: 1), .appended(seq: 2)])
            await impatient.close()
        }
    }

    @Test func aServerThatIsTooSlowIsNamedAndEndsTheStatement() async throws {
        try await Self.withServer { server, fixture in
            var writer = try await fixture.makeFeed()
            let item = writer.next()
            var opened: RelayPostgres?
            try await Wait.until("a store with little patience is open") {
                opened = try? await RelayPostgres.open(server.url(), connections: 1, patience: .seconds(2))
                return opened != nil
            }
            let impatient = try #require(opened)
            var hasty = fixture
            hasty.store = impatient
            let other = try PostgresConnection(server.url(), LibPQ(), patience: .seconds(60))
            try other.script("BEGIN; LOCK TABLE feed IN EXCLUSIVE MODE")
            let reason = try await Self.failure { _ = try await hasty.append([item]) }
            #expect(reason.contains("too slow") || reason.contains("hasn't answered"), "\(reason)")
            try other.script("ROLLBACK")
            try await Wait.until("the store works") { (try? await hasty.append([item])) == [.appended(seq: 1)] }
            #expect(try await fixture.entries() == .entries([item.bytes], position: try await fixture.position()))
            await impatient.close()
        }
    }

    @Test func aFullDiskRefusesEntriesUntilThereIsRoom() async throws {
        try await Self.withServer(smallDisk: 32) { server in
            try server.run("CREATE TABLESPACE small LOCATION '\(server.folder.path)/small/space'")
            try server.run("CREATE DATABASE relay TABLESPACE small")
            // The new database's files have holes until its pages are written, which needn't be before the disk is full.
            // Then even what only reads fails if its page takes the place of such a one.
            try server.run("CHECKPOINT")
            return server.url("relay")
        } _: { server, fixture in
            var writer = try await fixture.makeFeed()
            var refused: AppendItem?
            for _ in 0..<30 where refused == nil {
                let item = writer.item(base: true, size: 512 << 10)
                do {
                    _ = try await fixture.append([item])
                    writer.seq += 1
                    writer.head = EntryDigest(of: item.bytes)
                } catch RelayStoreError.full(let reason) {
                    #expect(reason.contains("Free some space"))
                    refused = item
                }
            }
            let item = try #require(refused)
            #expect(try await fixture.status().seq == writer.seq)
            try await server.makeRoom()
            #expect(try await fixture.append([item]) == [.appended(seq: writer.seq + 1)])
        }
    }

    @Test func aDatabaseThatIsRestoredTellsWhereItsFeedsAre() async throws {
        try await Self.withServer { server in
            try server.run("CREATE DATABASE relay")
            return server.url("relay")
        } _: { server, fixture in
            var writer = try await fixture.makeFeed()
            _ = try await fixture.append([writer.next()])
            let yesterday = try await fixture.position()
            // Copying a database needs it for itself.
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'relay'"
            try server.run(others)
            try server.run("CREATE DATABASE yesterday TEMPLATE relay")
            _ = try await fixture.append([writer.next(), writer.next()])
            try server.run(others)
            try server.run("DROP DATABASE relay")
            try server.run("ALTER DATABASE yesterday RENAME TO relay")
            // The hub learns where the feed is, and fills it again with a base.
            #expect(try await fixture.append([writer.item()]) == [.conflict(yesterday)])
            var again = TestWriter(house: fixture.house, feed: fixture.feed, seq: yesterday.seq, head: yesterday.head)
            #expect(try await fixture.append([again.next(base: true)]) == [.appended(seq: 2)])
        }
    }

    @Test func whatStandsInTheWayOfOneRequestIsNotTheOthersAffair() async throws {
        try await StoreKind.postgres.with { fixture in
            let url = try String(contentsOf: fixture.folder.appending(path: "postgres"), encoding: .utf8)
            var writer = try await fixture.makeFeed()
            let other = FeedID.random()
            _ = try await fixture.store.makeFeed(other, in: fixture.house, as: fixture.owner)
            // Somebody has meddled with the tables: the entry is there, the feed doesn't know it.
            let connection = try PostgresConnection(url, LibPQ(), patience: .seconds(60))
            try connection.script(
                """
                INSERT INTO entry(house, feed, seq, at, bytes) SELECT house, id, 1, 0, '' FROM feed
                WHERE id = decode('\(fixture.feed)', 'hex')
                """
            )
            let requests = [writer.next(), TestWriter(house: fixture.house, feed: other).item()].map { item in
                AppendQueue.Waiting(
                    request: AppendQueue.Request(
                        house: fixture.house,
                        key: fixture.owner,
                        entries: [try? CheckedEntry(item, in: fixture.house)].compactMap { $0 },
                        time: fixture.now
                    ),
                    complete: { _ in }
                )
            }
            let results = try AppendBatch(requests).run(connection)
            #expect(throws: RelayStoreError.self) { try results[0].get() }
            #expect(try results[1].get() == [.appended(seq: 1)])
        }
    }

    // MARK: Versions

    @Test func aDatabaseThatIsNotARelaysIsLeftAlone() async throws {
        let server = try await PostgresServer.shared()
        let url = try server.newSchema()
        let connection = try PostgresConnection(url, LibPQ(), patience: .seconds(60))
        try connection.script("CREATE TABLE orders(id int)")
        let reason = try await Self.failure { _ = try await RelayPostgres.open(url) }
        #expect(reason.contains("has tables that aren't a relay's"))
        #expect(try await Self.failure { _ = try await RelayPostgres.migrate(url) } == reason)
    }

    @Test func aDatabaseThatDoesNotExistIsNamed() async throws {
        let server = try await PostgresServer.shared()
        let reason = try await Self.failure { _ = try await RelayPostgres.open(server.url("nowhere")) }
        #expect(reason.contains("nowhere") && reason.contains("can't be reached"))
    }

    @Test func oldAndNewProcessesOverlapWhileTheTablesChange() async throws {
        let url = try await PostgresServer.shared().newSchema()
        let second = PostgresMigration(version: 2, servesFrom: 1, sql: "ALTER TABLE house ADD COLUMN note text")
        let third = PostgresMigration(version: 3, servesFrom: 3, sql: "ALTER TABLE house DROP COLUMN note")
        let first = PostgresSchema(oldest: 1, migrations: Array(PostgresMigration.all.prefix(1)))
        let next = PostgresSchema(oldest: 1, migrations: first.migrations + [second])
        let last = PostgresSchema(oldest: 2, migrations: next.migrations + [third])

        let old = try await RelayPostgres.open(url, connections: 1, schema: first)
        let new = try await RelayPostgres.open(url, connections: 1, schema: next)
        let fixture = StoreFixture(kind: .postgres, folder: URL(filePath: "/"), store: AlternatingStore([old, new]))
        let start = try await fixture.makeFeed()
        // Under load, each step leaves both at work.
        let writing = Task {
            var writer = start
            while !Task.isCancelled {
                let item = writer.next()
                guard try await fixture.append([item]) == [.appended(seq: writer.seq)] else {
                    throw PeerProcessError("an entry was refused")
                }
            }
            return writer.seq
        }
        #expect(try await RelayPostgres.migrate(url, to: next) == (1, 2))
        #expect(try await RelayPostgres.migrate(url, to: next) == (2, 2))
        // The old program finds nothing to do in what a newer one prepared.
        #expect(try await RelayPostgres.migrate(url, to: first) == (2, 2))
        writing.cancel()
        let count = try await writing.value
        #expect(try await fixture.status().seq == count)

        // A process that needs the next step says so, and one that can't use the tables any more stops serving.
        let needing = PostgresSchema(oldest: 3, migrations: last.migrations)
        let reason = try await Self.failure { _ = try await RelayPostgres.open(url, schema: needing) }
        #expect(reason.contains("the older format 2") && reason.contains("hearth relay migrate"))
        #expect(try await RelayPostgres.migrate(url, to: last) == (2, 3))
        let refusal = try await Self.failure { try await old.check() }
        #expect(refusal.contains("migrated by a newer version (format 3; this version supports up to 1)"))
        #expect(try await Self.failure { _ = try await RelayPostgres.open(url, schema: next) }.contains("format 3"))
        await fixture.store.close()
    }

    @Test func aStepThatFailsLeavesTheTablesAsTheyWere() async throws {
        let url = try await PostgresServer.shared().newSchema()
        _ = try await RelayPostgres.migrate(url)
        let broken = PostgresMigration(version: 4, servesFrom: 1, sql: "CREATE TABLE more(id int); SELECT 1/0")
        let schema = PostgresSchema(oldest: 1, migrations: PostgresMigration.all + [broken])
        #expect(
            try await Self.failure { _ = try await RelayPostgres.migrate(url, to: schema) }.contains("division by zero")
        )
        let store = try await RelayPostgres.open(url, connections: 1)
        try await store.check()
        await store.close()
    }

    // MARK: Values

    @Test func aHouseMovesOnlyToOrFromTheProcessThatComesOrGoes() throws {
        let processes = (0..<4).map { RelayAPI.RelayProcess(id: UUID(), url: "https://relay-\($0).example.org") }
        let houses = (0..<2_000).map { _ in HouseID.random() }
        let all = ProcessRing(processes)
        let fewer = ProcessRing(Array(processes.dropLast()))
        var counts: [UUID: Int] = [:]
        for house in houses {
            let owner = try #require(all.owner(of: house))
            counts[owner.id, default: 0] += 1
            #expect(all.owner(of: house) == ProcessRing(processes.reversed()).owner(of: house))
            if owner != processes[3] { #expect(fewer.owner(of: house) == owner) }
        }
        // Each has its share, give or take what chance does to 500 of 2,000.
        #expect(counts.count == 4 && counts.values.allSatisfy { (350...650).contains($0) })
        #expect(ProcessRing([]).owner(of: houses[0]) == nil)
    }

    @Test func requestsForOneFeedAreWrittenOneAfterTheOther() throws {
        let (house, owner) = (HouseID.random(), IdentityKey().publicKey)
        func waiting(_ feeds: [FeedID]) throws -> AppendQueue.Waiting {
            let entries = try feeds.map { try CheckedEntry(TestWriter(house: house, feed: $0).item(), in: house) }
            return AppendQueue.Waiting(
                request: AppendQueue.Request(house: house, key: owner, entries: entries, time: 0),
                complete: { _ in }
            )
        }
        let (a, b, c) = (FeedID.random(), FeedID.random(), FeedID.random())
        var queue = AppendQueue()
        for feeds in [[a], [a, b], [b], [c]] { queue.add(try waiting(feeds)) }
        // The second waits for the first, and the third, which came later, for the second.
        let taken = queue.next()
        let first = try #require(taken)
        #expect(first.waiting.map { $0.request.entries.map(\.header.feed) } == [[a], [c]])
        let none = queue.next()
        #expect(none == nil && queue.count == 2)
        queue.finished(first)
        let next = queue.next()
        let second = try #require(next)
        #expect(second.waiting.map { $0.request.entries.map(\.header.feed) } == [[a, b]])
        queue.finished(second)
        let last = queue.next()
        #expect(last?.waiting.count == 1 && queue.count == 0)
    }
}
