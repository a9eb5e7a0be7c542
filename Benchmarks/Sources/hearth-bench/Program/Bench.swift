import Foundation

/// `hearth-bench`: measures Hearth and its peers as processes, and prints a table.
@main
struct Bench {
    private static let usage = """
        Usage: hearth-bench --hearth FILE --python FILE --folder DIR [--json FILE] [--quick] \
          [--accessories | --homes | --values | --outages | --automations | --devices | --away | --relay | --hubs | --voice \
          | --airplay | --scale]
          --hearth       the hearth command, a release build
          --python       a Python with HAP-python
          --folder       the Benchmarks folder
          --json         also write every sample there
          --quick        few rounds, to try the bench itself out
          --accessories  the accessory server alone, next to HAP-python
          --homes        the hub and apps alone
          --values       an app's writes and an accessory's values alone
          --outages      restarts of a hub and outages of its accessories, with apps, alone
          --automations  triggers, scenes and the journal, alone
          --devices      people's devices over the network, alone
          --away         a device that reaches its hub through a relay, alone
          --relay        a relay alone, next to pgbench, and feeds
          --hubs         two hubs alone, next to bare commits
          --voice        sentences alone, next to hassil if the Python has it
          --airplay      sending and receiving audio alone, next to shairport-sync; needs root
          --scale        one simulator with 50 full bridges, and a hub that has them all, alone
        """

    private static let flags: Set = [
        "--quick", "--accessories", "--homes", "--values", "--outages", "--automations", "--devices", "--away",
        "--relay", "--hubs", "--voice", "--airplay", "--scale",
    ]

    private let programs: Programs
    private let effort: Effort
    private let isQuick: Bool
    private let hasAccessoriesOnly: Bool
    private let hasHomesOnly: Bool
    private let hasValuesOnly: Bool
    private let hasOutagesOnly: Bool
    private let hasAutomationsOnly: Bool
    private let hasDevicesOnly: Bool
    private let hasAwayOnly: Bool
    private let hasRelayOnly: Bool
    private let hasHubsOnly: Bool
    private let hasVoiceOnly: Bool
    private let hasAirPlayOnly: Bool
    private let isOfScale: Bool
    private let json: String?

