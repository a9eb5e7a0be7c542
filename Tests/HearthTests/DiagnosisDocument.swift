import Foundation
import PeerProcess
import Testing

/// The parts of `Documentation/Troubleshooting.md` that show what `hearth diagnose` prints for accessories that are broken on
/// purpose: the example at the top, and all of them at the end.
struct DiagnosisDocument {
    private static let heading = "## Examples\n"
    private static let exampleStart = "<!-- example -->\n\n"
    private static let exampleEnd = "\n<!-- end of example -->"
    /// The accessory of the example at the top.
    private static let exampleName = "“Porch Lamp”"
    /// Says which test runs the example below.
    private static let marker = "<!-- checked by Tests/HearthTests/DiagnosisDocument.swift -->"
    private static let variable = "HEARTH_WRITE_DOCUMENTATION"
    private var sections: [(title: String, output: String)] = []

    /// Adds what the command printed, without what differs from run to run.
    mutating func add(_ title: String, _ output: String) {
        let steady =
            output
            .replacing(/127\.0\.0\.1:\d+/, with: "192.0.2.20:5001")
            .replacing(/\d+ s ago/, with: "12 s ago")
            .replacing(/configuration \d+/, with: "configuration 1")
            .replacing(/\d\.\d s\./, with: "2.5 s.")
        sections.append((title, "\(Self.marker)\n```text\n\(steady)```\n"))
    }

    /// Compares the page with what was added, or writes it if the environment asks for that.
    func check() throws {
        let file = try PeerPython.packageRoot().appending(path: "Documentation/Troubleshooting.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let exampleStart = try #require(page.range(of: Self.exampleStart)).upperBound
        let exampleEnd = try #require(page.range(of: Self.exampleEnd)).lowerBound
        let examplesStart = try #require(page.range(of: Self.heading)).upperBound
        let example = try #require(sections.first { $0.output.contains(Self.exampleName) }).output
        let examples = sections.map { "\($0.title)\n\n\($0.output)" }.joined(separator: "\n")
        let expected = "\(page[..<exampleStart])\(example)\(page[exampleEnd..<examplesStart])\n\(examples)"
        if ProcessInfo.processInfo.environment[Self.variable] == "1" {
            try Data(expected.utf8).write(to: file)
        } else {
            #expect(page == expected, "run the test with \(Self.variable)=1, and review the difference")
        }
    }
}
