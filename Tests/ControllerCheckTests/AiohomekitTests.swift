import AccessoryCheck
import ControllerCheck
import Foundation
import HAP
import PeerProcess
import Testing

/// Runs the scenarios for aiohomekit, a third-party controller, in separate processes.
@Suite struct AiohomekitTests {
    /// What aiohomekit doesn't pass, as in the table, except for the security checks. To change the table, replace the rows
    /// that the test reports, and generate `Documentation/ControllerChecks.md` again.
    @Test func itDeviatesWhereTheTableSays() async throws {
        var results: [String: CheckResult] = [:]
        // The scenarios wait more than they compute.
        try await withThrowingTaskGroup(of: [CheckResult].self) { group in
            for (index, scenario) in Scenario.all.enumerated() {
                if index >= 6 { for result in try await group.next() ?? [] { results[result.id] = result } }
                group.addTask { try await Self.results(of: scenario) }
            }
            for try await more in group { for result in more { results[result.id] = result } }
        }
        let published = Set(ControllerCheck.all.map(\.description).filter { $0.severity != .security }.map(\.id))
        let rows = results.values.filter { $0.outcome != .passed && published.contains($0.id) }.map {
            "\($0.id) \($0.word)"
        }
        let table = try KnownDeviation.aiohomekit().map { "\($0.id) \($0.result)" }
        #expect(Set(rows).subtracting(table).sorted() == [])
        #expect(Set(table).subtracting(rows).sorted() == [])
        #expect(results.count == ControllerCheck.all.count)
    }

    private static func results(of scenario: Scenario) async throws -> [CheckResult] {
        var options = ControllerCheckOptions()
        options.bindAddress = "127.0.0.1"
        options.scenarios = [scenario.name]
        options.timeout = .seconds(600)
        let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/aiohomekit_check.py")
        options.drive = { place in
            let process = try PeerProcess(
                PeerPython.interpreter(),
                [script.path],
                environment: [
                    "PYTHONDONTWRITEBYTECODE": "1",
                    "HEARTH_CHECK_PORT": String(place.port),
                    "HEARTH_CHECK_DEVICE_ID": place.deviceID.description,
                    "HEARTH_CHECK_CODE": place.code.dashed,
                ]
            )
            return .exited(await process.exit())
        }
        let summary = await ControllerCheckRunner(options: options).run { _ in }
        #expect(summary.problem == nil)
        return summary.results
    }
}

/// A row of the table of what a known controller does.
struct KnownDeviation {
    let id: String
    let result: String
    let reason: String

    static func aiohomekit() throws -> [KnownDeviation] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "aiohomekit.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 3)
            return KnownDeviation(id: fields[0], result: fields[1], reason: fields[2])
        }
    }
}
