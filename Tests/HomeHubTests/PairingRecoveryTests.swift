import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// Pairings whose end is lost: the accessory has stored the pairing, but the hub doesn't know it.
struct PairingRecoveryTests {
    private static func pairings(_ bridge: PeerProcess, _ event: String) async throws -> Int? {
        try await bridge.json(HAPPythonBridge.Report.self, "that it is \(event)") {
            $0.event == event
        }.controllers
    }

    @Test(arguments: [false, true])
    func itIsTakenBackAndMadeAgainAtOnce(byAddress: Bool) async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                try bridge.send(#"{"lose": true}"#)
                var request = AddAccessory(home: home, deviceID: ready.deviceID, code: HAPPythonBridge.code)
                if byAddress {
                    request = AddAccessory(home: home, host: "127.0.0.1", port: ready.port, code: HAPPythonBridge.code)
                }
                #expect(try await probe.call(HubMethods.addAccessory, request).ids.count == 4)
                #expect(try await Self.pairings(bridge, "paired") == 1)
                #expect(try await Self.pairings(bridge, "unpaired") == 0)
                #expect(try await Self.pairings(bridge, "paired") == 1)
                _ = await bridge.terminate()
            }
        }
    }

    @Test func itIsTakenBackWhenTheAccessoryIsReachedAfterTheHubsRestart() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let home = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, deviceID: ready.deviceID, code: HAPPythonBridge.code)
                // The accessory stops before it can receive another request.
                try bridge.send(#"{"lose": true, "end": true}"#)
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "connectionLost")
                _ = await bridge.exit()
                return home
            }
            try await withHub(at: folder) { hub in
                let returned = try await HAPPythonBridge.start(name, in: folder)
                #expect(try await Self.pairings(returned, "unpaired") == 0)
                let probe = try await RecordingHubClient(to: hub)
                let request = AddAccessory(home: home, deviceID: ready.deviceID, code: HAPPythonBridge.code)
                #expect(try await probe.call(HubMethods.addAccessory, request).ids.count == 4)
                _ = await returned.terminate()
            }
        }
    }

    @Test func itIsTakenBackBeforeItsHomeIsForgotten() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder, isAdvertised: false)
                let port = try #require(ready.port)
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                try bridge.send(#"{"lose": true, "end": true}"#)
                let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "connectionLost")
                _ = await bridge.exit()
                let (returned, _) = try await HAPPythonBridge.startReported(
                    name,
                    in: folder,
                    port: port,
                    isAdvertised: false
                )
                _ = try await probe.call(HubMethods.removeHome, HomeTarget(home: home))
                #expect(try await Self.pairings(returned, "unpaired") == 0)
                _ = await returned.terminate()
            }
        }
    }

    @Test func aNoteThatAHomesOwnLogHoldsOutlivesTheHome() async throws {
        try await withDataFolder { folder in
            func change<Result>(_ body: (HomeStore) async throws -> Result) async throws -> Result {
                let store = try await HomeStore.open(at: folder.appending(path: "hub"))
                let result = try await body(store)
                try await store.close()
                return result
            }
            let home = try await withHub(at: folder) { hub in
                try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "My Home")).id
            }
            // Nothing listens at this address.
            let pending = PendingPairing(deviceID: .random(), addresses: [AccessoryAddress(host: "127.0.0.1", port: 9)])
            try await change { store in
                let key = SecretKey(kind: .pendingPairing, log: .home(home), name: pending.name)
                try await store.setSecret(Array(try JSONEncoder().encode(pending)), for: key)
            }
            try await withHub(at: folder) { hub in
                _ = try await RecordingHubClient(to: hub).call(HubMethods.removeHome, HomeTarget(home: home))
            }
            let (records, left) = try await change { store in
                (
                    try await PairingVault(store: store).unfinished(),
                    try await store.secrets(.pendingPairing, of: .home(home))
                )
            }
            #expect(records.map(\.home) == [home])
            #expect(records.map(\.pending) == [pending])
            #expect(left.isEmpty)
        }
    }

    @Test func onlyAPairingThatIsBeingReplacedIsNotSpared() throws {
        let controller = ControllerIdentity(pairingID: try #require(PairingID("HOME")), keyPair: .random())
        let pairings = (0..<3).map { _ in
            AccessoryPairing(
                deviceID: .random(),
                accessoryPublicKey: LongTermKeyPair.random().publicKey,
                controllerIdentity: controller
            )
        }
        let all = Set(pairings.map(\.deviceID))
        var pending = PendingPairing(deviceID: pairings[0].deviceID, addresses: [])
        #expect(pending.protectedDevices(among: pairings) == all)
        pending.replaces = pairings[1].accessoryPublicKey
        #expect(pending.protectedDevices(among: pairings) == all)
        pending.replaces = pairings[0].accessoryPublicKey
        #expect(pending.protectedDevices(among: pairings) == all.subtracting([pairings[0].deviceID]))
        pending.deviceID = nil
        #expect(pending.protectedDevices(among: pairings) == all)
    }

    @Test func nothingIsLeftOfAnAccessoryThatWasRemoved() async throws {
        try await withDataFolder { folder in
            let (bridge, ready) = try await HAPPythonBridge.startReported(HAPPythonBridge.newName(), in: folder)
            let kinds: [SecretKey.Kind] = [
                .pairing, .pendingPairing, .scheduledRemoval, .init(rawValue: "lastAddress"),
            ]
            func secrets(of home: UUID) async throws -> [SecretKey] {
                let store = try await HomeStore.open(at: folder.appending(path: "hub"))
                var found: [SecretKey] = []
                for kind in kinds {
                    found += try await store.secrets(kind, of: .home(home)) + store.secrets(kind, of: nil)
                }
                try await store.close()
                return found
            }
            let (home, bridgeID) = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: ready.port, code: HAPPythonBridge.code)
                let ids = try await probe.call(HubMethods.addAccessory, request).ids
                return (home, try #require(ids.first))
            }
            #expect(Set(try await secrets(of: home).map(\.kind.rawValue)) == ["pairing", "lastAddress"])
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                _ = try await probe.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(bridgeID)))
                #expect(try await Self.pairings(bridge, "unpaired") == 0)
                // The accessory is discovered again once the hub has finished its removal.
                _ = try await probe.call(HubMethods.startBrowsing, Empty())
                try await probe.until { $0.discovered.values.contains { $0.deviceID == ready.deviceID } }
            }
            #expect(try await secrets(of: home).isEmpty)
            _ = await bridge.terminate()
        }
    }

    @Test func anAccessoryIsReachedAfterTheHubsRestartThoughNobodyAnnouncesIt() async throws {
        try await withDataFolder { folder in
            let (bridge, ready) = try await HAPPythonBridge.startReported(
                HAPPythonBridge.newName(),
                in: folder,
                isAdvertised: false
            )
            let home = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: ready.port, code: HAPPythonBridge.code)
                #expect(try await probe.call(HubMethods.addAccessory, request).ids.count == 4)
                return home
            }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                try await probe.until { state in
                    state.homes[home]?.accessories.first.map { state.reachability[$0.id]?.isReachable } == true
                }
            }
            _ = await bridge.terminate()
        }
    }
}
