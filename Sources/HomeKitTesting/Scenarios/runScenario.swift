public import AccessorySimulator
import Foundation
import HomeScenarios

/// Runs a scenario file, as `hearth sim run` does. Its accessories are on loopback, start with factory settings, and
/// have their own apps and clock. `Documentation/Scenarios.md` describes the file format.
///
/// ```swift
/// @Test func theDoorDoesWhatItsMakerPromises() async throws {
///     let report = try await runScenario(file: "Tests/Scenarios/garage-door.json")
///     #expect(report.failures.isEmpty, "\(report.transcript)")
/// }
/// ```
///
/// - Parameters:
///   - path: The path of the file.
///   - seed: The seed of all random choices (default: the scenario's).
/// - Returns: The failed expectations, and a transcript of the messages between accessories and apps.
/// - Throws: `SimulatorError` if the file is invalid or an accessory can't start.
public func runScenario(file path: String, seed: UInt64? = nil) async throws -> ScenarioReport {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = TestHome.folders.appending(path: "hearth-scenario-\(UUID().uuidString)-\(process)")
    try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try ScenarioRun(try Scenario(file: path), dataFolder: folder.path, seed: seed) { home in
        try await HubScenarioHome(home, data: folder.appending(path: "hub"))
    }
    return try await run.run()
}
