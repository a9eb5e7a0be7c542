/// The results of a run in the formats of other programs.
package struct CheckReport: Sendable {
    private let results: [CheckResult]
    private let isStrict: Bool

    /// Creates a report.
    ///
    /// - Parameter isStrict: Whether warnings fail the run.
    package init(_ results: [CheckResult], isStrict: Bool) {
        self.results = results
        self.isStrict = isStrict
    }

    /// The report in the Test Anything Protocol, version 14.
    package var tap: String {
        var lines = ["TAP version 14", "1..\(results.count)"]
        for (index, result) in results.enumerated() {
            let verdict = result.isFailure(isStrict: isStrict) ? "not ok" : "ok"
            var line = "\(verdict) \(index + 1) - \(result.id)"
            switch result.outcome {
            case .notApplicable(let reason): line += " # SKIP \(Self.tapText(reason))"
            case .warning(let seen), .failed(let seen): line += "\n# \(result.word): \(Self.tapText(seen))"
            case .passed: break
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report as JUnit's XML, with a test case for each check.
    package var junit: String {
        let failures = results.count { $0.isFailure(isStrict: isStrict) }
        let skipped = results.count { if case .notApplicable = $0.outcome { true } else { false } }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="hearth check" tests="\#(results.count)" failures="\#(failures)" skipped="\#(skipped)">"#,
        ]
        for result in results {
            var line = #"  <testcase classname="\#(result.group)" name="\#(result.id)""#
            switch result.outcome {
            case .passed: line += "/>"
            case .notApplicable(let reason):
                line += #"><skipped message="\#(Self.xmlText(reason))"/></testcase>"#
            case .failed(let seen), .warning(let seen):
                line +=
                    result.isFailure(isStrict: isStrict)
                    ? #"><failure message="\#(Self.xmlText(seen))"/></testcase>"#
                    : "><system-out>warning: \(Self.xmlText(seen))</system-out></testcase>"
            }
            lines.append(line)
        }
        return (lines + ["</testsuite>", ""]).joined(separator: "\n")
    }

    /// Returns a text on one line, without the character that begins TAP's directives.
    private static func tapText(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).replacing("#", with: "\\#")
    }

    private static func xmlText(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case _ where scalar.value < 0x20: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
