import Foundation
import PeerProcess
import Testing

/// The part of `Documentation/Diagnosis.md` that shows what `hearth diagnose` says of accessories that are broken on purpose.
struct DiagnosisDocument {
    private static let heading = "## Ten broken accessories\n"
    private static let variable = "HEARTH_WRITE_DOCUMENTATION"
    private var sections: [String] = []

    /// Adds what the command said, without what differs from run to run.
    mutating func add(_ deed: String, _ output: String) {
        let steady =
            output
            .replacing(/127\.0\.0\.1:\d+/, with: "192.0.2.20:5001")
            .replacing(/\d+ s ago/, with: "12 s ago")
            .replacing(/configuration \d+/, with: "configuration 1")
            .replacing(/\d\.\d s\./, with: "2.5 s.")
        let lines = steady.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }
        sections.append("\(deed)\n\n\(lines.joined(separator: "\n"))")
    }

    /// Compares the document with what was added; writes it where that is asked for.
    func check() throws {
        let file = try PeerPython.packageRoot().appending(path: "Documentation/Diagnosis.md")
        let document = try String(contentsOf: file, encoding: .utf8)
        let end = try #require(document.range(of: Self.heading)).upperBound
        let present = "\n" + sections.joined(separator: "\n")
        if ProcessInfo.processInfo.environment[Self.variable] == "1" {
            try Data((document[..<end] + present).utf8).write(to: file)
        } else {
            #expect(document[end...] == present, "run the test with \(Self.variable)=1, and look at the difference")
        }
    }
}
