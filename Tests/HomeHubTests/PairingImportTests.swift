import AccessoryPeers
import AccessorySimulator
import ControllerFiles
import Foundation
import HAP
import HAPCatalog
import HomeHub
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Testing

/// Imports of accessories that aiohomekit has paired, with the pairing file that it wrote.
struct PairingImportTests {
    /// A hub with a home, a HAP-python bridge, and aiohomekit as the bridge's controller.
    private struct Fixture: Sendable {
        let folder: URL
        let bridge: PeerProcess
        let name: String
        let deviceID: String
        let port: Int
        let peer: AiohomekitController

        /// The aid and iid of a characteristic of the bridge's first lamp, in aiohomekit's form.
        let lamp = "2.10"

        /// Returns a request with the content of aiohomekit's file.
        func request(into home: UUID) async throws -> ImportAccessory {
            ImportAccessory(try await peer.pairing(in: folder), into: home)
        }

        /// Waits until the bridge reports a number of controllers.
        func until(_ event: String, controllers: Int) async throws {
            _ = try await bridge.json(HAPPythonBridge.Report.self, "\(controllers) \(event)") {
                $0.event == event && $0.controllers == controllers
            }
        }
    }

    private static func with(isAdvertised: Bool = true, _ body: (Fixture) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder, isAdvertised: isAdvertised)
            let (deviceID, port) = (try #require(ready.deviceID), try #require(ready.port))
            try await AiohomekitController.run { peer in
                try await peer.pairWithHAPPython(port: port, id: deviceID, code: HAPPythonBridge.code)
                let fixture = Fixture(
                    folder: folder,
                    bridge: bridge,
                    name: name,
                    deviceID: deviceID,
                    port: port,
                    peer: peer
                )
                try await fixture.until("paired", controllers: 1)
                try await body(fixture)
            }
            _ = await bridge.terminate()
        }
    }

    private static func newHome(_ probe: RecordingHubClient, _ name: String = "My Home") async throws -> UUID {
        try await probe.call(HubMethods.addHome, AddHome(name: name)).id
    }

    @Test func aForeignBridgeIsImportedUsedAndStaysWithBothControllers() async throws {
        try await Self.with { fixture in
            let home = try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let room = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic"))).id
                var request = try await fixture.request(into: home)
                request.room = room
                let imported = try await probe.call(HubMethods.importAccessory, request)
                #expect(imported.outcome == .added)
                #expect(imported.ids.count == 4)
                try await fixture.until("paired", controllers: 2)
                let state = try #require(probe.view.homes[home])
                #expect(state.accessories.filter { $0.room == room }.count == 4)

                // Reads, writes and events work.
                let on = try probe.reference("Lamp", HAPType.Characteristic.on, in: home)
                let write = WriteCharacteristics.Write(characteristic: on, value: .bool(true))
                _ = try await probe.call(HubMethods.write, WriteCharacteristics(home: home, writes: [write]))
                _ = try await fixture.bridge.json(HAPPythonBridge.Report.self, "a write") { $0.event == "set" }
                let read = try await probe.call(
                    HubMethods.read,
                    ReadCharacteristics(home: home, characteristics: [on])
                )
                #expect(read.outcomes.map(\.value) == [.bool(true)])
                let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                _ = try await probe.call(HubMethods.notify, all)
                let temperature = try probe.reference("Sensor", HAPType.Characteristic.currentTemperature, in: home)
                try fixture.bridge.send(#"{"set": "Sensor", "value": 21.5}"#)
                try await probe.until {
                    $0.values[.init(home: home, characteristic: temperature)] == .double(21.5)
                }

                // The other controller still works.
                #expect(try await fixture.peer.ask("pairings").pairings?.map(\.permissions) == [1, 1])
                #expect(try await fixture.peer.ask("read", #""ids":["\#(fixture.lamp)"]"#).results?.count == 1)
                return home
            }
            // The pairing is the home's own and survives a restart.
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                // The result doesn't depend on whether the bridge has been reached yet.
                let early = try await probe.call(HubMethods.importAccessory, fixture.request(into: home))
                #expect(early.outcome == .present)
                try await probe.until { state in
                    state.homes[home]?.accessories.count { state.reachability[$0.id]?.isReachable == true } == 4
                }
                let again = try await probe.call(HubMethods.importAccessory, fixture.request(into: home))
                #expect(again.outcome == .present)
                #expect(again.ids.count == 4)
                #expect(!fixture.bridge.transcript.contains(#""controllers": 3"#))

                // The other controller can be removed later.
                var request = try await fixture.request(into: home)
                request.removesOtherController = true
                let taken = try await probe.call(HubMethods.importAccessory, request)
                #expect(taken.removalFailure == nil)
                try await fixture.until("unpaired", controllers: 1)
                // HAP-python doesn't close connections on its own.
                try await fixture.peer.ask("reconnect", #""port":\#(fixture.port)"#)
                await #expect(throws: AiohomekitController.Failure.self) {
                    try await fixture.peer.ask("read", #""ids":["\#(fixture.lamp)"]"#)
                }
                let on = try probe.reference("Lamp", HAPType.Characteristic.on, in: home)
                let write = WriteCharacteristics.Write(characteristic: on, value: .bool(false))
                #expect(
                    try await probe.refusal(HubMethods.write, WriteCharacteristics(home: home, writes: [write])) == nil
                )
                _ = try await fixture.bridge.json(HAPPythonBridge.Report.self, "a write") { $0.event == "set" }
            }
        }
    }

    @Test func aRehearsalFindsOutAndChangesNothing() async throws {
        try await Self.with { fixture in
            let home = try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                var request = try await fixture.request(into: home)
                request.isDryRun = true
                request.removesOtherController = true
                let outcome = try await probe.call(HubMethods.importAccessory, request)
                #expect(outcome == ImportedAccessory(outcome: .possible, ids: []))
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 1)
                #expect(probe.view.homes[home]?.accessories.isEmpty == true)
                return home
            }
            let store = try await HomeStore.open(at: fixture.folder.appending(path: "hub"))
            #expect(try await store.secrets(.controllerIdentity, of: .home(home)).isEmpty)
            try await store.close()
        }
    }

    @Test func anAccessoryThatNobodyAnnouncesIsFoundAtTheAddressInTheFile() async throws {
        try await Self.with(isAdvertised: false) { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                var request = try await fixture.request(into: home)
                request.hosts = []
                #expect(try await probe.refusal(HubMethods.importAccessory, request) == "notDiscovered")
                request = try await fixture.request(into: home)
                #expect(try await probe.call(HubMethods.importAccessory, request).ids.count == 4)
            }
        }
    }

    @Test func whatIsWrongWithAPairingIsNamedAndNothingIsLeftBehind() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let good = try await fixture.request(into: home)
                func refusal(_ change: (inout ImportAccessory) -> Void) async throws -> String? {
                    var request = good
                    change(&request)
                    return try await probe.refusal(HubMethods.importAccessory, request)
                }
                #expect(try await refusal { $0.accessoryKey[3] ^= 1 } == "impostor")
                #expect(try await refusal { $0.controllerSecret[3] ^= 1 } == "pairingForgotten")
                #expect(try await refusal { $0.controllerID = UUID().uuidString } == "pairingForgotten")
                #expect(try await refusal { $0.accessoryKey = Data() } == "malformedMessage")
                #expect(try await refusal { $0.controllerSecret = Data(count: 31) } == "malformedMessage")
                #expect(try await refusal { $0.controllerID = "" } == "malformedMessage")
                #expect(try await refusal { $0.deviceID = "lamp" } == "malformedMessage")
                #expect(try await refusal { $0.home = UUID() } == "notFound")
                #expect(try await refusal { $0.room = UUID() } == "notFound")
                var altered = good
                altered.accessoryKey[3] ^= 1
                let error = await #expect(throws: HubError.self) {
                    try await probe.call(HubMethods.importAccessory, altered)
                }
                #expect(error?.trouble == .identityChanged)
                altered = good
                altered.controllerID = UUID().uuidString
                let forgotten = await #expect(throws: HubError.self) {
                    try await probe.call(HubMethods.importAccessory, altered)
                }
                #expect([.pairingForgotten, .pairingRefused].contains(forgotten?.trouble))
                // With a different device ID, the address in the file is tried, and a different accessory responds
                // there.
                #expect(try await refusal { $0.deviceID = "00:11:22:33:44:55" } == "impostor")
                #expect(
                    try await refusal {
                        $0.deviceID = "00:11:22:33:44:55"
                        $0.port = 9
                    } == "notReachable"
                )

                let own = try await hub.controllerIdentity(of: home).pairingID.description
                #expect(try await refusal { $0.controllerID = own } == "invalidParameter")

                // This controller may use the accessory but may not add pairings.
                let added = try await fixture.peer.ask(
                    "add-pairing",
                    #""name":"\#(UUID().uuidString)","permissions":"User""#
                )
                let guest = ImportAccessory(try AiohomekitController.pairing(try #require(added.data)), into: home)
                #expect(try await probe.refusal(HubMethods.importAccessory, guest) == "accessoryDenied")
                var rehearsal = guest
                rehearsal.isDryRun = true
                #expect(try await probe.refusal(HubMethods.importAccessory, rehearsal) == "accessoryDenied")
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 2)

                // After all these failures it can be imported, but into one home only.
                #expect(probe.view.homes[home]?.accessories.isEmpty == true)
                #expect(try await probe.call(HubMethods.importAccessory, good).outcome == .added)
                var elsewhere = good
                elsewhere.home = try await Self.newHome(probe, "Cabin")
                #expect(try await probe.refusal(HubMethods.importAccessory, elsewhere) == "alreadyAdded")
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 3)
            }
        }
    }

    @Test func aPairingThatWasRemovedAtTheAccessoryIsNamed() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let request = try await fixture.request(into: home)
                try await fixture.peer.ask("remove")
                try await fixture.until("unpaired", controllers: 0)
                #expect(try await probe.refusal(HubMethods.importAccessory, request) == "pairingForgotten")
                // The bridge is unpaired, and can be added with its setup code.
                let added = AddAccessory(home: home, deviceID: fixture.deviceID, code: HAPPythonBridge.code)
                #expect(try await probe.call(HubMethods.addAccessory, added).ids.count == 4)
            }
        }
    }

    @Test func anAccessoryWhosePairingTheHubLacksIsRenewed() async throws {
        try await Self.with { fixture in
            let (home, ids) = try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                return (home, try await probe.call(HubMethods.importAccessory, fixture.request(into: home)).ids)
            }
            let store = try await HomeStore.open(at: fixture.folder.appending(path: "hub"))
            for key in try await store.secrets(.pairing, of: .home(home)) { try await store.removeSecret(key) }
            try await store.close()
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let renewed = try await probe.call(HubMethods.importAccessory, fixture.request(into: home))
                #expect(renewed == ImportedAccessory(outcome: .renewed, ids: ids))
                try await probe.until { state in ids.allSatisfy { state.reachability[$0]?.isReachable == true } }
            }
        }
    }

    @Test func anAccessoryThatTwoImportAtOnceIsImportedOnce() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let (one, other) = (try await RecordingHubClient(to: hub), try await RecordingHubClient(to: hub))
                let home = try await Self.newHome(one)
                let request = try await fixture.request(into: home)
                async let first = one.refusal(HubMethods.importAccessory, request)
                async let second = other.refusal(HubMethods.importAccessory, request)
                // The second call arrives while the first is in progress, or after it is done.
                let refusals = try await [first, second].compactMap(\.self)
                #expect(refusals.isEmpty || refusals == ["notAllowedNow"])
                #expect(one.view.homes[home]?.accessories.count == 4)
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 2)
            }
        }
    }

    @Test func anAccessoryThatIsLostWhenItIsToldOfTheHomeIsToldOnceMore() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                try fixture.bridge.send(#"{"lose": true}"#)
                let request = try await fixture.request(into: home)
                #expect(try await probe.call(HubMethods.importAccessory, request).outcome == .added)
                try await fixture.until("paired", controllers: 2)
                try await fixture.until("paired", controllers: 2)
                #expect(!fixture.bridge.transcript.contains("unpaired"))
            }
        }
    }

    @Test func aPairingThatTheHubNeverHeardOfIsWithdrawnAfterItsRestart() async throws {
        try await Self.with { fixture in
            let home = try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let request = try await fixture.request(into: home)
                try fixture.bridge.send(#"{"lose": true, "end": true}"#)
                #expect(try await probe.refusal(HubMethods.importAccessory, request) == "connectionLost")
                #expect(probe.view.homes[home]?.accessories.isEmpty == true)
                return home
            }
            _ = await fixture.bridge.exit()
            let (returned, ready) = try await HAPPythonBridge.startReported(fixture.name, in: fixture.folder)
            try await withHub(at: fixture.folder) { hub in
                _ = try await returned.json(HAPPythonBridge.Report.self, "the withdrawal") {
                    $0.event == "unpaired" && $0.controllers == 1
                }
                try await fixture.peer.ask("reconnect", #""port":\#(try #require(ready.port))"#)
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 1)
                let probe = try await RecordingHubClient(to: hub)
                let request = try await fixture.request(into: home)
                #expect(try await probe.call(HubMethods.importAccessory, request).outcome == .added)
            }
            _ = await returned.terminate()
        }
    }

    @Test func anAccessoryOfTheHomeThatLostItsPairingGetsItAgain() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let request = try await fixture.request(into: home)
                let ids = try await probe.call(HubMethods.importAccessory, request).ids
                let ours = try #require(
                    try await fixture.peer.ask("pairings").pairings?.map(\.pairingId).first {
                        $0 != request.controllerID
                    }
                )
                try await fixture.peer.ask("remove-pairing", #""name":"\#(ours)""#)
                // HAP-python doesn't close connections on its own.
                try fixture.bridge.send(#"{"drop": true}"#)
                try await probe.until { $0.reachability[ids[0]]?.code == .pairingForgotten }
                var rehearsal = request
                rehearsal.isDryRun = true
                #expect(try await probe.call(HubMethods.importAccessory, rehearsal).outcome == .possible)
                let again = try await probe.call(HubMethods.importAccessory, request)
                #expect(again == ImportedAccessory(outcome: .renewed, ids: ids))
                try await probe.until { $0.reachability[ids[3]]?.isReachable == true }
            }
        }
    }

    @Test func anAccessoryOfTheHomeThatIsSwitchedOffIsThereAlready() async throws {
        try await Self.with { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let request = try await fixture.request(into: home)
                let ids = try await probe.call(HubMethods.importAccessory, request).ids
                _ = await fixture.bridge.terminate()
                try await probe.until { $0.reachability[ids[0]]?.isReachable == false }
                let again = try await probe.call(HubMethods.importAccessory, request)
                #expect(again == ImportedAccessory(outcome: .present, ids: ids))
            }
        }
    }

    @Test func anAccessoryThatIsImportedAgainWhileItLeavesKeepsItsNewPairing() async throws {
        try await Self.with(isAdvertised: false) { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                let request = try await fixture.request(into: home)
                let ids = try await probe.call(HubMethods.importAccessory, request).ids
                _ = await fixture.bridge.terminate()
                try await probe.until { $0.reachability[ids[0]]?.isReachable == false }
                _ = try await probe.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(ids[0])))
                let (returned, _) = try await HAPPythonBridge.startReported(
                    fixture.name,
                    in: fixture.folder,
                    port: fixture.port,
                    isAdvertised: false
                )
                let again = try await probe.call(HubMethods.importAccessory, request)
                #expect(again.outcome == .added)
                let on = try probe.reference("Lamp", HAPType.Characteristic.on, in: home)
                let reading = ReadCharacteristics(home: home, characteristics: [on])
                #expect(try await probe.call(HubMethods.read, reading).outcomes.map(\.value) == [.bool(false)])
                try await fixture.peer.ask("reconnect", #""port":\#(fixture.port)"#)
                #expect(try await fixture.peer.ask("pairings").pairings?.count == 2)
                _ = await returned.terminate()
            }
        }
    }

    @Test func anAccessoryThatAnotherHomeStillHasToLetGoOfIsLetGoOfByTheOtherController() async throws {
        try await Self.with(isAdvertised: false) { fixture in
            try await withHub(at: fixture.folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let (previous, home) = (try await Self.newHome(probe), try await Self.newHome(probe, "Other"))
                var request = try await fixture.request(into: previous)
                let ids = try await probe.call(HubMethods.importAccessory, request).ids
                _ = await fixture.bridge.terminate()
                try await probe.until { $0.reachability[ids[0]]?.isReachable == false }
                _ = try await probe.call(HubMethods.removeAccessory, InHome(previous, RemoveAccessory(ids[0])))
                let (returned, _) = try await HAPPythonBridge.startReported(
                    fixture.name,
                    in: fixture.folder,
                    port: fixture.port,
                    isAdvertised: false
                )
                request.home = home
                #expect(try await probe.call(HubMethods.importAccessory, request).outcome == .added)
                let ours = try await hub.controllerIdentity(of: home).pairingID.description
                try await fixture.peer.ask("reconnect", #""port":\#(fixture.port)"#)
                let known = try await fixture.peer.ask("pairings").pairings?.map(\.pairingId.localizedLowercase)
                #expect(Set(known ?? []) == [ours.localizedLowercase, request.controllerID.localizedLowercase])
                _ = await returned.terminate()
            }
        }
    }

    @Test func simulatedAccessoriesAreImportedUntilThereIsNoRoomForAnotherController() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let texts = [
                    SimulatedAccessories.lamp(SimulatedAccessories.newName("Lamp")),
                    SimulatedAccessories.bridge(SimulatedAccessories.newName("Bridge")),
                ]
                let probe = try await RecordingHubClient(to: hub)
                let home = try await Self.newHome(probe)
                try await SimulatedAccessories.with(texts, in: folder) { accessories in
                    for (ready, count) in zip(accessories.ready, [1, 3]) {
                        try await AiohomekitController.run { peer in
                            let (id, code) = (ready.deviceID.description, ready.setupCode.dashed)
                            try await peer.pair(port: ready.port, id: id, code: code)
                            let request = ImportAccessory(try await peer.pairing(in: folder), into: home)
                            for number in 1..<PairingLimits.pairings {
                                try await peer.ask("add-pairing", #""name":"\#(number)","permissions":"Admin""#)
                            }
                            let full = try await probe.refusal(HubMethods.importAccessory, request)
                            #expect(full == "tooManyControllers")
                            try await peer.ask("remove-pairing", #""name":"1""#)
                            let imported = try await probe.call(HubMethods.importAccessory, request)
                            #expect(imported.outcome == .added)
                            #expect(imported.ids.count == count)
                            #expect(try await peer.ask("pairings").pairings?.count == PairingLimits.pairings)
                            #expect(try await peer.ask("list").accessories?.count == count)
                        }
                    }
                    let lamp = try #require(accessories.ready.first).name
                    let on = try probe.reference(lamp, HAPType.Characteristic.on, in: home)
                    let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                    _ = try await probe.call(HubMethods.notify, all)
                    let simulator = accessories.simulator
                    try await simulator.set(.bool(true), of: simulator.find(lamp, "On"))
                    try await probe.until { $0.values[.init(home: home, characteristic: on)] == .bool(true) }
                }
            }
        }
    }
}

