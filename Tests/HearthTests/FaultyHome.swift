import Foundation
import HubAPI
import PeerProcess
import Testing

/// A home of simulated accessories into which faults can be injected: a hub, simulators and commands as processes.
struct FaultyHome: Sendable {
    /// An accessory of the home.
    struct Accessory: Sendable {
        var name: String
        var deviceID = Fixture.newDeviceID()
        /// Its services, in the format of accessory files.
        var services = #"[{"type": "Lightbulb", "characteristics": {"On": false}}]"#
        /// The names of its bridged lamps.
        var bridged: [String] = []
        var category = "Lightbulb"

        init(_ name: String, sensor services: String? = nil, bridged: [String] = []) {
            self.name = name
            self.bridged = bridged
            if let services { (self.services, category) = (services, "Sensor") }
            if !bridged.isEmpty { self.services = "[]" }
        }

        /// The contents of the accessory's file.
        var description: String {
            let lamps = bridged.map { name in
                """
                {"name": "\(name)", "serialNumber": "\(name)", "services": [
                  {"type": "Lightbulb", "characteristics": {"On": false}}]}
                """
            }
            let behind = bridged.isEmpty ? "" : #", "accessories": [\#(lamps.joined(separator: ","))]"#
            let category = bridged.isEmpty ? #", "category": "\#(category)""# : ""
            return """
                {"format": 1, "name": "\(name)", "serialNumber": "\(name)", "deviceID": "\(deviceID)"\(category),
                 "setupCode": "\(Fixture.lampCode)", "services": \(services)\(behind)}
                """
        }
    }

    let fixture: Fixture
    let hub: PeerProcess
    var socket: String { fixture.socket }

    /// Runs `body` with a hub and a home without accessories.
    static func with(_ body: (FaultyHome) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let home = FaultyHome(fixture: fixture, hub: hub)
            try await home.run("home", "add", "My Home")
            try await body(home)
            #expect(await hub.terminate() == 0)
        }
    }

    // MARK: Accessories

    /// Returns the data folder of a simulator.
    func data(_ simulator: String) -> String { fixture.folder.appending(path: simulator).path }

    /// Starts accessories in a separate process.
    func start(_ accessories: [Accessory], in simulator: String, _ more: [String] = []) async throws -> PeerProcess {
        let files = try accessories.map { accessory in
            let file = fixture.folder.appending(path: "\(UUID().uuidString).json")
            try Data(accessory.description.utf8).write(to: file)
            return file.path
        }
        let arguments = [
            "--data", data(simulator), "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--json",
        ]
        let process = try PeerProcess(Programs.hearth, ["simulator"] + files + arguments + more)
        for accessory in accessories {
            _ = try await process.json(Fixture.Line.self, accessory.name) {
                $0.event == "ready" && $0.name == accessory.name
            }
        }
        return process
    }

    /// Adds an accessory to the home.
    func add(_ accessory: Accessory) async throws {
        try await add(accessory.deviceID)
    }

    /// Adds the accessory with a device ID to the home.
    func add(_ deviceID: String) async throws {
        let outcome = try await fixture.add(deviceID, "--code", Fixture.lampCode)
        try #require(outcome.status == 0, "\(deviceID): \(outcome.error)")
    }

    /// Starts accessories and adds them.
    func furnish(_ accessories: [Accessory], in simulator: String = "simulator") async throws -> PeerProcess {
        let process = try await start(accessories, in: simulator)
        for accessory in accessories { try await add(accessory) }
        return process
    }

    /// Injects a fault into an accessory.
    func fault(_ target: String, _ line: String, in simulator: String = "simulator") async throws {
        try await run("sim", "fault", target, line, "--data", data(simulator))
    }

    // MARK: The command line

    /// Runs a command that must succeed.
    @discardableResult
    func run(_ arguments: String...) async throws -> String {
        let outcome = try await fixture.run(arguments)
        try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
        return outcome.output
    }

    /// Returns the output of `hearth diagnose --json` for an accessory, and the exit status.
    func diagnose(_ name: String) async throws -> (diagnosis: AccessoryDiagnosis, status: Int32) {
        let outcome = try await fixture.run("diagnose", name, "--json")
        let diagnosis = try JSONDecoder().decode(AccessoryDiagnosis.self, from: Data(outcome.output.utf8))
        return (diagnosis, outcome.status)
    }

    /// Repeats a diagnosis until it meets a condition. Returns the last one after a timeout.
    func diagnose(
        _ name: String,
        until condition: (AccessoryDiagnosis) -> Bool
    ) async throws -> AccessoryDiagnosis {
        try await Wait.value(where: condition) { try await diagnose(name).diagnosis }
    }

    /// Repeats a diagnosis until it reports a problem.
    func diagnose(_ name: String, until trouble: AccessoryTrouble) async throws -> AccessoryDiagnosis {
        try await diagnose(name) { $0.steps.flatMap(\.findings).contains { $0.trouble == trouble } }
    }
}

extension AccessoryDiagnosis {
    /// Returns a step of the diagnosis.
    func step(_ name: StepName) -> Step? { steps.first { $0.name == name } }

    /// Returns the problems that were found at a step.
    func troubles(at name: StepName) -> [AccessoryTrouble] { step(name)?.findings.map(\.trouble) ?? [] }
}
