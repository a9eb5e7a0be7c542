import Foundation
import PeerProcess

/// `discovery-bench`: measures a browser that finds many services on the loopback interface, and prints a table.
@main
struct DiscoveryBench {
    private struct Event: Decodable, Sendable {
        var event: String
        var name: String?
        var at: Int?
        var queries: Int?
        var answers: Int?
    }

    private static let services = 1_000

    private let python: URL
    private let folder: URL
    private let json: String?
    private let rounds: Int
    private let idleTime: Duration
    private let appearances: Int

    private var found = Samples()
    private var memory = Samples()
    private var idle = Samples()
    private var latency = Samples()

    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.first == Browser.argument {
                try await Browser(arguments.dropFirst()).run()
            } else {
                var bench = try DiscoveryBench(Array(arguments))
                try await bench.run()
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private init(_ arguments: [String]) throws {
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--quick" {
                values[option] = ""
            } else if ["--python", "--folder", "--json"].contains(option), let value = rest.popFirst() {
                values[option] = value
            } else {
                throw BenchFailure("Usage: discovery-bench --python FILE --folder DIR [--json FILE] [--quick]")
            }
        }
        guard let python = values["--python"], let folder = values["--folder"] else {
            throw BenchFailure("--python and --folder are required")
        }
        self.python = URL(filePath: python)
        self.folder = URL(filePath: folder)
        json = values["--json"]
        let isQuick = values["--quick"] != nil
        rounds = isQuick ? 1 : 5
        // Long enough for host records, which expire after two minutes, to be queried again.
        idleTime = .seconds(isQuick ? 20 : 120)
        appearances = isQuick ? 20 : 200
    }

    private mutating func run() async throws {
        let machine = Machine(python: python)
        for round in 1...rounds {
            try await measure(isLast: round == rounds)
            FileHandle.standardError.write(Data("round \(round)/\(rounds)\n".utf8))
        }
        let report = Report(
            machine: machine,
            rows: [
                Row(what: "\(Self.services) services found", unit: "s", goal: .atMost(3), ours: found),
                Row(what: "memory for them (RSS)", unit: "MB", goal: .atMost(10), ours: memory),
                Row(what: "a service appears: packet to subscriber", unit: "ms", goal: .atMost(5), ours: latency),
                Row(what: "idle with them, CPU of a core", unit: "%", goal: .atMost(0.5), ours: idle),
            ]
        )
        print(report.table)
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(report).write(to: URL(filePath: json))
        }
    }

    /// Runs a round: starts a browser while the services exist. The last round also measures the browser while idle.
    private mutating func measure(isLast: Bool) async throws {
        let type = "_hb\(String(UInt32.random(in: .min ... .max), radix: 16))._tcp"
        let script = folder.appending(path: "Peers/many_services.py").path
        let network = try PeerProcess(
            python,
            [script, type, "\(Self.services)"],
            environment: ["PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"]
        )
        _ = try await network.json(Event.self, "the services") { $0.event == "ready" }
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let browser = try PeerProcess(program, [Browser.argument, type, "\(Self.services)"])
        _ = try await browser.line("the browser") { $0 == "ready" }

        let before = try ProcessMemory(of: browser.processIdentifier).resident
        try browser.send("browse")
        let all = try await browser.line("all services", within: .seconds(60)) { $0.hasPrefix("all ") }
        found.add((Double(all.dropFirst("all ".count)) ?? .nan) / 1e9)
        memory.add(try ProcessMemory(of: browser.processIdentifier).resident - before)

        let clock = try ProcessorClock(of: browser.processIdentifier)
        if isLast {
            _ = clock.settled()
            let (used, start) = (clock.now, ContinuousClock.now)
            try await Task.sleep(for: idleTime)
            idle.add((clock.now - used) / (ContinuousClock.now - start) * 100)
        }
        for number in 0..<(appearances / rounds) {
            try network.send(#"{"do": "appear", "name": "New \#(number)"}"#)
            let sent = try await network.json(Event.self, "the packet") { $0.name == "New \(number)" }
            let line = try await browser.line("its result") { $0.hasPrefix("found ") && $0.hasSuffix(" New \(number)") }
            let at = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            guard let at, let sentAt = sent.at else { throw BenchFailure("\(line) has no time") }
            latency.add(Double(at - sentAt) / 1e6)
        }
        for process in [browser, network] {
            process.closeInput()
            await process.exit()
        }
    }
}