extension AiohomekitController {
    /// Returns the pairing in the file that the peer writes.
    fileprivate func pairing(in folder: URL) async throws -> ExternalPairing {
        let file = folder.appending(path: "pairing-\(UUID().uuidString).json")
        try await ask("save", #""file":"\#(file.path)","alias":"The Accessory""#)
        let entries = try ControllerFile(reading: Array(Data(contentsOf: file))).entries
        #expect(entries.map(\.name) == ["The Accessory"])
        return try #require(entries.first).pairing.get()
    }

    /// Parses a pairing of another controller.
    fileprivate static func pairing(_ text: String) throws -> ExternalPairing {
        try #require(try ControllerFile(reading: Array(text.utf8)).entries.first).pairing.get()
    }
}

extension ImportAccessory {
    /// Creates a request to import a pairing.
    fileprivate init(_ pairing: ExternalPairing, into home: UUID) {
        self.init(
            home: home,
            deviceID: pairing.deviceID.description,
            accessoryKey: Data(pairing.accessoryPublicKey.bytes),
            controllerID: pairing.controllerIdentity.pairingID.description,
            controllerSecret: Data(pairing.controllerIdentity.keyPair.seed),
            hosts: pairing.hosts,
            port: pairing.port
        )
    }
}

extension RecordingHubClient {
    /// Returns a characteristic of an accessory in the home.
    fileprivate func reference(_ name: String, _ type: HAPType, in home: UUID) throws -> CharacteristicReference {
        let state = try #require(view.homes[home])
        let record = try #require(state.accessories.first { $0.name == name })
        let shapes = state.services(of: record).flatMap(\.characteristics)
        let shape = try #require(shapes.first { $0.type == type })
        return CharacteristicReference(accessory: record.id, iid: shape.iid)
    }
}
