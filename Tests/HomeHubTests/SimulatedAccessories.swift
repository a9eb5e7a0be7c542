import AccessorySimulator
import Foundation
import HAP

/// Simulated accessories on the loopback interface, for the duration of a test.
struct SimulatedAccessories: Sendable {
    let simulator: Simulator
    let ready: [RunningAccessory]

    /// Runs `body` with the accessories of some accessory files, then stops them.
    static func with<Result>(
        _ texts: [String],
        in folder: URL,
        _ body: (SimulatedAccessories) async throws -> Result
    ) async throws -> Result {
        let files = folder.appending(path: "accessories")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let paths = try texts.enumerated().map { number, text in
            let file = files.appending(path: "\(number).json")
            try Data(text.utf8).write(to: file)
            return file.path
        }
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: paths,
                dataFolder: files.path,
                bindAddress: "127.0.0.1",
                interfaces: ["127.0.0.1"]
            )
        )
        let ready = try await simulator.start()
        do {
            let result = try await body(SimulatedAccessories(simulator: simulator, ready: ready))
            await simulator.stop()
            return result
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// Returns a fan with an outlet. The serial number is unique to the test run.
    static func appliance(_ name: String) -> String {
        """
        {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Fan", "services": [
          {"type": "Fan", "name": "Fan", "primary": true, "characteristics": {"On": false}},
          {"type": "Outlet", "name": "Socket", "characteristics": {"On": false}}]}
        """
    }

    static func lamp(_ name: String) -> String {
        """
        {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Lightbulb", "services": [
          {"type": "Lightbulb", "characteristics": {"On": false}}]}
        """
    }

    static func button(_ name: String) -> String {
        """
        {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "ProgrammableSwitch", "services": [
          {"type": "StatelessProgrammableSwitch"}]}
        """
    }

    /// Returns a bridge with two lamps.
    static func bridge(_ name: String) -> String { bridge(name, lamps: ["One", "Two"]) }

    /// Returns a bridge with lamps of these names.
    static func bridge(_ name: String, lamps: [String]) -> String {
        let lamps = lamps.map { lamp in
            """
            {"name": "\(lamp)", "serialNumber": "\(UUID().uuidString)", "services": [
              {"type": "Lightbulb", "characteristics": {"On": false}}]}
            """
        }
        return """
            {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "services": [],
             "accessories": [\(lamps.joined(separator: ","))]}
            """
    }

    /// Returns a name that no other accessory on this machine's loopback interface has.
    static func newName(_ name: String) -> String { "\(name) \(UUID().uuidString.prefix(8))" }
}
