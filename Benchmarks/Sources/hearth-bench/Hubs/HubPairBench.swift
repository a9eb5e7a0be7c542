import Foundation
import PeerProcess

/// Measures two hubs with a relay: what a change takes through either of them, next to bare commits on the same disk, and how soon the
/// other hub goes on when the one that leads is killed.
struct HubPairBench {
    /// The number of repetitions.
    struct Effort {
        var changes = 200
        var takeovers = 20

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(changes: 20, takeovers: 2)
    }

    private static let timeLimit = Duration.seconds(600)

    let programs: Programs
    let effort: Effort
    private var figures: [String: [Double]] = [:]

    init(programs: Programs, effort: Effort) {
        self.programs = programs
        self.effort = effort
    }

    mutating func run() async throws {
        let folder = try DiskFolder(beside: programs.hearth)
        defer { folder.remove() }
        let script = programs.folder.appending(path: "Peers/hub_pair.py").path
        let numbers = [effort.changes, effort.takeovers].map(String.init)
        let process = try PeerProcess(
            programs.python,
            ["-B", script, programs.hearth.path, folder.url.path] + numbers
        )
        figures = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in true }
        _ = await process.exit()
    }

    /// The results, with the goals.
    var rows: [Row] {
        [
            row("a bare commit of 1,000 bytes", "ms", .low, "bare commit"),
            row("a change at a hub that is alone", "ms", .low, "change alone"),
            row("a change at two hubs with a relay", "ms", .low, "change"),
            row("… beyond two bare commits", "ms", .atMost(3), "change beyond"),
            row("… through the hub that doesn't lead", "ms", .low, "change through the other"),
            row("… CPU of the hub that leads", "µs", .low, "leader cpu"),
            row("… CPU of the other hub", "µs", .low, "other cpu"),
            row("from kill -9 to a change at the other hub", "s", .low, "takeover"),
            row("… p90", "s", .atMost(6), "takeover p90"),
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: Samples(values: figures[figure] ?? []))
    }
}
