import AccessoryCheck
import Foundation

/// Prints what a run of checks at an accessory reports.
struct CheckOutput: Sendable {
    /// The end of a run in `--json`.
    private struct Summary: Encodable {
        var passed: Int
        var failed: Int
        var warnings: Int
        var notApplicable: Int
        var before: [String]
        var after: [String]
    }

    let lines: CheckLines
    let transcripts: String?

    /// Reports a result when it is there.
    func report(_ event: CheckRunner.Event) {
        switch event {
        case .note(let text):
            ProgramOutput.note(text)
        case .result(let result, let check, let transcript):
            if let transcripts, let transcript {
                let file = URL(filePath: transcripts).appending(path: "\(check.id).txt")
                try? transcript.write(to: file, atomically: true, encoding: .utf8)
            }
            lines.print(result, check.description)
        }
    }

    /// Prints the end of a run.
    func end(_ summary: CheckSummary) {
        lines.printSkipped()
        let counts = CheckLines.Counts(summary.results)
        if lines.isTAP {
            lines.printTAP(summary.results)
        } else if lines.isJSON {
            let row = Summary(
                passed: counts.passed,
                failed: counts.failed,
                warnings: counts.warnings,
                notApplicable: counts.notApplicable,
                before: summary.before,
                after: summary.after
            )
            JSONLine(row).print()
        } else {
            ProgramOutput.line("")
            ProgramOutput.line("Before: \(summary.before.joined(separator: ", "))")
            ProgramOutput.line("After:  \(summary.after.joined(separator: ", "))")
            ProgramOutput.line(counts.line)
        }
    }
}
