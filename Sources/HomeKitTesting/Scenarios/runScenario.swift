public import AccessorySimulator
import Foundation

/// Plays a scenario file, as `hearth sim run` does: its accessories on loopback, begun as from the factory, its own apps,
/// and its own time. `Documentation/Scenarios.md` describes the file.
///
/// ```swift
/// @Test func theDoorDoesWhatItsMakerPromises() async throws {
///     let report = try await runScenario(file: "Tests/Scenarios/garage-door.json")
///     #expect(report.failures.isEmpty, "\(report.transcript)")
/// }
/// ```
///
/// - Parameters:
///   - path: The file.
///   - seed: From what everything random comes; `nil` takes the scenario's.
/// - Returns: The expectations that failed, and what accessories and apps said to each other.
/// - Throws: `SimulatorError` if the file is not right, or an accessory cannot start.
public func runScenario(file path: String, seed: UInt64? = nil) async throws -> ScenarioReport {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = TestHome.folders.appending(path: "hearth-scenario-\(UUID().uuidString)-\(process)")
    try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await ScenarioRun(try Scenario(file: path), dataFolder: folder.path, seed: seed).run()
}
