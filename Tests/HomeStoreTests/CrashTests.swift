import Foundation
import HomeModel
import HomeStore
import Testing

/// A process that writes is killed at random points, many times over: what it was told is stored, is stored.
@Suite struct CrashTests {
    private static let runs = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 25
    /// Runs that go on in one data folder, so that its entries are all still there to be replayed.
    private static let runsPerFolder = 10
    private static let mostLines = 60
    private static let longestDelay: UInt32 = 40_000

    @Test func noAcknowledgedChangeIsLostWhenTheProcessIsKilled() async throws {
        var acknowledged = 0
        var folder = try TemporaryFolder()
        var known = Acknowledged()
        for run in 0..<Self.runs {
            if run.isMultiple(of: Self.runsPerFolder) {
                folder = try TemporaryFolder()
                known = Acknowledged()
            }
            let lines = try Self.linesOfKilledProcess(folder.data)
            for line in lines { try known.note(line) }
            acknowledged += lines.count
            try await Self.expectAll(known, in: folder.data)
        }
        #expect(acknowledged > Self.runs)
    }

    /// What the process said it stored before it was killed: after a number of lines, or after a while.
    private static func linesOfKilledProcess(_ data: URL) throws -> [String] {
        let process = Process()
        process.executableURL = try #require(
            URL(string: "file:///proc/self/exe")?.resolvingSymlinksInPath().deletingLastPathComponent()
                .appendingPathComponent("store-crash-child")
        )
        process.arguments = [data.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reader = output.fileHandleForReading
        var text = Data()
        if Bool.random() {
            let most = Int.random(in: 1...mostLines)
            while text.count(where: { $0 == UInt8(ascii: "\n") }) < most {
                let more = reader.availableData
                guard !more.isEmpty else { break }
                text += more
            }
        } else {
            usleep(.random(in: 0...longestDelay))
        }
        kill(process.processIdentifier, SIGKILL)
        text += reader.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "the process ended by itself")
        // The last line may have been cut short.
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    private static func expectAll(_ known: Acknowledged, in data: URL) async throws {
        let store = try await HomeStore.open(at: data)
        for name in known.secrets {
            #expect(try await store.secret(SecretKey(kind: .pairing, log: nil, name: name)) == Array(name.utf8))
        }
        let logs = try await store.logs()
        guard case .home(let home)? = logs.first, case .account(let user)? = logs.last else {
            #expect(known.entries.isEmpty && logs.isEmpty)
            try await store.close()
            return
        }
        let homeLog = try #require(try await store.load(.home(home)))
        let accountLog = try #require(try await store.load(.account(user)))
        let homeEntries = try await entries(homeLog, store)
        let accountEntries = try await entries(accountLog, store)

        let revisions = Dictionary(uniqueKeysWithValues: homeEntries.map { ($0.entryID, $0.revision) })
        for (entryID, revision) in known.entries { #expect(revisions[entryID] == revision) }
        // What was appended to both logs is in both, and the account's log has nothing else.
        let inAccount = Set(accountEntries.map(\.entryID))
        #expect(inAccount.isSubset(of: revisions.keys))
        #expect(known.both.isSubset(of: inAccount))

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

/// What the killed process was told is stored.
private struct Acknowledged {
    /// Revisions in the home's log by entry.
    var entries: [UUID: Int] = [:]
    /// Entries that are in the account's log as well.
    var both: Set<UUID> = []
    var secrets: [String] = []

    mutating func note(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "secret": secrets.append(try #require(words.last))
        case "entry", "both":
            let entryID = try #require(words.last.flatMap(UUID.init))
            let revision = try #require(Int(words[1]))
            entries[entryID] = revision
            if words[0] == "both" { both.insert(entryID) }
        default: Issue.record("“\(line)” is no line of the process")
        }
    }
}
