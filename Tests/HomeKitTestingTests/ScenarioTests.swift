import Foundation
import HomeKitTesting
import Testing

/// Scenario files that run within tests.
struct ScenarioTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples")

    /// The folders of this process's scenarios.
    private static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: TestHome.folders.path)
            .filter { $0.hasPrefix("hearth-scenario-") && $0.hasSuffix("-\(getpid())") }
    }

    @Test func aScenarioThatGoesWellHasNoFailures() async throws {
        let path = Self.folder.appending(path: "Scenarios/garage-door.json").path
        let report = try await runScenario(file: path)
        #expect(report.failures.isEmpty)
        #expect(report.expectations > 0)
        #expect(!report.transcript.isEmpty)
        // Other tests of the process run scenarios at the same time, and remove their folders too.
        let deadline = ContinuousClock.now + TestHome.waitLimit
        var left = try Self.folders()
        while !left.isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            left = try Self.folders()
        }
        #expect(left.isEmpty)
    }

    @Test func whatIsNotAsExpectedIsToldWithItsLine() async throws {
        let accessory = Self.folder.appending(path: "Accessories/switch.json").path
        let scenario = """
            {
              "format": 1,
              "accessories": ["\(accessory)"],
              "steps": [
                { "read": "Switch/On", "value": true }
              ]
            }
            """
        let path = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString).json").path
        try Data(scenario.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let report = try await runScenario(file: path)
        #expect(report.failures.map(\.line) == [5])
    }

    @Test func aFileThatIsNotThereIsAnError() async {
        await #expect(throws: SimulatorError.self) { try await runScenario(file: "/nonexistent/scenario.json") }
    }
}
