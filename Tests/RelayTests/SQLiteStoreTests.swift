import Foundation
import GRDB
import HomeIdentity
import Relay
import RelayAPI
import Synchronization
import Testing

/// What is SQLite's own: the file, and the transactions.
struct SQLiteStoreTests {
    @Test func writesThatArriveTogetherShareATransaction() async throws {
        try await withFolder { folder in
            let commits = Mutex<[Int]>([])
            let store = try RelaySQLite(in: folder) { count in commits.withLock { $0.append(count) } }
            let fixture = StoreFixture(kind: .sqlite, folder: folder, store: store)
            _ = try await fixture.makeFeed()
            var writers: [TestWriter] = []
            for _ in 0..<20 {
                let feed = FeedID.random()
                _ = try await store.makeFeed(feed, in: fixture.house, as: fixture.owner)
                writers.append(TestWriter(house: fixture.house, feed: feed))
            }
            commits.withLock { $0 = [] }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in writers {
                    group.addTask {
                        let results = try await fixture.append([writer.item()])
                        #expect(results == [.appended(seq: 1)])
                    }
                }
                try await group.waitForAll()
            }
            #expect(commits.withLock { $0.reduce(0, +) } == writers.count)
            await store.close()
        }
    }

    @Test func aDatabaseOfAnotherKindOrALaterFormatIsLeftAlone() async throws {
        func reason(_ prepare: (URL) throws -> Void) async throws -> String {
            var reason = ""
            try await withFolder { folder in
                let file = folder.appending(path: "relay.sqlite")
                try prepare(file)
                let before = try Data(contentsOf: file)
                do {
                    await (try RelaySQLite(in: folder)).close()
                    Issue.record("the store was opened")
                } catch {
                    if case .failure(let text) = error as? RelayStoreError { reason = text }
                }
                #expect(try Data(contentsOf: file) == before)
            }
            return reason
        }
        func database(_ file: URL, _ sql: String) throws {
            let queue = try DatabaseQueue(path: file.path)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
        }
        #expect(try await reason { try Data().write(to: $0) }.contains("is empty"))
        #expect(try await reason { try Data(repeating: 65, count: 8_192).write(to: $0) }.contains("damaged"))
        #expect(try await reason { try database($0, "CREATE TABLE other(a)") }.contains("not a relay's"))
        let later = "PRAGMA application_id = \(0x4872_6C79); PRAGMA user_version = 99; CREATE TABLE house(a)"
        #expect(try await reason { try database($0, later) }.contains("newer version (format 99"))
    }

    @Test func aFileThatWasCutOffIsReported() async throws {
        try await withFolder { folder in
            let fixture = StoreFixture(kind: .sqlite, folder: folder, store: try RelaySQLite(in: folder))
            var writer = try await fixture.makeFeed()
            for _ in 0..<50 { _ = try await fixture.append([writer.next(size: 8_192)]) }
            await fixture.store.close()
            let file = try FileHandle(forUpdating: folder.appending(path: "relay.sqlite"))
            try file.truncate(atOffset: try file.seekToEnd() / 2)
            try file.close()
            #expect(throws: RelayStoreError.self) { _ = try RelaySQLite(in: folder) }
        }
    }
}
