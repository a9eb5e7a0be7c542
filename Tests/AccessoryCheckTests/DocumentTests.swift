import AccessoryCheck
import Foundation
import Testing

@Suite struct DocumentTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation/Checks.md")

    /// The generated part of the page: the list of the checks, and what HAP-python does.
    private static func generated() throws -> String {
        let rows = try KnownDeviations.hapPython()
        var text = CheckDocument.list
        text += "\n## Known Implementations\n\nHAP-python 5.0.0 deviates in \(rows.count) checks:\n\n"
        text += "| ID | Result | Seen | Reason |\n|---|---|---|---|\n"
        for row in rows {
            text += "| `\(row.id)` | \(row.result) | \(row.seen.replacing("|", with: "\\|")) | \(row.reason) |\n"
        }
        return text
    }

    /// To generate the page again, set the environment variable `HEARTH_GENERATE` and run this test.
    @Test func thePageListsTheChecks() throws {
        let page = try String(contentsOf: Self.file, encoding: .utf8)
        let end = try #require(page.firstRange(of: CheckDocument.marker)).upperBound
        let expected = page[..<end] + "\n" + (try Self.generated())
        if ProcessInfo.processInfo.environment["HEARTH_GENERATE"] != nil {
            try String(expected).write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == expected)
    }

    @Test func aReportSaysWhatFailed() {
        var summary = CheckSummary()
        summary.results = [
            CheckResult(id: "reads.success", outcome: .passed),
            CheckResult(id: "reads.order", outcome: .warning("a \"<b>\" & c")),
            CheckResult(id: "reads.missing", outcome: .failed("HTTP 500 # 1\n2")),
            CheckResult(id: "reads.ev", outcome: .notApplicable("no subject")),
        ]
        let lenient = CheckReport(summary.results, isStrict: false)
        #expect(lenient.tap.contains("ok 2 - reads.order\n# warning: a \"<b>\" & c\n"))
        #expect(lenient.tap.contains("\nnot ok 3 - reads.missing\n# failed: HTTP 500 \\# 1 2\n"))
        #expect(lenient.tap.contains("\nok 4 - reads.ev # SKIP no subject\n"))
        #expect(lenient.junit.contains(#"tests="4" failures="1" skipped="1""#))
        let strict = CheckReport(summary.results, isStrict: true)
        #expect(strict.tap.contains("\nnot ok 2 - reads.order"))
        #expect(strict.junit.contains(#"<failure message="a &quot;&lt;b&gt;&quot; &amp; c"/>"#))
        #expect(strict.junit.contains(#"failures="2""#))
    }
}
