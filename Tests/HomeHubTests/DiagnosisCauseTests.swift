import AccessorySimulator
import Foundation
import HAP
@testable import HomeHub
import HubAPI
import PeerProcess
import Testing

/// Diagnoses of problems that occurred while no hub was running.
struct DiagnosisCauseTests {
    /// Returns a diagnosis as soon as it stops at a given problem, otherwise the last one.
    private static func diagnosis(
        of target: ItemTarget,
        by probe: RecordingHubClient,
        until trouble: AccessoryTrouble
    ) async throws -> AccessoryDiagnosis {
        try await Wait.value(where: { $0.cause?.trouble == trouble }) {
            try await probe.call(HubMethods.diagnoseAccessory, target)
        }
    }

    /// Adds an accessory to a new home.
    private static func add(_ deviceID: String, _ code: String, by probe: RecordingHubClient) async throws -> ItemTarget
    {
        let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
        let addition = AddAccessory(home: home, deviceID: deviceID, code: code)
        let added = try await probe.call(HubMethods.addAccessory, addition).ids
        return ItemTarget(home: home, id: try #require(added.first))
    }

    @Test func anAccessoryWhoseKeysAreLostStopsAtOnce() async throws {
        try await withDataFolder { folder in
            let lamp = SimulatedAccessories.lamp(SimulatedAccessories.newName("Lamp"))
            try await SimulatedAccessories.with([lamp], in: folder) { accessories in
                let ready = try #require(accessories.ready.first)
                let target = try await withHub(at: folder) { hub in
                    let probe = try await RecordingHubClient(to: hub)
                    let target = try await Self.add(ready.deviceID.description, ready.setupCode.dashed, by: probe)
                    try await hub.vault.removePairing(ready.deviceID, in: target.home)
                    return target
                }
                try await withHub(at: folder) { hub in
                    let probe = try await RecordingHubClient(to: hub)
                    let diagnosis = try await Self.diagnosis(of: target, by: probe, until: .noPairing)
                    #expect(diagnosis.stop?.name == .allowed && diagnosis.cause?.trouble == .noPairing)
                    #expect(diagnosis.steps.dropFirst().filter { $0.outcome != .skipped }.isEmpty, "\(diagnosis)")
                    #expect(probe.view.reachability[target.id]?.isReachable != true)
                }
            }
        }
    }

    @Test func anAccessoryThatTellsNonsenseOfItselfStopsAtReading() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let deviceID = try #require(ready.deviceID)
            let target = try await withHub(at: folder) { hub in
                try await Self.add(deviceID, HAPPythonBridge.code, by: try await RecordingHubClient(to: hub))
            }
            try bridge.send(#"{"garble": true}"#)
            _ = try await bridge.json(HAPPythonBridge.Report.self, "the command") { $0.event == "done" }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let diagnosis = try await Self.diagnosis(of: target, by: probe, until: .unreadableDatabase)
                #expect(diagnosis.stop?.name == .reading, "\(diagnosis)")
                #expect(diagnosis.cause?.trouble == .unreadableDatabase, "\(diagnosis)")
                #expect(diagnosis.steps.first { $0.name == .verification }?.outcome == .passed, "\(diagnosis)")
            }
            _ = await bridge.terminate()
        }
    }
}
