import AccessorySimulator
import Foundation
import HAP
import HAPClient
import HomeIdentity
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

extension AccessoryConnections {
    /// Waits until nothing is being settled at a server.
    fileprivate func settled(_ server: DeviceID) async {
        await catchUp(with: server)
        while let task = settling[server] { await task.value }
    }
}

/// The pairings of a second hub at accessories that run.
struct HubControllerTests {
    /// A second hub of a home.
    private struct SecondHub {
        let id = UUID()
        let key = IdentityKey()

        func controller(of home: UUID) -> HubController {
            let identity = key.controller(of: home)
            return HubController(
                hub: id,
                home: home,
                pairingID: identity.pairingID,
                publicKey: identity.keyPair.publicKey
            )
        }

        /// Returns the identifiers that an accessory lists to the hub, over a connection of the hub's own.
        func list(_ pairing: AccessoryPairing, of home: UUID, port: Int) async throws -> Set<PairingID> {
            let own = AccessoryPairing(
                deviceID: pairing.deviceID,
                accessoryPublicKey: pairing.accessoryPublicKey,
                controllerIdentity: key.controller(of: home)
            )
            let address = AccessoryAddress(host: "127.0.0.1", port: port)
            return Set(try await AccessoryPairer().listPairings(as: own, at: [address]).map(\.controllerID))
        }
    }

    private static func report(_ bridge: PeerProcess, _ event: String, controllers: Int) async throws {
        _ = try await bridge.json(HAPPythonBridge.Report.self, "\(controllers) \(event)", within: .seconds(90)) {
            $0.event == event && $0.controllers == controllers
        }
    }

    /// Adds an accessory to a new home, waits until it is reachable, and returns the home and the pairing.
    private static func add(_ request: AddAccessory, to hub: HomeHub) async throws -> (
        probe: RecordingHubClient, home: UUID, ids: [UUID], pairing: AccessoryPairing
    ) {
        let probe = try await RecordingHubClient(to: hub)
        var request = request
        request.home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
        let ids = try await probe.call(HubMethods.addAccessory, request).ids
        try await probe.until { view in ids.allSatisfy { view.reachability[$0]?.isReachable == true } }
        return (probe, request.home, ids, try #require(try await hub.vault.pairings(of: request.home).first))
    }

    @Test func aForeignBridgeGetsThePairingNowAndLosesItWhenItIsBack() async throws {
        try await withDataFolder { folder in
            let name = HAPPythonBridge.newName()
            let second = SecondHub()
            let (bridge, ready) = try await HAPPythonBridge.startReported(name, in: folder)
            let port = try #require(ready.port)
            let (home, server) = try await withHub(at: folder) { hub in
                let request = AddAccessory(home: UUID(), host: "127.0.0.1", port: port, code: HAPPythonBridge.code)
                let (probe, home, ids, pairing) = try await Self.add(request, to: hub)
                try await hub.connections.add([second.controller(of: home)])
                try await Self.report(bridge, "paired", controllers: 2)
                await hub.connections.settled(pairing.deviceID)
                #expect(await hub.connections.owedDuties(in: home).owed.isEmpty)

                // The second hub has a connection of its own.
                let listed = try await second.list(pairing, of: home, port: port)
                #expect(listed == [pairing.controllerIdentity.pairingID, second.controller(of: home).pairingID])

                _ = await bridge.terminate()
                try await probe.until { view in ids.allSatisfy { view.reachability[$0]?.isReachable == false } }
                try await hub.connections.removeControllers(of: second.id)
                #expect(await hub.connections.owedDuties(in: home).owed == [pairing.deviceID])
                return (home, pairing.deviceID)
            }
            try await withHub(at: folder) { hub in
                #expect(await hub.connections.owedDuties(in: home).owed == [server])
                let (returned, _) = try await HAPPythonBridge.startReported(name, in: folder)
                try await Self.report(returned, "unpaired", controllers: 1)
                await hub.connections.settled(server)
                #expect(await hub.connections.duties.isEmpty)
                _ = await returned.terminate()
            }
        }
    }

    /// Runs a simulated lamp that is in a home.
    private static func withLamp(
        _ body: (HomeHub, RecordingHubClient, UUID, UUID, AccessoryPairing, RunningAccessory) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Lamp")
            try await SimulatedAccessories.with([SimulatedAccessories.lamp(name)], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let ready = try #require(accessories.ready.first)
                    let request = AddAccessory(
                        home: UUID(),
                        deviceID: ready.deviceID.description,
                        code: ready.setupCode.dashed
                    )
                    let (probe, home, ids, pairing) = try await Self.add(request, to: hub)
                    try await body(hub, probe, home, try #require(ids.first), pairing, ready)
                }
            }
        }
    }

