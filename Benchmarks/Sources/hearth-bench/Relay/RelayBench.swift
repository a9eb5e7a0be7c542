import Foundation
import PeerProcess

/// Measures a relay: appending next to pgbench, wakes next to bare answers, streams, and a new device's download.
struct RelayBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 3
        var streams = 18_000

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 1, streams: 400)
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
        let runFolder = folder.appending(path: "relay")
        try FileManager.default.createDirectory(at: runFolder, withIntermediateDirectories: true)
        let script = programs.folder.appending(path: "Peers/relay_load.py").path
        let arguments = [programs.hearth.path, runFolder.path, String(effort.streams), String(effort.rounds)]
        let process = try PeerProcess(programs.python, ["-B", script] + arguments)
        figures = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in true }
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
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: Samples(values: figures[figure] ?? []))
    }
}
