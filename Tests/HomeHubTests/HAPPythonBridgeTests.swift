import Foundation
import HomeHub
import HomeKit
import HubAPI
import PeerProcess
import Testing

/// A third-party bridge (HAP-python) in its own process, used by an app through the `HomeKit` module.
struct HAPPythonBridgeTests {
    @Test func aHomeUsesABridgeThatOthersWroteFromFindingItToLettingItGo() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                var bridge = try await HAPPythonBridge.start(name, in: folder)
                let app = TestApp(on: hub)
                try await app.until("homes updated")
                let home = try await app.manager.addHome(named: "My Home")
                home.delegate = app

                // The bridge is found by mDNS and paired with the setup code, which a user gives in answer to the hub's
                // question.
                app.browser.startSearchingForNewAccessories()
                let found = try await app.found(name)
                let answering = try await QuestionResponder(on: hub, answer: HAPPythonBridge.code)
                try await home.addAccessory(found)
                _ = try await bridge.json(HAPPythonBridge.Report.self, "a pairing") {
                    $0.event == "paired" && $0.controllers == 1
                }
                app.browser.stopSearchingForNewAccessories()
                app.observe()
                #expect(answering.asked.value.count == 1)
                #expect(Set(home.accessories.map(\.name)) == [name, "Lamp", "Lock", "Sensor"])
                #expect(home.accessories.filter(\.isBridged).count == 3)

                // Reads and writes work.
                let power = try app.characteristic(HMCharacteristicTypePowerState, of: "Lamp")
                try await power.readValue()
                #expect(power.value as? Bool == false)
                try await power.writeValue(true)
                #expect(power.value as? Bool == true)
                let set = try await bridge.json(HAPPythonBridge.Report.self, "a write") {
                    $0.event == "set" && $0.name == "Lamp"
                }
                #expect(set.char == "On")
                try await app.characteristic(HMCharacteristicTypeBrightness, of: "Lamp").writeValue(40)
                await #expect(throws: HMError.self) {
                    try await app.characteristic(HMCharacteristicTypeBrightness, of: "Lamp").writeValue(101)
                }

                // The bridge's own changes arrive as delegate calls.
                let temperature = try app.characteristic(HMCharacteristicTypeCurrentTemperature, of: "Sensor")
                try await temperature.enableNotification(true)
                try bridge.send(#"{"set": "Sensor", "value": 21.5}"#)
                try await app.messages.until { $0.contains { $0.hasPrefix("Sensor") && $0.hasSuffix("21.5") } }
                #expect(temperature.value as? Double == 21.5)

                // The bridge goes offline and returns with its pairing.
                _ = await bridge.terminate()
                try await app.until("Lamp is unreachable")
                await #expect(throws: HMError.self) { try await power.readValue() }
                bridge = try await HAPPythonBridge.start(name, in: folder)
                try await app.until("Lamp is reachable")
                try await power.writeValue(true)
                _ = try await bridge.json(HAPPythonBridge.Report.self, "a write after the return") { $0.event == "set" }

                // The bridge is removed.
                let record = try #require(home.accessories.first { $0.name == name })
                try await home.removeAccessory(record)
                #expect(home.accessories.isEmpty)
                _ = try await bridge.json(HAPPythonBridge.Report.self, "the end of the pairing") {
                    $0.event == "unpaired" && $0.controllers == 0
                }
                _ = await bridge.terminate()
            }
        }
    }

    @Test func aWrongSetupCodeIsRefusedAndTheRightOneIsAcceptedAfterwards() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let bridge = try await HAPPythonBridge.start(name, in: folder)
                let app = TestApp(on: hub)
                try await app.until("homes updated")
                let home = try await app.manager.addHome(named: "My Home")
                app.browser.startSearchingForNewAccessories()
                let found = try await app.found(name)
                let answer = AwaitableValue("111-22-333")
                _ = try await QuestionResponder(on: hub) { [$0.fields[0].id: answer.value] }
                do {
                    try await home.addAccessory(found)
                    Issue.record("a wrong code was accepted")
                } catch let error as HMError {
                    #expect(error.code == .accessoryPairingFailed)
                }
                #expect(home.accessories.isEmpty)
                answer.change { $0 = HAPPythonBridge.code }
                try await home.addAccessory(found)
                #expect(home.accessories.count == 4)
                _ = await bridge.terminate()
            }
        }
    }
}