    @Test func anAccessoryThatOnlyTheOtherHubControlsSeemsNeitherResetNorForgetful() async throws {
        try await Self.withLamp { hub, probe, home, lamp, pairing, ready in
            let second = SecondHub()
            try await hub.connections.add([second.controller(of: home)])
            await hub.connections.settled(pairing.deviceID)
            let others = AccessoryPairing(
                deviceID: pairing.deviceID,
                accessoryPublicKey: pairing.accessoryPublicKey,
                controllerIdentity: second.key.controller(of: home)
            )
            let address = AccessoryAddress(host: "127.0.0.1", port: ready.port)
            let own = pairing.controllerIdentity
            try await AccessoryPairer().removePairing(own.pairingID, by: others, at: [address])
            let refusals: [AccessoryTrouble?] = [.pairingRefused, .pairingForgotten]
            try await probe.until { view in refusals.contains(view.reachability[lamp]?.error?.trouble) }

            // The other hub tells that it is paired, before or after this one was refused.
            await hub.connections.setOtherHubsServers([pairing.deviceID])
            try await probe.until { view in view.reachability[lamp]?.error?.trouble == .onlyOtherHub }
            #expect(await hub.connections.foreignServers(in: home) == [pairing.deviceID])
            let error = await hub.connections.error(of: .pairingRefused, at: pairing.deviceID)
            #expect(error.trouble == .onlyOtherHub && error.code == .notReachable)

            _ = try await AccessoryPairer().addPairing(own, by: others, at: [address]) {}
            try await probe.until { view in view.reachability[lamp]?.isReachable == true }
            #expect(await hub.connections.foreignServers(in: home).isEmpty)
        }
    }

    @Test func anAccessoryWithoutRoomIsNamedInTheDiagnosisAndAskedAgain() async throws {
        try await Self.withLamp { hub, probe, home, lamp, pairing, ready in
            let second = SecondHub()
            let session = try #require(await hub.connections.session(to: pairing.deviceID))
            let others = (1..<PairingLimits.pairings).compactMap { number in
                PairingID("Other \(number)").map {
                    Pairing(controllerID: $0, publicKey: LongTermKeyPair.random().publicKey, permissions: .admin)
                }
            }
            for other in others { try await session.addPairing(other) }
            try await hub.connections.add([second.controller(of: home)])
            await hub.connections.settled(pairing.deviceID)
            #expect(await hub.connections.owedDuties(in: home).full == [pairing.deviceID])
            let diagnosis = try await probe.call(HubMethods.diagnoseAccessory, ItemTarget(home: home, id: lamp))
            let allowed = diagnosis.steps.first { $0.name == .allowed }
            #expect(allowed?.outcome == .warning)
            #expect(allowed?.findings.map(\.trouble) == [.noRoomForHub])
            // Nobody else was removed to make room.
            #expect(try await session.listPairings().count == PairingLimits.pairings)

            try await session.removePairing(of: others[0].controllerID)
            await hub.connections.settleDuties(with: pairing.deviceID)
            await hub.connections.settled(pairing.deviceID)
            let (owed, full) = await hub.connections.owedDuties(in: home)
            #expect(owed.isEmpty && full.isEmpty)
            let listed = try await second.list(pairing, of: home, port: ready.port)
            #expect(listed.contains(second.controller(of: home).pairingID))
        }
    }

    @Test func anAccessoryThatLeavesTheHomeIsPairedWithNeitherHub() async throws {
        try await Self.withLamp { hub, probe, home, lamp, pairing, ready in
            let second = SecondHub()
            // Somebody else's key under the hub's name gives way to the hub's own.
            let session = try #require(await hub.connections.session(to: pairing.deviceID))
            let wrong = Pairing(
                controllerID: second.controller(of: home).pairingID,
                publicKey: LongTermKeyPair.random().publicKey,
                permissions: .admin
            )
            try await session.addPairing(wrong)
            try await hub.connections.add([second.controller(of: home)])
            await hub.connections.settled(pairing.deviceID)
            #expect(try await second.list(pairing, of: home, port: ready.port).count == 2)

            _ = try await probe.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(lamp)))
            await #expect(throws: PairerError.self) {
                try await second.list(pairing, of: home, port: ready.port)
            }
            // It takes its setup code again, which an accessory does that has no pairing.
            let request = AddAccessory(
                home: home,
                deviceID: ready.deviceID.description,
                code: ready.setupCode.dashed
            )
            let again = try await probe.call(HubMethods.addAccessory, request).ids
            try await probe.until { $0.reachability[again[0]]?.isReachable == true }
            await hub.connections.settled(pairing.deviceID)
            let now = try #require(try await hub.vault.pairings(of: home).first)
            #expect(try await second.list(now, of: home, port: ready.port).count == 2)
        }
    }
}
