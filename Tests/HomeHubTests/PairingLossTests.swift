import Foundation
import HAP
import HAPCatalog
import HomeHub
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Testing

/// Situations in which a home could lose a pairing, or an accessory could keep one that no hub has.
struct PairingLossTests {
    /// A client with a home that contains a HAP-python bridge.
    private struct Fixture: Sendable {
        let probe: RecordingHubClient
        let home: UUID
        let port: Int
        let deviceID: String
        /// The IDs of the bridge and its bridged accessories.
        let ids: [UUID]

        /// A request to add the bridge by its address.
        var byAddress: AddAccessory {
            AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
        }

        /// Returns a write of the lamp's power.
        func write(_ value: Bool) throws -> WriteCharacteristics {
            let view = try #require(probe.view.homes[home])
            let lamp = try #require(view.accessories.first { $0.reportedName == "Lamp" })
            let shapes = view.services(of: lamp).flatMap(\.characteristics)
            let on = try #require(shapes.first { $0.type == HAPType.Characteristic.on })
            let reference = CharacteristicReference(accessory: lamp.id, iid: on.iid)
            return WriteCharacteristics(
                home: home,
                writes: [WriteCharacteristics.Write(characteristic: reference, value: .bool(value))]
            )
        }

        /// Waits until all the accessories are reachable.
        func untilReached() async throws {
            try await probe.until { [ids] state in
                ids.allSatisfy { state.reachability[$0]?.isReachable == true }
            }
        }

        /// Waits until none of the accessories is reachable.
        func untilLost() async throws {
            try await probe.until { [ids] state in
                ids.allSatisfy { state.reachability[$0]?.isReachable == false }
            }
        }
    }

