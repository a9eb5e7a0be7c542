import Foundation
import PeerProcess

/// Measures how a device reaches a hub through a relay, next to the hub's own network in the same run.
struct AwayBench {
    /// The number of repetitions.
    struct Effort {
        var taps = 400
        /// The number of devices that are away at once.
        var devices = 100

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(taps: 40, devices: 16)
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
        figures = try await run("away_reach.py", in: "away", [String(effort.taps)])
        let devices = try await run(
            "away_devices.py",
            in: "away-devices",
            [String(effort.devices), String(effort.taps)]
        )
        figures.merge(devices) { _, new in new }
    }

    /// Runs a script, and returns its figures.
    private func run(_ name: String, in place: String, _ numbers: [String]) async throws -> [String: [Double]] {
        let runFolder = folder.appending(path: place)
        try FileManager.default.createDirectory(
            at: runFolder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let script = programs.folder.appending(path: "Peers/\(name)").path
        let arguments = [programs.hearth.path, runFolder.path] + numbers
        let process = try PeerProcess(programs.python, ["-B", script] + arguments)
        let figures = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in
            true
        }
        _ = await process.exit()
        return figures
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
            row("sessions go on through the relay once the near way is reset", "ms", .low, "left with a reset"),
            row("… once it carries nothing, and nobody says so", "ms", .low, "left silently"),
            row("… until an app that is opened just then is served", "ms", .low, "opened after a silent loss"),
            row(
                "\(effort.devices) devices away at once: until each is connected, four at a time",
                "ms",
                .low,
                "away connect"
            ),
            row("… the hub's processor time for each", "ms", .low, "away hub cpu"),
            row("… the relay's", "ms", .low, "away relay cpu"),
            row("… the hub's memory for each", "kB", .low, "away hub memory"),
            row("… the relay's", "kB", .low, "away relay memory"),
            row("… the hub while they are idle", "% of a core", .low, "away hub idle"),
            row("… the relay", "% of a core", .low, "away relay idle"),
            row("… a request of one of them", "ms", .low, "away request"),
            row("… a change until the last of them has it", "ms", .low, "away last of all"),
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: Samples(values: figures[figure] ?? []))
    }
}
