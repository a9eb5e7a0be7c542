import AccessoryCheck
import Synchronization

/// Prints the results of checks, of an accessory or a controller.
///
/// It is a class because the checks that are skipped for the same reason become one line.
final class CheckLines: Sendable {
    /// A check in `--list --json`.
    struct Listing: Encodable {
        var id: String
        var group: String
        var severity: String
        var requirement: String
        var source: String
        var scenario: String?

        init(_ check: CheckDescription, scenario: String? = nil) {
            id = check.id
            group = check.group
            severity = check.severity.rawValue
            requirement = check.requirement
            source = check.source
            self.scenario = scenario
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
        var scenario: String?
    }

    /// The number of results of each kind.
    struct Counts {
        var passed = 0
        var failed = 0
        var warnings = 0
        var notApplicable = 0

        init(_ results: [CheckResult]) {
            for result in results {
                switch result.outcome {
                case .passed: passed += 1
                case .failed: failed += 1
                case .warning: warnings += 1
                case .notApplicable: notApplicable += 1
                }
            }
        }

        var line: String {
            "\(passed) passed, \(failed) failed, \(warnings) warnings, \(notApplicable) skipped"
        }
    }

    let isJSON: Bool
    let isTAP: Bool
    private let isStrict: Bool
    /// The checks that were skipped last, for one reason.
    private let skipped = Mutex<(ids: [String], reason: String)>(([], ""))

    init(isJSON: Bool, isTAP: Bool, isStrict: Bool) {
        self.isJSON = isJSON
        self.isTAP = isTAP
        self.isStrict = isStrict
    }

    /// Prints a result when it is there, unless the results are printed as TAP at the end.
    func print(_ result: CheckResult, _ check: CheckDescription, scenario: String? = nil) {
        if isJSON {
            let row = Row(
                id: result.id,
                severity: check.severity.rawValue,
                result: result.word,
                seen: result.detail,
                requirement: check.requirement,
                source: check.source,
                scenario: scenario
            )
            JSONLine(row).print()
        } else if !isTAP {
            printText(result, check)
        }
    }

    private func printText(_ result: CheckResult, _ check: CheckDescription) {
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

    /// Prints the line of the checks that were skipped last. A run ends with it.
    func printSkipped() {
        let (ids, reason) = skipped.withLock { skipped in
            defer { skipped = ([], "") }
            return skipped
        }
        guard let first = ids.first else { return }
        ProgramOutput.line("skipped  \(ids.count == 1 ? first : "\(ids.count) checks, from \(first)")")
        ProgramOutput.line("         \(reason)")
    }

    /// Prints all results as TAP, if they are to be.
    func printTAP(_ results: [CheckResult]) {
        if isTAP { ProgramOutput.line(CheckReport(results, isStrict: isStrict).tap) }
    }

    /// Prints a check for `--list`.
    func list(_ check: CheckDescription, scenario: String? = nil) {
        if isJSON {
            JSONLine(Listing(check, scenario: scenario)).print()
        } else {
            ProgramOutput.line("\(check.id) (\(check.severity.rawValue)): \(check.requirement)")
        }
    }
}