    /// Adds a bridge to a new home.
    private static func add(_ ready: HAPPythonBridge.Report, to hub: HomeHub) async throws -> Fixture {
        let (port, deviceID) = (try #require(ready.port), try #require(ready.deviceID))
        let probe = try await RecordingHubClient(to: hub)
        let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
        let request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
        let ids = try await probe.call(HubMethods.addAccessory, request).ids
        let fixture = Fixture(probe: probe, home: home, port: port, deviceID: deviceID, ids: ids)
        try await fixture.untilReached()
        return fixture
    }

    /// Returns the keys of the hub's secrets for a home's pairings.
    private static func pairings(of home: UUID, in folder: URL) async throws -> [SecretKey] {
        let store = try await HomeStore.open(at: folder.appending(path: "hub"))
        var found: [SecretKey] = []
        for kind in [SecretKey.Kind.pairing, .pendingPairing, .scheduledRemoval] {
            found += try await store.secrets(kind, of: .home(home)) + store.secrets(kind, of: nil)
        }
        try await store.close()
        return found
    }

    private static func controllers(_ bridge: PeerProcess, _ event: String) async throws -> Int? {
        try await bridge.json(HAPPythonBridge.Report.self, "that it is \(event)", within: .seconds(90)) {
            $0.event == event
        }.controllers
    }

    // MARK: Removal

    @Test func removingAVanishedBridgedAccessoryKeepsTheBridgePaired() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let (home, bridge) = try await withHub(at: folder) { hub in
                let fixture = try await Self.add(ready, to: hub)
                try first.send(#"{"add": "Attic"}"#)
                let attic = try await fixture.probe.until { state in
                    state.homes[fixture.home]?.accessories.contains { $0.reportedName == "Attic" } == true
                }.homes[fixture.home]?.accessories.first { $0.reportedName == "Attic" }?.id
                let id = try #require(attic)
                _ = await first.terminate()
                try await fixture.untilLost()

                let bridge = try await HAPPythonBridge.start(name, in: folder)
                try await fixture.untilReached()
                try await fixture.probe.until { $0.homes[fixture.home]?.accessories[id: id]?.isAbsent == true }
                _ = try await fixture.probe.call(HubMethods.removeAccessory, InHome(fixture.home, RemoveAccessory(id)))
                #expect(fixture.probe.view.homes[fixture.home]?.accessories.count == 4)
                let outcomes = try await fixture.probe.call(HubMethods.write, fixture.write(true)).outcomes
                #expect(outcomes.map(\.error) == [nil])
                _ = try await bridge.json(HAPPythonBridge.Report.self, "a write") { $0.event == "set" }
                return (fixture.home, bridge)
            }
            // After a restart the bridge is still in the home.
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                try await probe.until { state in
                    state.homes[home]?.accessories.count { state.reachability[$0.id]?.isReachable == true } == 4
                }
            }
            #expect(!bridge.transcript.contains("unpaired"))
            _ = await bridge.terminate()
        }
    }

    // MARK: Reset accessories

    @Test func anAccessoryOfTheHomeThatWasResetAndIsNamedByItsAddressKeepsItsIdentity() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
                let fixture = try await Self.add(ready, to: hub)
                let room = try await fixture.probe.call(
                    HubMethods.addRoom,
                    InHome(fixture.home, AddRoom(name: "Attic"))
                ).id
                let lamp = try fixture.write(true).writes[0].characteristic.accessory
                _ = try await fixture.probe.call(
                    HubMethods.moveAccessory,
                    InHome(fixture.home, MoveAccessory(lamp, room: room))
                )
                _ = try await fixture.probe.call(
                    HubMethods.renameAccessory,
                    InHome(fixture.home, RenameAccessory(lamp, name: "Moon"))
                )
                _ = await first.terminate()
                try HAPPythonBridge.forgetPairings(in: folder)
                let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: fixture.port)
                try await fixture.untilLost()

                #expect(try await fixture.probe.call(HubMethods.addAccessory, fixture.byAddress).ids == fixture.ids)
                try await fixture.untilReached()
                let record = try #require(fixture.probe.view.homes[fixture.home]?.accessories[id: lamp])
                #expect(record.name == "Moon")
                #expect(record.room == room)
                #expect(try await fixture.probe.call(HubMethods.write, fixture.write(true)).outcomes[0].error == nil)
                #expect(!second.transcript.contains("unpaired"))
                _ = await second.terminate()
            }
        }
    }

    @Test func aBlockedAccessoryThatWasResetAndIsNamedByItsAddressIsPairedAndStaysBlocked() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
                let fixture = try await Self.add(ready, to: hub)
                let target = InHome(fixture.home, BlockAccessory(fixture.ids[0]))
                _ = try await fixture.probe.call(HubMethods.blockAccessory, target)
                try await fixture.untilLost()
                _ = await first.terminate()
                try HAPPythonBridge.forgetPairings(in: folder)
                let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: fixture.port)

                #expect(try await fixture.probe.call(HubMethods.addAccessory, fixture.byAddress).ids == fixture.ids)
                #expect(fixture.ids.allSatisfy { fixture.probe.view.reachability[$0]?.code == .accessoryBlocked })
                let unblocking = InHome(fixture.home, UnblockAccessory(fixture.ids[0]))
                _ = try await fixture.probe.call(HubMethods.unblockAccessory, unblocking)
                try await fixture.untilReached()
                #expect(!second.transcript.contains("unpaired"))
                _ = await second.terminate()
            }
        }
    }

    @Test(arguments: [false, true])
    func accessoriesWithoutAPairingArePairedAgainAndKeepTheirIdentity(byAddress: Bool) async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let (home, ids) = try await withHub(at: folder) { hub in
                let fixture = try await Self.add(ready, to: hub)
                return (fixture.home, fixture.ids)
            }
            let store = try await HomeStore.open(at: folder.appending(path: "hub"))
            for key in try await store.secrets(.pairing, of: .home(home)) { try await store.removeSecret(key) }
            try await store.close()
            _ = await first.terminate()
            try HAPPythonBridge.forgetPairings(in: folder)
            let port = try #require(ready.port)
            let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: port)

            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                var request = AddAccessory(home: home, deviceID: ready.deviceID, code: HAPPythonBridge.code)
                if byAddress {
                    request = AddAccessory(home: home, host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                }
                #expect(try await probe.call(HubMethods.addAccessory, request).ids == ids)
                try await probe.until { state in ids.allSatisfy { state.reachability[$0]?.isReachable == true } }
            }
            #expect(!second.transcript.contains("unpaired"))
            _ = await second.terminate()
        }
    }

    // MARK: Concurrent additions

    @Test func anAdditionThatIsRepeatedWhileItIsUnderWayIsRefusedAndHarmsNothing() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let (bridge, ready) = try await HAPPythonBridge.startReported(
                    HAPPythonBridge.newName(),
                    in: folder,
                    isAdvertised: false
                )
                let port = try #require(ready.port)
                let relay = try AnswerRelay(to: port, holdingAnswerTo: "/pair-setup", number: 3)
                defer { relay.stop() }
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: relay.port, code: HAPPythonBridge.code)
                async let first = probe.refusal(HubMethods.addAccessory, request)
                #expect(try await Self.controllers(bridge, "paired") == 1)
                #expect(try await probe.refusal(HubMethods.addAccessory, request) == "accessoryBusy")
                relay.release()
                #expect(try await first == nil)
                #expect(probe.view.homes[home]?.accessories.count == 4)
                #expect(!bridge.transcript.contains("unpaired"))
                _ = await bridge.terminate()
            }
        }
    }

    // MARK: Homes that are removed during an addition

    /// The progress of a pairing when its home is removed.
    enum Moment: CaseIterable {
        /// The accessory doesn't have the home's key yet.
        case beforeKeys
        /// The accessory has stored the pairing, but the hub doesn't know it.
        case afterKeys
        /// The home has the pairing, but the accessory isn't in the home yet.
        case afterStoring

        /// The request whose response the hub waits for.
        var request: (path: String, number: Int) {
            switch self {
            case .beforeKeys: ("/pair-setup", 2)
            case .afterKeys: ("/pair-setup", 3)
            case .afterStoring: ("/pair-verify", 1)
            }
        }
    }

    @Test(arguments: Moment.allCases, [false, true])
    func aHomeThatIsRemovedWhileAnAccessoryIsPairedLeavesNoPairingBehind(
        moment: Moment,
        hubIsKilled: Bool
    ) async throws {
        try await withDataFolder { folder in
            let (bridge, ready) = try await HAPPythonBridge.startReported(
                HAPPythonBridge.newName(),
                in: folder,
                isAdvertised: false
            )
            let (path, number) = moment.request
            let relay = try AnswerRelay(to: try #require(ready.port), holdingAnswerTo: path, number: number)
            defer { relay.stop() }
            let killed = folder.appending(path: "killed")
            let home = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let request = AddAccessory(home: home, host: "127.0.0.1", port: relay.port, code: HAPPythonBridge.code)
                async let addition = probe.refusal(HubMethods.addAccessory, request)
                try await relay.isHolding.until { $0 }
                if moment != .beforeKeys { #expect(try await Self.controllers(bridge, "paired") == 1) }
                _ = try await probe.call(HubMethods.removeHome, HomeTarget(home: home))
                if hubIsKilled {
                    // This is what a hub leaves behind if it is killed now. The running hub can't reach the accessory
                    // anymore.
                    try Self.copyStore(from: folder, to: killed)
                    relay.cut()
                    _ = try await addition
                } else {
                    relay.release()
                    let refusal = try await addition
                    #expect(["notFound", "connectionLost"].contains(refusal))
                    if moment != .beforeKeys { #expect(try await Self.controllers(bridge, "unpaired") == 0) }
                }
                return home
            }
            if hubIsKilled {
                relay.restore()
                try await withHub(at: killed) { _ in
                    let left = moment == .beforeKeys ? 0 : try await Self.controllers(bridge, "unpaired")
                    #expect(left == 0)
                }
            }
            if moment == .beforeKeys {
                #expect(!bridge.transcript.contains("paired"))
                #expect(try await Self.pairings(of: home, in: hubIsKilled ? killed : folder).isEmpty)
            }
            _ = await bridge.terminate()
        }
    }

    @Test func aHomeThatIsRemovedWhileItsResetAccessoryIsPairedAgainLeavesNoPairingBehind() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = HAPPythonBridge.newName()
                let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
                let fixture = try await Self.add(ready, to: hub)
                _ = await first.terminate()
                try HAPPythonBridge.forgetPairings(in: folder)
                let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: fixture.port)
                try await fixture.untilLost()
                let relay = try AnswerRelay(to: fixture.port, holdingAnswerTo: "/pair-setup", number: 3)
                defer { relay.stop() }
                var request = fixture.byAddress
                request.port = relay.port
                async let addition = fixture.probe.refusal(HubMethods.addAccessory, request)
                #expect(try await Self.controllers(second, "paired") == 1)
                _ = try await fixture.probe.call(HubMethods.removeHome, HomeTarget(home: fixture.home))
                relay.release()
                #expect(try await addition == "notFound")
                #expect(try await Self.controllers(second, "unpaired") == 0)
                _ = await second.terminate()
            }
        }
    }

    @Test func anAccessoryOfARemovedHomeThatAnotherHomeTakesStaysWithThatHome() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let (first, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let port = try #require(ready.port)
            let (cabin, second) = try await withHub(at: folder) { hub in
                let fixture = try await Self.add(ready, to: hub)
                let cabin = try await fixture.probe.call(HubMethods.addHome, AddHome(name: "Cabin")).id
                _ = await first.terminate()
                try await fixture.untilLost()
                _ = try await fixture.probe.call(HubMethods.removeHome, HomeTarget(home: fixture.home))
                try HAPPythonBridge.forgetPairings(in: folder)
                let (second, _) = try await HAPPythonBridge.startReported(name, in: folder, port: port)
                var request = fixture.byAddress
                request.home = cabin
                #expect(try await fixture.probe.call(HubMethods.addAccessory, request).ids.count == 4)
                return (cabin, second)
            }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                try await probe.until { state in
                    state.homes[cabin]?.accessories.count { state.reachability[$0.id]?.isReachable == true } == 4
                }
            }
            #expect(try await Self.pairings(of: cabin, in: folder).map(\.kind) == [.pairing])
            #expect(!second.transcript.contains("unpaired"))
            _ = await second.terminate()
        }
    }

    /// Copies a store as it is on disk, while a hub has it open but doesn't write.
    private static func copyStore(from folder: URL, to copy: URL) throws {
        let (source, target) = (folder.appending(path: "hub"), copy.appending(path: "hub"))
        try FileManager.default.createDirectory(
            at: target,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for file in ["hearth.sqlite", "hearth.sqlite-wal"] {
            try FileManager.default.copyItem(at: source.appending(path: file), to: target.appending(path: file))
        }
    }
}
