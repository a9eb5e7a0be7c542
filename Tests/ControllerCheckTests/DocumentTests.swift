import ControllerCheck
import Foundation
import Testing

@Suite struct DocumentTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation/ControllerChecks.md")

    /// The generated part of the page: the lists of the scenarios and checks, and what aiohomekit does.
    private static func generated() throws -> String {
        let rows = try KnownDeviation.aiohomekit()
        var text = ControllerCheckDocument.list
        text += """

            ## Known Implementations

            aiohomekit 4.0.1 passes all other checks of the severities *must* and *should*. How a controller does in those of
            the severity *security* is for its developers to know first.


            """
        text += "| ID | Result | Reason |\n|---|---|---|\n"
        for row in rows {
            text += "| `\(row.id)` | \(row.result) | \(row.reason.replacing("|", with: "\\|")) |\n"
        }
        return text
    }

    /// To generate the page again, set the environment variable `HEARTH_GENERATE` and run this test.
    @Test func thePageListsTheScenariosAndChecks() throws {
        let page = try String(contentsOf: Self.file, encoding: .utf8)
        let end = try #require(page.firstRange(of: ControllerCheckDocument.marker)).upperBound
        let expected = page[..<end] + "\n" + (try Self.generated())
        if ProcessInfo.processInfo.environment["HEARTH_GENERATE"] != nil {
            try String(expected).write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == expected)
    }
}
