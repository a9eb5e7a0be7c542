import AccessoryCheck
import AccessoryPeers
import Foundation
import HAP
import PeerProcess
import Testing

/// Runs the checks at HAP-python, a third-party accessory, in a separate process.
@Suite struct HAPPythonTests {
    private struct Report: Decodable, Sendable {
        let event: String
        let port: Int?
    }

    private static let code = "482-06-913"

    /// The checks that HAP-python fails, with their results, as in the table. To change the table, replace the rows
    /// that the test reports, and generate `Documentation/Checks.md` again.
    @Test func itDeviatesWhereTheTableSays() async throws {
        let folder = try TemporaryFolder()
        let process = try PeerPython.start(
            "hap_python_bridge.py",
            ["--port", "0", "--code", Self.code, "--state", folder.path + "state.json", "--lamps", "0"]
        )
        let ready = try await process.json(Report.self, "the bridge's readiness") { $0.event == "ready" }
        let target = CheckTarget(host: "127.0.0.1", port: try #require(ready.port))
        var options = CheckOptions(access: .code(try SetupCode(Self.code)))
        // One check waits as long for an answer that never comes.
        options.responseTime = .seconds(30)
        options.quietTime = .milliseconds(100)
        let summary = await CheckRunner(target: target, options: options).run { _ in }
        await process.terminate()
        #expect(summary.problems == [])
        let rows = summary.results.filter { $0.isFailure(isStrict: true) }.map { "\($0.id) \($0.word)" }
        let table = try KnownDeviations.hapPython().map { "\($0.id) \($0.result)" }
        #expect(Set(rows).subtracting(table).sorted() == [])
        #expect(Set(table).subtracting(rows).sorted() == [])
        #expect(table.count >= 45)
    }
}

/// A row of the table of what a known implementation does.
struct KnownDeviations {
    let id: String
    let result: String
    let seen: String
    let reason: String

    static func hapPython() throws -> [KnownDeviations] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hap-python.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 4 && !fields.contains(""), "\(line)")
            return KnownDeviations(id: fields[0], result: fields[1], seen: fields[2], reason: fields[3])
        }
    }
}
