import AccessorySimulator
import ArgumentParser
import Foundation

/// `hearth sim run`: plays a scenario and says which of its expectations fail.
struct SimRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scenario and say which of its expectations fail.",
        discussion: """
            A scenario (Documentation/Scenarios.md) has accessories, apps, faults and a time of its own: an hour of it \
            takes no hour. With the same seed the same is said. Needs no simulator that runs.

            Exit codes: 0 all as expected, 1 something was not, or the scenario cannot be run.

            Example: hearth sim run Examples/Scenarios/garage-door.json --transcript -
            """
    )

    /// What is printed as JSON.
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
            failures = report.failures.map { Failure(place: $0.place, line: $0.line, reason: $0.reason) }
        }
    }

    @Argument(help: ArgumentHelp("The scenario file.", valueName: "file"))
    var scenario: String

    @Option(help: ArgumentHelp("Where random numbers come from; otherwise the scenario says.", valueName: "n"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("Write what accessories and apps say to each other to a file, or to “-”.", valueName: "file")
    )
    var transcript: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        FileDescriptorLimit.raise()
        let play = try Scenario(file: scenario)
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-scenario-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = try await ScenarioRun(play, dataFolder: folder.path(), seed: seed).run()
        if transcript == "-" {
            for line in report.transcript.split(separator: "\n") { ProgramOutput.line(String(line)) }
        } else if let transcript {
            do {
                try Data(report.transcript.utf8).write(to: URL(filePath: transcript))
            } catch {
                throw CommandFailure("outputFailed", "The transcript cannot be written to \(transcript)")
            }
        }
        let outcome = Outcome(play, report)
        if json {
            JSONLine(outcome).print()
        } else {
            for failure in report.failures { ProgramOutput.line("failed: \(failure)") }
            let count = report.expectations - report.failures.count
            ProgramOutput.line("\(play.name): \(count) of \(report.expectations) as expected")
        }
        if !report.failures.isEmpty { throw ExitCode(ProgramExit.refused) }
    }
}
