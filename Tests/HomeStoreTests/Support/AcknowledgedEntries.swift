import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

/// The program that writes to a store until it is killed or its disk is full.
func crashChild() throws -> URL {
    try #require(
        URL(string: "file:///proc/self/exe")?.resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("store-crash-child")
    )
}

/// The entries and secrets that the killed process was told are stored.
struct AcknowledgedEntries {
    /// The revisions in the home's log, by entry.
    var entries: [UUID: Int] = [:]
    /// The entries that are also in the account's log.
    var both: Set<UUID> = []
    var secrets: [String] = []

    mutating func record(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "secret": secrets.append(try #require(words.last))
        case "entry", "both":
            let entryID = try #require(words.last.flatMap(UUID.init))
            let revision = try #require(Int(words[1]))
            entries[entryID] = revision
            if words[0] == "both" { both.insert(entryID) }
        default: Issue.record("“\(line)” is not a line of the process")
        }
    }

    /// Opens the store and expects everything acknowledged to be there, and nothing to be there in part.
    func expectAll(in data: URL) async throws {
        let store = try await HomeStore.open(at: data)
        for name in secrets {
            #expect(try await store.secret(SecretKey(kind: .pairing, log: nil, name: name)) == Array(name.utf8))
        }
        let logs = try await store.logs()
        guard case .home(let home)? = logs.first, case .account(let user)? = logs.last else {
            #expect(entries.isEmpty && logs.isEmpty)
            try await store.close()
            return
        }
        let homeLog = try #require(try await store.load(.home(home)))
        let accountLog = try #require(try await store.load(.account(user)))
        let homeEntries = try await Self.entries(homeLog, store)
        let accountEntries = try await Self.entries(accountLog, store)

        let revisions = Dictionary(uniqueKeysWithValues: homeEntries.map { ($0.entryID, $0.revision) })
        for (entryID, revision) in entries { #expect(revisions[entryID] == revision) }
        // Entries for both logs are in both, and the account's log has no others.
        let inAccount = Set(accountEntries.map(\.entryID))
        #expect(inAccount.isSubset(of: revisions.keys))
        #expect(both.isSubset(of: inAccount))

        // Every entry in the home's log has its receipt, and there are no other receipts.
        for entry in homeEntries {
            let request = RequestKey(sender: entry.caller.user, app: entry.caller.app, key: entry.entryID)
            #expect(try await store.receipt(of: request)?.reply == Array("\(entry.revision)".utf8))
        }
        let receipts = try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM request") }
        #expect(receipts == homeEntries.count)

        var replay = Home(id: home)
        for entry in homeEntries { replay.apply(try entry.change()) }
        #expect(replay == Home(id: home, records: homeLog.records))
        var account = Account(user: user)
        for entry in accountEntries { account.apply(try entry.change()) }
        #expect(account == Account(user: user, records: accountLog.records))
        try await store.close()
    }

    private static func entries(_ log: StoredLog, _ store: HomeStore) async throws -> [Entry] {
        let start = LogCursor(lineage: log.cursor.lineage, revision: 0)
        let entries = try #require(try await store.entries(of: log.log, after: start)).map(\.entry)
        #expect(entries.map(\.revision) == Array(1...log.cursor.revision))
        return entries
    }
}
