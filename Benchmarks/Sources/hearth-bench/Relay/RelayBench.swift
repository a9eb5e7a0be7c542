import Foundation
import PeerProcess

/// Measures a relay: appending next to pgbench, wakes next to bare answers, streams, and a new device's download. Then what feeds cost
/// the hub, and how soon a new device shows a home.
struct RelayBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 3
        var streams = 50_000
        /// The number of bridges, each with 144 accessories.
        var bridges = 7
        /// The number of changes a round. All rounds in a home keep to what a relay takes from a house at once.
        var changes = 130
        var feedRounds = 4

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 1, streams: 400, bridges: 1, changes: 20, feedRounds: 1)
    }

    private static let timeLimit = Duration.seconds(900)

    let programs: Programs
    let effort: Effort
    let folder: URL
    private var figures: [String: [Double]] = [:]

    init(programs: Programs, effort: Effort, folder: URL) {
        self.programs = programs
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        try await measure("relay_load.py", in: "relay", effort.streams, effort.rounds)
        try await measure("feed_reach.py", in: "feeds", effort.bridges, effort.changes, effort.feedRounds)
    }

    /// Runs a program in a folder of its own, and takes its figures.
    private mutating func measure(_ script: String, in name: String, _ numbers: Int...) async throws {
        let runFolder = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: runFolder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let script = programs.folder.appending(path: "Peers/\(script)").path
        let arguments = [programs.hearth.path, runFolder.path] + numbers.map(String.init)
        let process = try PeerProcess(programs.python, ["-B", script] + arguments)
        let new = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in true }
        figures.merge(new) { $1 }
        _ = await process.exit()
    }

    /// The results, with the goals.
    var rows: [Row] {
        [
            row("an append in PostgreSQL, CPU of relay and database", "µs", .low, "postgres both"),
            row("… the same statement by pgbench, CPU of both", "µs", .low, "pgbench both"),
            row("… the ratio", "", .atMost(1.5), "append ratio"),
            row("… of 16 in a request, CPU of relay and database", "µs", .low, "postgres batch both"),
            row("appends in PostgreSQL for each second of the relay's CPU", "/s", .low, "postgres rate"),
            row("… of 16 in a request", "/s", .atLeast(5_000), "postgres batch rate"),
            row("appends in SQLite for each second of the relay's CPU", "/s", .low, "sqlite rate"),
            row("… of 16 in a request", "/s", .atLeast(5_000), "sqlite batch rate"),
            row("from an append's answer to 48 watchers, p99", "ms", .low, "wake p99"),
            row("… 48 bare answers of the same relay, p99", "ms", .low, "echo p99"),
            row("… the ratio", "", .atMost(3), "wake ratio"),
            row("a new device downloads a home of 1,000 accessories", "ms", .atMost(1_000), "download"),
            row("live streams", "", .low, "streams"),
            row("… the relay's memory for each", "kB", .atMost(40), "stream memory"),
            row("… CPU of 1,000 idle ones", "% of a core", .atMost(0.2), "stream idle"),
            row("a change of a home without a feed, CPU of the hub", "µs", .low, "publish alone"),
            row("… what the feed of one person adds", "µs", .atMost(500), "publish"),
            row("… in the home of 1,000 accessories", "µs", .atMost(500), "publish large"),
            row("a new device has the home of 1,000 accessories from the relay", "ms", .atMost(1_000), "new device"),
            row("… CPU of its agent", "ms", .low, "new device cpu"),
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: Samples(values: figures[figure] ?? []))
    }
}
