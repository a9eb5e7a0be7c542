import Consensus
import Foundation
import HomeModel
import HomeStore
import Testing

/// A process that writes is killed at random points, many times. Everything that was acknowledged must be stored.
@Suite struct CrashTests {
    private static let runs = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 25
    /// The number of runs in the same data folder, so that all its entries can be replayed.
    private static let runsPerFolder = 10
    private static let maximumLines = 60
    private static let maximumDelay: UInt32 = 40_000

    @Test func noAcknowledgedChangeIsLostWhenTheProcessIsKilled() async throws {
        var acknowledged = 0
        var folder = try TemporaryFolder()
        var entries = AcknowledgedEntries()
        for run in 0..<Self.runs {
            if run.isMultiple(of: Self.runsPerFolder) {
                folder = try TemporaryFolder()
                entries = AcknowledgedEntries()
            }
            let data = folder.data
            let lines = try await blocking { try Self.linesOfKilledProcess([data.path]) }
            for line in lines { try entries.record(line) }
            acknowledged += lines.count
            try await entries.expectAll(in: folder.data)
        }
        #expect(acknowledged > Self.runs)
    }

    @Test func noFiringIsCarriedOutTwiceWhenTheProcessIsKilled() async throws {
        var fired: [Int] = []
        var folder = try TemporaryFolder()
        var total = 0
        for run in 0..<Self.runs {
            if run.isMultiple(of: Self.runsPerFolder) {
                total += fired.count
                (folder, fired) = (try TemporaryFolder(), [])
            }
            // As after a restart, the last firings are decided again.
            let arguments = ["--claim", folder.data.path, "\(max(0, (fired.last ?? 0) - 3))"]
            let lines = try await blocking { try Self.linesOfKilledProcess(arguments) }
            fired += lines.compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }
            #expect(Set(fired).count == fired.count, "a firing was carried out twice")

            let store = try await HomeStore.open(at: folder.data)
            let incomplete = Set(try await store.incompleteFirings().compactMap { Int($0.occurrence) })
            #expect(incomplete.isSuperset(of: fired.filter { $0.isMultiple(of: 3) }))
            try await store.close()
        }
        #expect(total + fired.count > Self.runs)
    }

    @Test func aHubThatIsKilledKeepsWhatItAcknowledgedAsAVoter() async throws {
        let home = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var folder = try TemporaryFolder()
        var kept: [Int: Int] = [:]
        var (applied, total) = (0, 0)
        for run in 0..<Self.runs {
            if run.isMultiple(of: Self.runsPerFolder) {
                folder = try TemporaryFolder()
                (kept, applied) = ([:], 0)
            }
            let data = folder.data
            let lines = try await blocking { try Self.linesOfKilledProcess(["--follow", data.path]) }
            total += lines.count
            for line in lines {
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                guard line.hasPrefix("kept") else { applied = numbers[0]; continue }
                kept = kept.filter { $0.key < numbers[0] }
                kept[numbers[0]] = numbers[1]
            }

            let store = try await HomeStore.open(at: folder.data)
            let state = try await store.voterState()
            #expect(state != nil || lines.isEmpty)
            let log = try #require((state ?? VoterState()).log)
            let place = state?.applied.place ?? 0
            #expect(place >= applied)
            for (place, term) in kept where place > log.base.place {
                // A batch that was replaced, which wasn't acknowledged any more, is of a later term.
                #expect(log.position(at: place).map { $0.term >= term } == true || (state?.record.term ?? 0) > term)
            }
            // What was applied and how far were written together.
            #expect(try await store.load(.home(home))?.cursor.revision ?? 0 == place)
            let states = try await store.states(.run).values.map { String(decoding: $0, as: UTF8.self) }
            #expect(states == (place > 0 ? ["\(place)"] : []))
            try await store.close()
            kept = Dictionary(uniqueKeysWithValues: log.batches.map { ($0.position.place, $0.position.term) })
            applied = place
        }
        #expect(total > Self.runs)
    }

    /// Returns what the process acknowledged before it was killed, after a number of lines or after a while.
    private static func linesOfKilledProcess(_ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = try crashChild()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reader = output.fileHandleForReading
        var text = Data()
        if Bool.random() {
            let most = Int.random(in: 1...maximumLines)
            while text.count(where: { $0 == UInt8(ascii: "\n") }) < most {
                let more = reader.availableData
                guard !more.isEmpty else { break }
                text += more
            }
        } else {
            usleep(.random(in: 0...maximumDelay))
        }
        kill(process.processIdentifier, SIGKILL)
        text += reader.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "the process ended on its own")
        // The last line may be truncated.
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}
