import AccessoryCheck
import Foundation
import Synchronization

/// Prints what a run of checks reports.
///
/// It is a class because the checks that are skipped for the same reason become one line.
final class CheckOutput: Sendable {
    /// A check in `--list --json`.
    struct Listing: Encodable {
        var id: String
        var group: String
        var severity: String
        var requirement: String
        var source: String

        init(_ check: Check) {
            id = check.id
            group = check.group.rawValue
            severity = check.severity.rawValue
            requirement = check.requirement
            source = check.source
        }
    }

    /// A result in `--json`.
    private struct Row: Encodable {
        var id: String
        var severity: String
        var result: String
        var seen: String?
        var requirement: String
        var source: String
    }

    /// The end of a run in `--json`.
    private struct Summary: Encodable {
        var passed: Int
        var failed: Int
        var warnings: Int
        var notApplicable: Int
        var before: [String]
        var after: [String]
    }

    private let isJSON: Bool
    private let isTAP: Bool
    private let isStrict: Bool
    private let transcripts: String?
    /// The checks that were skipped last, for one reason.
    private let skipped = Mutex<(ids: [String], reason: String)>(([], ""))

    init(isJSON: Bool, isTAP: Bool, isStrict: Bool, transcripts: String?) {
        self.isJSON = isJSON
        self.isTAP = isTAP
        self.isStrict = isStrict
        self.transcripts = transcripts
    }

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
            if isJSON {
                JSONLine(
                    Row(
                        id: result.id,
                        severity: check.severity.rawValue,
                        result: result.word,
                        seen: result.detail,
                        requirement: check.requirement,
                        source: check.source
                    )
                )
                .print()
            } else if !isTAP {
                print(result, check)
            }
        }
    }

    private func print(_ result: CheckResult, _ check: Check) {
        if case .notApplicable(let reason) = result.outcome { return skip(result.id, reason) }
        printSkipped()
        let mark =
            switch result.outcome {
            case .passed, .notApplicable: "ok     "
            case .failed: "FAILED "
            case .warning: isStrict ? "FAILED " : "warning"
            }
        ProgramOutput.line("\(mark)  \(result.id)")
        switch result.outcome {
        case .passed, .notApplicable: break
        case .failed(let seen), .warning(let seen):
            ProgramOutput.line("         Required: \(check.requirement) [\(check.severity.rawValue); \(check.source)]")
            ProgramOutput.line("         Seen: \(seen)")
            ProgramOutput.line("         Again: --only \(check.id)")
        }
    }

    private func skip(_ id: String, _ reason: String) {
        if skipped.withLock({ $0.reason }) != reason { printSkipped() }
        skipped.withLock { skipped in
            skipped.ids.append(id)
            skipped.reason = reason
        }
    }

    private func printSkipped() {
        let (ids, reason) = skipped.withLock { skipped in
            defer { skipped = ([], "") }
            return skipped
        }
        guard let first = ids.first else { return }
        ProgramOutput.line("skipped  \(ids.count == 1 ? first : "\(ids.count) checks, from \(first)")")
        ProgramOutput.line("         \(reason)")
    }

    /// Prints the end of a run.
    func end(_ summary: CheckSummary) {
        printSkipped()
        let words = Dictionary(grouping: summary.results, by: \.word).mapValues(\.count)
        let row = Summary(
            passed: words["passed"] ?? 0,
            failed: words["failed"] ?? 0,
            warnings: words["warning"] ?? 0,
            notApplicable: words["not applicable"] ?? 0,
            before: summary.before,
            after: summary.after
        )
        if isTAP {
            ProgramOutput.line(CheckReport(summary, isStrict: isStrict).tap)
        } else if isJSON {
            JSONLine(row).print()
        } else {
            ProgramOutput.line("")
            ProgramOutput.line("Before: \(row.before.joined(separator: ", "))")
            ProgramOutput.line("After:  \(row.after.joined(separator: ", "))")
            ProgramOutput.line(
                "\(row.passed) passed, \(row.failed) failed, \(row.warnings) warnings, \(row.notApplicable) skipped"
            )
        }
    }
}
