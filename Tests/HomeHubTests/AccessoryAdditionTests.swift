import Foundation
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

/// Failures while an accessory is added: they produce a clear error and leave nothing half done.
struct AccessoryAdditionTests {
    @Test func whatIsNoCodeOrNoAccessoryIsRefusedBeforeAnythingIsTouched() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
                let deviceID = try #require(ready.deviceID)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                _ = try await probe.call(HubMethods.startBrowsing, Empty())
                try await probe.until { $0.discovered.values.contains { $0.deviceID == deviceID } }
                let add = HubMethods.addAccessory

                for code in ["", "abc", "123-45-67", "482-11-9577", "000-00-000", "123-45-678"] {
                    let request = AddAccessory(home: home, deviceID: deviceID, code: code)
                    #expect(try await probe.refusal(add, request) == "invalidSetupCode", "\(code)")
                }
                let stranger = AddAccessory(home: home, deviceID: "00:11:22:33:44:55", code: HAPPythonBridge.code)
                #expect(try await probe.refusal(add, stranger) == "notDiscovered")
                let nowhere = AddAccessory(home: home, code: HAPPythonBridge.code)
                #expect(try await probe.refusal(add, nowhere) == "malformedMessage")
                let homeless = AddAccessory(home: UUID(), deviceID: deviceID, code: HAPPythonBridge.code)
                #expect(try await probe.refusal(add, homeless) == "notFound")
                let roomless = AddAccessory(home: home, deviceID: deviceID, code: HAPPythonBridge.code, room: UUID())
                #expect(try await probe.refusal(add, roomless) == "notFound")
                let illNamed = AddAccessory(home: home, deviceID: deviceID, code: HAPPythonBridge.code, name: "A/B")
                #expect(try await probe.refusal(add, illNamed) == "nameInvalidCharacter")
                let deaf = AddAccessory(home: home, host: "127.0.0.1", port: 9, code: HAPPythonBridge.code)
                #expect(try await probe.refusal(add, deaf) == "notReachable")

                #expect(probe.view.homes[home]?.accessories.isEmpty == true)
                #expect(!bridge.transcript.contains("paired"))
                _ = await bridge.terminate()
            }
        }
    }

    @Test func aSetupCodeThatNobodyGivesCancelsTheAddition() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder, questionTimeout: .milliseconds(50)) { hub in
                let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
                let deviceID = try #require(ready.deviceID)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                _ = try await probe.call(HubMethods.startBrowsing, Empty())
                try await probe.until { $0.discovered.values.contains { $0.deviceID == deviceID } }
                let request = AddAccessory(home: home, deviceID: deviceID)
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "operationCancelled")
                _ = await bridge.terminate()
            }
        }
    }

    @Test func anAccessoryBelongsToOneHomeUntilItIsRemoved() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
                let (deviceID, port) = (try #require(ready.deviceID), try #require(ready.port))
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                let added = try await probe.call(HubMethods.addAccessory, request).ids
                #expect(added.count == 4)
                #expect(probe.view.homes[home]?.servers == [deviceID])

                // The accessory is already paired with the same home, with another home of the same hub, and with
                // another hub.
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "alreadyPaired")
                try await withHub(at: folder.appending(path: "other")) { other in
                    let stranger = try await RecordingHubClient(to: other)
                    let elsewhere = try await stranger.call(HubMethods.addHome, AddHome(name: "Elsewhere")).id
                    var theirs = request
                    theirs.home = elsewhere
                    #expect(try await stranger.refusal(HubMethods.addAccessory, theirs) == "alreadyPaired")
                    #expect(stranger.view.homes[elsewhere]?.accessories.isEmpty == true)
                }

                let child = try #require(added.last)
                let remove = HubMethods.removeAccessory
                #expect(try await probe.refusal(remove, InHome(home, RemoveAccessory(child))) == "bridgedNotRemovable")
                _ = try await probe.call(remove, InHome(home, RemoveAccessory(added[0])))
                _ = try await bridge.json(HAPPythonBridge.Report.self, "unpairing") { $0.event == "unpaired" }
                #expect(try await probe.call(HubMethods.addAccessory, request).ids.count == 4)
                _ = await bridge.terminate()
            }
        }
    }

    @Test func anAccessoryThatWasResetIsNotTakenFromItsHomeByAnother() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
                let port = try #require(ready.port)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let other = try await probe.call(HubMethods.addHome, AddHome(name: "Cabin")).id
                var request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                _ = try await probe.call(HubMethods.addAccessory, request)
                _ = await first.terminate()
                try HAPPythonBridge.forgetPairings(in: folder)
                let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: port)

                request.home = other
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "alreadyAdded")
                #expect(probe.view.homes[other]?.accessories.isEmpty == true)
                #expect(probe.view.homes[home]?.accessories.count == 4)
                // The pairing that was made for the check has been removed.
                _ = try await second.json(HAPPythonBridge.Report.self, "unpairing") {
                    $0.event == "unpaired"
                }
                _ = await second.terminate()
            }
        }
    }

    @Test func anAccessoryThatIsAddedAgainWhileItLeavesKeepsItsNewPairing() async throws {
        try await withDataFolder { folder in
            let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
            let port = try #require(ready.port)
            let home = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                var added = try await probe.call(HubMethods.addAccessory, request).ids
                for _ in 0..<5 {
                    let target = InHome(home, RemoveAccessory(added[0]))
                    async let removal = probe.call(HubMethods.removeAccessory, target)
                    // The hub rejects the call as long as the bridge has the old pairing.
                    while try await probe.refusal(HubMethods.addAccessory, request) != nil {}
                    _ = try await removal
                    added = probe.view.homes[home]?.accessories.map(\.id) ?? []
                    #expect(added.count == 4)
                }
                return home
            }
            // After a restart the home still has what it needs to reach the bridge.
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                try await probe.until { state in
                    let accessories = state.homes[home]?.accessories.map(\.id) ?? []
                    return accessories.count == 4
                        && accessories.allSatisfy { state.reachability[$0]?.isReachable == true }
                }
            }
            _ = await bridge.terminate()
        }
    }

    @Test func aPairingIsRemovedWhenTheAccessoryThatWasAwayComesBack() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let port = try #require(ready.port)
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                _ = try await probe.call(HubMethods.addAccessory, request)
                _ = await bridge.terminate()
                try await probe.until { $0.reachability.values.contains { !$0.isReachable } }
                _ = try await probe.call(HubMethods.removeHome, HomeTarget(home: home))
            }
            // The home is gone and the hub was restarted. The scheduled removal remains.
            try await withHub(at: folder) { _ in
                let returned = try await HAPPythonBridge.start(name, in: folder)
                _ = try await returned.json(HAPPythonBridge.Report.self, "the owed removal") {
                    $0.event == "unpaired" && $0.controllers == 0
                }
                _ = await returned.terminate()
            }
        }
    }
}
