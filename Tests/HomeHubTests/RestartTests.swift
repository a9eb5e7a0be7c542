import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import Testing

/// Bridges that go offline and return at the same time.
struct RestartTests {
    @Test func bridgesThatRestartTogetherAllComeBackAndTellOfTheirChanges() async throws {
        let bridges = (1...3).map { number in
            let lamps = (1...20).map { "Lamp \(number) \($0)" }
            return SimulatedAccessories.bridge(SimulatedAccessories.newName("Bridge"), lamps: lamps)
        }
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                try await SimulatedAccessories.with(bridges, in: folder) { accessories in
                    for ready in accessories.ready {
                        let (id, code) = (ready.deviceID.description, ready.setupCode.dashed)
                        let request = AddAccessory(home: home, deviceID: id, code: code)
                        _ = try await probe.call(HubMethods.addAccessory, request)
                    }
                    try await probe.until { $0.reachable(in: home) == 63 }
                }
                try await probe.until { $0.reachable(in: home) == 0 }
                let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                _ = try await probe.call(HubMethods.notify, all)

                // The bridges return on other ports.
                try await SimulatedAccessories.with(bridges, in: folder) { accessories in
                    try await probe.until { $0.reachable(in: home) == 63 }
                    for number in 1...3 {
                        let lamp = "Lamp \(number) 20"
                        let record = try #require(probe.view.homes[home]?.accessories.first { $0.name == lamp })
                        let services = try #require(probe.view.homes[home]?.services(of: record))
                        let shapes = services.flatMap(\.characteristics)
                        let on = try #require(shapes.first { $0.type == HAPType.Characteristic.on })
                        let reference = CharacteristicReference(accessory: record.id, iid: on.iid)
                        let simulator = accessories.simulator
                        try await simulator.set(.bool(true), of: simulator.find(lamp, "On"))
                        try await probe.until { $0.values[.init(home: home, characteristic: reference)] == .bool(true) }
                    }
                }
            }
        }
    }
}

extension HubState {
    /// Returns the number of reachable accessories in a home.
    fileprivate func reachable(in home: UUID) -> Int {
        homes[home]?.accessories.filter { reachability[$0.id]?.isReachable == true }.count ?? 0
    }
}
