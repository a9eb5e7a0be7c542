import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

/// An accessory that vanishes during a request.
struct LostAccessoryTests {
    @Test func aWriteToAnAccessoryThatVanishesFailsAndClaimsNothing() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let port = try #require(ready.port)
                let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                _ = try await probe.call(HubMethods.addAccessory, request)
                let view = try #require(probe.view.homes[home])
                let lamp = try #require(view.accessories.first { $0.name == "Lamp" })
                let shapes = view.services(of: lamp).flatMap(\.characteristics)
                let power = try #require(shapes.first { $0.type == HAPType.Characteristic.on })
                let reference = CharacteristicReference(accessory: lamp.id, iid: power.iid)
                try await probe.until { $0.reachability[lamp.id]?.isReachable == true }

                // The bridge receives the request and never responds: it is suspended first, then killed.
                bridge.kill(SIGSTOP)
                let write = WriteCharacteristics.Write(characteristic: reference, value: .bool(true))
                let writes = WriteCharacteristics(home: home, writes: [write])
                async let results = probe.call(HubMethods.write, writes)
                bridge.kill(SIGKILL)
                let outcome = try #require(try await results.outcomes.first)
                let code = try #require(outcome.error?.code)
                #expect([.timedOut, .notReachable].contains(code))
                #expect(outcome.value == nil)
                try await probe.until { $0.reachability[lamp.id]?.isReachable == false }
                #expect(probe.view.values[.init(home: home, characteristic: reference)] != .bool(true))

                // The next write finds it again.
                let returned = try await HAPPythonBridge.start(name, in: folder)
                try await probe.until { $0.reachability[lamp.id]?.isReachable == true }
                #expect(try await probe.call(HubMethods.write, writes).outcomes.first?.error == nil)
                _ = await returned.terminate()
            }
        }
    }
}