    private init(_ arguments: [String]) throws {
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if Self.flags.contains(option) {
                values[option] = ""
            } else if ["--hearth", "--python", "--folder", "--json"].contains(option), let value = rest.popFirst() {
                values[option] = value
            } else {
                throw BenchFailure(Self.usage)
            }
        }
        guard let hearth = values["--hearth"], let python = values["--python"], let folder = values["--folder"] else {
            throw BenchFailure(Self.usage)
        }
        programs = Programs(
            hearth: URL(filePath: hearth),
            python: URL(filePath: python),
            folder: URL(filePath: folder)
        )
        isQuick = values["--quick"] != nil
        hasAccessoriesOnly = values["--accessories"] != nil
        hasHomesOnly = values["--homes"] != nil
        hasValuesOnly = values["--values"] != nil
        hasOutagesOnly = values["--outages"] != nil
        hasAutomationsOnly = values["--automations"] != nil
        hasDevicesOnly = values["--devices"] != nil
        hasAwayOnly = values["--away"] != nil
        hasRelayOnly = values["--relay"] != nil
        hasHubsOnly = values["--hubs"] != nil
        hasVoiceOnly = values["--voice"] != nil
        hasAirPlayOnly = values["--airplay"] != nil
        isOfScale = values["--scale"] != nil
        effort = isQuick ? .quick : Effort()
        json = values["--json"]
    }

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == EchoServer.argument {
                let answers = arguments.dropFirst().first.flatMap { EchoServer.Answers(rawValue: $0) }
                try EchoServer.run(answers ?? .each, answerLength: arguments.last.flatMap { Int($0) } ?? 0)
            } else if arguments.first == AppProcess.argument {
                try await AppProcess.run()
            } else if arguments.first == SubscribedApp.argument {
                try await SubscribedApp.run()
            } else {
                try await Bench(arguments).run()
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private func run() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "hearth-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: state) }
        let machine = Machine(python: programs.python)
        let rows = try await isOfScale ? measureScale(state) : measureAll(state)
        let report = Report(machine: machine, rows: rows)
        print(report.table)
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(report).write(to: URL(filePath: json))
        }
    }

    private func measureScale(_ state: URL) async throws -> [Row] {
        let scaleEffort = isQuick ? ScaleBench.Effort.quick : ScaleBench.Effort()
        var scale = ScaleBench(hearth: programs.hearth, effort: scaleEffort, folder: state)
        try await scale.run()
        return scale.rows
    }

    private func measureAll(_ state: URL) async throws -> [Row] {
        var rows: [Row] = []
        if hasValuesOnly {
            var homes = HomeBench(hearth: programs.hearth, effort: isQuick ? .quick : HomeBench.Effort(), folder: state)
            try await homes.measureValues()
            return homes.valueRows
        }
        if hasOutagesOnly {
            var homes = HomeBench(hearth: programs.hearth, effort: isQuick ? .quick : HomeBench.Effort(), folder: state)
            try await homes.measureOutages()
            return homes.outageRows
        }
        if hasAutomationsOnly { return try await measureAutomations(state) }
        if hasDevicesOnly { return try await measureDevices(state) }
        if hasAwayOnly { return try await measureAway(state) }
        if hasRelayOnly { return try await measureRelay(state) }
        if hasHubsOnly { return try await measureHubs() }
        if hasVoiceOnly { return try await measureVoice(state) }
        if hasAirPlayOnly { return try await measureAirPlay(state) }
        if !hasHomesOnly {
            var accessories = AccessoryBench(programs: programs, effort: effort, folder: state)
            try await accessories.run()
            rows = accessories.rows
        }
        guard !hasAccessoriesOnly else { return rows }
        let homeEffort = isQuick ? HomeBench.Effort.quick : HomeBench.Effort()
        var homes = HomeBench(hearth: programs.hearth, effort: homeEffort, folder: state)
        try await homes.run()
        rows += homes.rows
        guard !hasHomesOnly else { return rows }
        rows += try await measureAutomations(state) + measureDevices(state) + measureAway(state)
        rows += try await measureRelay(state) + measureHubs() + measureVoice(state)
        // A network of its own needs root.
        return geteuid() == 0 ? try await rows + measureAirPlay(state) : rows
    }

    private func measureAirPlay(_ state: URL) async throws -> [Row] {
        var streams = AirPlayBench(programs: programs, effort: isQuick ? .quick : AirPlayBench.Effort(), folder: state)
        try await streams.run()
        return streams.rows
    }

    private func measureVoice(_ state: URL) async throws -> [Row] {
        var voice = VoiceBench(programs: programs, effort: isQuick ? .quick : VoiceBench.Effort(), folder: state)
        try await voice.run()
        return voice.rows
    }

    private func measureDevices(_ state: URL) async throws -> [Row] {
        var devices = DeviceBench(programs: programs, effort: isQuick ? .quick : DeviceBench.Effort(), folder: state)
        try await devices.run()
        return devices.rows
    }

    private func measureAway(_ state: URL) async throws -> [Row] {
        var away = AwayBench(programs: programs, effort: isQuick ? .quick : AwayBench.Effort(), folder: state)
        try await away.run()
        return away.rows
    }

    private func measureRelay(_ state: URL) async throws -> [Row] {
        var relay = RelayBench(programs: programs, effort: isQuick ? .quick : RelayBench.Effort(), folder: state)
        try await relay.run()
        return relay.rows
    }

    private func measureHubs() async throws -> [Row] {
        var hubs = HubPairBench(programs: programs, effort: isQuick ? .quick : HubPairBench.Effort())
        try await hubs.run()
        return hubs.rows
    }

    private func measureAutomations(_ state: URL) async throws -> [Row] {
        let automationEffort = isQuick ? AutomationBench.Effort.quick : AutomationBench.Effort()
        var automations = AutomationBench(programs: programs, effort: automationEffort, folder: state)
        try await automations.run()
        return automations.rows
    }
}
