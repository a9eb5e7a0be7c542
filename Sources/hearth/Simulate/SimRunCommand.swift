import AccessorySimulator
import ArgumentParser
import Foundation
import HomeScenarios

/// `hearth sim run`: runs a scenario and reports failed expectations.
struct SimRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scenario and report failed expectations.",
        discussion: """
            A scenario (Documentation/Scenarios.md) contains accessories, apps, perhaps a home with scenes and \
            automations, timed steps and expected results. Its time is virtual, so an hour takes a moment. The same seed produces the same run. Doesn't need a running \
            simulator.

            Exit codes: 0 all expectations hold, 1 an expectation failed or the scenario can't be run.

            Example: hearth sim run Examples/Scenarios/garage-door.json --transcript -
            """
    )

    /// The JSON output.
    private struct Outcome: Encodable {
        struct Failure: Encodable {
            var place: String
            var line: Int
            var reason: String
        }

        var scenario: String
        var expectations: Int
        var failures: [Failure]

        init(_ scenario: Scenario, _ report: ScenarioReport) {
            self.scenario = scenario.name
            expectations = report.expectations
            failures = report.failures.map { Failure(place: $0.path, line: $0.line, reason: $0.reason) }
        }
    }

    @Argument(help: ArgumentHelp("The scenario file.", valueName: "file"))
    var scenario: String

    @Option(help: ArgumentHelp("The random seed (default: the scenario's).", valueName: "n"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("Write the messages of accessories and apps to a file, or “-”.", valueName: "file")
    )
    var transcript: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        FileDescriptorLimit.raise()
        let loaded = try Scenario(file: scenario)
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-scenario-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try ScenarioRun(loaded, dataFolder: folder.path(), seed: seed) { home in
            try await HubScenarioHome(home, data: folder.appending(path: "hub"))
        }
        let report = try await run.run()
        if transcript == "-" {
            for line in report.transcript.split(separator: "\n") { ProgramOutput.line(String(line)) }
        } else if let transcript {
            do {
                try Data(report.transcript.utf8).write(to: URL(filePath: transcript))
            } catch {
                throw CommandFailure("outputFailed", "The transcript can't be written to \(transcript).")
            }
        }
        let outcome = Outcome(loaded, report)
        if json {
            JSONLine(outcome).print()
        } else {
            for failure in report.failures { ProgramOutput.line("failed: \(failure)") }
            let count = report.expectations - report.failures.count
            ProgramOutput.line("\(loaded.name): \(count) of \(report.expectations) as expected")
        }
        guard report.failures.isEmpty else {
            let count = "\(report.failures.count) of \(report.expectations)"
            throw CommandFailure("notAsExpected", "The scenario went differently than expected: \(count) expectations.")
        }
    }
}
