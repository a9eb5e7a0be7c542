import Foundation
import PeerProcess

/// Measures how a device reaches a hub through a relay, next to the hub's own network in the same run.
struct AwayBench {
    /// The number of repetitions.
    struct Effort {
        var taps = 400

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(taps: 40)
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
        let runFolder = folder.appending(path: "away")
        try FileManager.default.createDirectory(
            at: runFolder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let script = programs.folder.appending(path: "Peers/away_reach.py").path
        let arguments = [programs.hearth.path, runFolder.path, String(effort.taps)]
        let process = try PeerProcess(programs.python, ["-B", script] + arguments)
        figures = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in true }
        _ = await process.exit()
    }

    /// The results, with the goals.
    var rows: [Row] {
        [
            row("a tap on the hub's network until the accessory has it", "ms", .low, "tap near"),
            row("… through a relay, without delay", "ms", .low, "tap away"),
            row("… the ratio of both medians", "", .atMost(4), "tap ratio"),
            row("… with 20 ms each way", "ms", .low, "tap away delayed"),
            row("… more than the way, p50", "ms", .atMost(5), "tap over path p50"),
            row("… more than the way, p99", "ms", .atMost(25), "tap over path p99"),
            row("sessions go on once the way is mended, after 5 seconds", "ms", .atMost(3_000), "resumed after a cut"),
            row("a device is near again once the hub's port is open", "ms", .atMost(3_000), "near again"),
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: Samples(values: figures[figure] ?? []))
    }
}
