import Foundation
import PeerProcess

/// Measures how the devices of people reach a hub, next to its Unix socket and to bare servers in the same run.
struct DeviceBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 5
        var accessories = 1_000

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 2, accessories: 140)
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
        let runFolder = folder.appending(path: "devices")
        try FileManager.default.createDirectory(
            at: runFolder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let script = programs.folder.appending(path: "Peers/device_links.py").path
        let arguments = [programs.hearth.path, runFolder.path, String(effort.accessories), String(effort.rounds)]
        let process = try PeerProcess(programs.python, ["-B", script] + arguments)
        figures = try await process.json([String: [Double]].self, "the figures", within: Self.timeLimit) { _ in true }
        _ = await process.exit()
    }

    /// The results, with the goals.
    var rows: [Row] {
        [
            row("a device's request over TLS, CPU of the hub", "µs", .low, "request tls"),
            row("… on the Unix socket", "µs", .low, "request unix"),
            row("… the ratio", "", .atMost(2), "request ratio"),
            row("an event to one more device over TLS, CPU of the hub", "µs", .low, "event tls"),
            row("… on the Unix socket", "µs", .low, "event unix"),
            row("… the ratio", "", .atMost(2), "event ratio"),
            row("a reset of \(effort.accessories) accessories over TLS", "ms", .low, "reset tls"),
            row("… on the Unix socket", "ms", .low, "reset unix"),
            row("… the ratio", "", .atMost(2), "reset ratio"),
            row("a handshake, CPU of the hub", "µs", .low, "handshake"),
            row("… of a bare server with Python's OpenSSL", "µs", .low, "handshake bare"),
            row("… the ratio", "", .atMost(1.2), "handshake ratio"),
            row("a device waits for a reply, p99", "ms", .low, "tap alone p99"),
            row("… while another device sends 1,000 requests a second", "ms", .low, "tap beside requests p99"),
            row("… while strangers begin 1,000 handshakes", "ms", .low, "tap beside handshakes p99"),
            row("a request through the agent, more than without, p50", "ms", .atMost(0.3), "agent adds"),
            row("the agent's memory (RSS) with 10 apps", "MB", .atMost(40), "agent memory"),
            row(
                "… without the pages of the program's files, which processes share",
                "MB",
                .low,
                "agent memory private"
            ),
            row("an app has its homes from the agent's copy", "ms", .low, "start from copy"),
            row("… from the hub", "ms", .low, "start from hub"),
            row("… the ratio", "", .atMost(1.5), "start ratio"),
            percentile("a change until 200 apps on 50 devices have it, p99", .low, "all told"),
            percentile("… from a bare server, without TLS, p99", .low, "all told bare"),
            percentile("… from a bare server over TLS, p99", .low, "all told bare tls"),
            row("… the ratio to the one without TLS, of both p99", "", .atMost(3), ratio("all told", "all told bare")),
            row("… the ratio to the one over TLS, of both p99", "", .low, ratio("all told", "all told bare tls")),
            row("removing a person until the last of 200 connections has ended", "ms", .atMost(1_000), "removal"),
            row("an idle device, CPU of the hub", "% of a core", .atMost(0.02), "idle hub"),
            row("… CPU of its agent, with 10 apps", "% of a core", .atMost(0.02), "idle agent"),
        ]
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ figure: String) -> Row {
        row(what, unit, goal, Samples(values: figures[figure] ?? []))
    }

    private func row(_ what: String, _ unit: String, _ goal: Goal, _ samples: Samples) -> Row {
        Row(what: what, unit: unit, goal: goal, ours: samples)
    }

    private func percentile(_ what: String, _ goal: Goal, _ figure: String) -> Row {
        row(what, "ms", goal, Samples(values: [Samples(values: figures[figure] ?? []).percentile(99)]))
    }

    private func ratio(_ one: String, _ other: String) -> Samples {
        let values = [one, other].map { Samples(values: figures[$0] ?? []).percentile(99) }
        return Samples(values: [values[0] / values[1]])
    }
}
