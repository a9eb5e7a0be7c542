import Foundation
import Testing

/// The table of what was tried with other implementations is true as long as every row has its test, and every test its row.
@Suite struct InteropTableTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func theRowsAreTheTests() throws {
        let document = try String(contentsOf: Self.root.appending(path: "Documentation/DNSSD.md"), encoding: .utf8)
        let section = document.components(separatedBy: "\n## ").first { $0.hasPrefix("Interoperability") } ?? ""
        let cells = section.split(separator: "\n").compactMap { $0.split(separator: "|").last }
        let named = Set(cells.flatMap { $0.matches(of: /`([a-z]\w+)`/).map { String($0.1) } })
        let folder = Self.root.appending(path: "Tests/DNSSDInteropTests")
        var tests: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            tests.formUnion(source.matches(of: /@Test(?:\([^\n]*\)\n)?\s*func (\w+)\(/).map { String($0.1) })
        }
        #expect(!tests.isEmpty && named == tests, "only one of the two: \(named.symmetricDifference(tests).sorted())")
    }
}
