import AccessoryCheck
import ControllerCheck
import Foundation
import HAP

/// Prints what a run of checks of a controller reports.
struct ControllerCheckOutput: Sendable {
    /// The beginning of a scenario in `--json`.
    private struct Ready: Encodable {
        var event = "ready"
        var scenario: String
        var kind: String
        var summary: String
        var task: String
        var host: String
        var port: Int
        var name: String
        var id: String
        var setupCode: String
        var setupPayload: String
    }

    /// The end of a run in `--json`.
    private struct Summary: Encodable {
        var passed: Int
        var failed: Int
        var warnings: Int
        var notApplicable: Int
    }

    let lines: CheckLines
    let transcripts: String?

    /// Reports a scenario or a result when it is there.
    func report(_ event: ControllerCheckRunner.Event) {
        switch event {
        case .began(let place):
            printReady(place)
        case .ended(let scenario, let transcript):
            guard let transcripts else { return }
            let file = URL(filePath: transcripts).appending(path: "\(scenario.name).txt")
            try? transcript.write(to: file, atomically: true, encoding: .utf8)
        case .result(let result, let check, let scenario):
            lines.print(result, check, scenario: scenario?.name)
        }
    }

    private func printReady(_ place: ScenarioPlace) {
        let ready = Ready(
            scenario: place.scenario.name,
            kind: place.scenario.kind.rawValue,
            summary: place.scenario.summary,
            task: place.scenario.task,
            host: place.host,
            port: place.port,
            name: place.name,
            id: place.deviceID.description,
            setupCode: place.code.dashed,
            setupPayload: place.payload.uri
        )
        if lines.isJSON {
            JSONLine(ready).print()
            return
        }
        let text = """
            Scenario \(ready.scenario) (\(ready.kind)): \(ready.summary)
              \(ready.name)  \(ready.host):\(ready.port)  id \(ready.id)  code \(ready.setupCode)  \(ready.setupPayload)
              \(ready.task)
            """
        if lines.isTAP { ProgramOutput.note(text) } else { ProgramOutput.line("\n\(text)") }
    }

    /// Prints the end of a run.
    func end(_ summary: ControllerCheckSummary) {
        let counts = CheckLines.Counts(summary.results)
        if lines.isTAP {
            lines.printTAP(summary.results)
        } else if lines.isJSON {
            let row = Summary(
                passed: counts.passed,
                failed: counts.failed,
                warnings: counts.warnings,
                notApplicable: counts.notApplicable
            )
            JSONLine(row).print()
        } else {
            ProgramOutput.line("")
            ProgramOutput.line(counts.line)
        }
    }
}
