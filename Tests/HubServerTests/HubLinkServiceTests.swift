import AccessorySimulator
import Foundation
import HAP
import HAPClient
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import LocalRPC
import PeerProcess
import Testing

@testable import HomeHub
@testable import HubServer

/// Two hubs of a list, which connect over the network and tell each other of themselves.
@Suite struct HubLinkServiceTests {
    /// Runs a body with a simulated lamp on the loopback interface.
    static func withLamp(in folder: URL, _ body: (RunningAccessory) async throws -> Void) async throws {
        let file = folder.appending(path: "lamp.json")
        let name = "Lamp \(UUID().uuidString.prefix(8))"
        let text = """
            {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Lightbulb",
             "services": [{"type": "Lightbulb", "characteristics": {"On": false}}]}
            """
        try Data(text.utf8).write(to: file)
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: [file.path],
                dataFolder: folder.path,
                bindAddress: "127.0.0.1",
                interfaces: ["127.0.0.1"]
            )
        )
        do {
            try await body(try #require(try await simulator.start().first))
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// Makes a data folder that has the homes of another, and keys and pairings of its own.
    private static func makeSecond(from first: URL, at second: URL) async throws {
        try FileManager.default.copyItem(at: first, to: second)
        let store = try await HomeStore.open(at: second)
        for kind in [SecretKey.Kind.hubKey, .hubBox, .controllerIdentity, .pairing] {
            var logs: [LogID?] = [nil]
            for log in try await store.logs() { logs.append(log) }
            for log in logs {
                for key in try await store.secrets(kind, of: log) { try await store.removeSecret(key) }
            }
        }
        try await store.setMetadata(UUID().uuidString, for: .hubDevice)
        try await store.setMetadata(nil, for: .networkPort)
        try await store.close()
    }

    /// Returns what a hub is in a list.
    private static func member(of hub: HomeHub) async throws -> HubMember {
        let box = try await HubIdentity.box(in: hub.store)
        return HubMember(id: hub.owner.device, key: hub.identity.publicKey, box: box.publicBox)
    }

    @Test func eachHubGetsPairingsOfItsOwnAndLosesThemWhenItLeaves() async throws {
        try await RunningHub.withFolder { folder in
            try await Self.withLamp(in: folder) { lamp in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let home = try await RunningHub.start(one).run { first in
                    let owner = try await first.owner()
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let request = AddAccessory(
                        home: home,
                        deviceID: lamp.deviceID.description,
                        code: lamp.setupCode.dashed
                    )
                    _ = try await owner.call(HubMethods.addAccessory, request)
                    owner.close()
                    return home
                }
                try await Self.makeSecond(from: one, at: two)
                try await RunningHub.start(one).run { first in
                    try await RunningHub.start(two).run { second in
                        try await Self.connect(first, second)
                        // The second hub has no pairing until the first one has told it of the lamp, and has let it in there.
                        try await second.reaches(lamp.deviceID)
                        let pairings = try await second.hub.vault.pairings(of: home)
                        let own = try #require(pairings.first?.controllerIdentity.pairingID)
                        #expect(own == second.hub.identity.controller(of: home).pairingID)
                        let session = try #require(await first.hub.connections.session(to: lamp.deviceID))
                        let listed = Set(try await session.listPairings().map(\.controllerID))
                        let drawn = try #require(try await first.hub.vault.existingIdentity(of: home)?.pairingID)
                        #expect(listed == [own, drawn])

                        // The first hub removes the second one from the list.
                        try await first.hub.hubTable.remove(second.hub.owner.device, by: first.hub.identity)
                        try await Wait.until("the lamp has lost the second hub's pairing") {
                            try await session.listPairings().map(\.controllerID) == [drawn]
                        }
                        #expect(!first.hub.hubTable.isPaired)
                        try await Wait.until("the second hub knows that it was removed") {
                            !second.hub.hubTable.isPaired
                        }
                        #expect(first.hub.door.standing(of: second.hub.identity.publicKey) != .hub)
                    }
                }
            }
        }
    }

    /// Puts two hubs into a list, and waits until they are connected.
    private static func connect(_ first: RunningHub, _ second: RunningHub) async throws {
        let joining = try await member(of: second.hub)
        try await first.hub.hubTable.add(joining, founder: member(of: first.hub), by: first.hub.identity)
        try await Wait.until("the first hub listens") { await first.network.port != nil }
        let list = try #require(first.hub.hubTable.list)
        // Joining has stored the list, and where the first hub is.
        await second.hub.hubTable.setOtherAddresses(first.hub.hubTable.ownAddresses)
        try await second.hub.hubTable.adopt(list, from: first.hub.identity.publicKey)
        try await Wait.until("both hubs are connected") { first.links.isConnected && second.links.isConnected }
    }

    @Test func aNewerListReachesTheOtherHubWhenTheyConnect() async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            try await RunningHub.start(one).run { first in
                try await RunningHub.start(two).run { second in
                    try await Self.connect(first, second)
                    let list = try #require(first.hub.hubTable.list?.list)
                    // The same hubs again, in a later list.
                    let later = try HubList(sequence: list.sequence + 1, members: list.members)
                    try await first.hub.hubTable.take(SignedHubList(later, by: first.hub.identity).bytes)
                    try await Wait.until("the second hub has the later list") {
                        second.hub.hubTable.list?.list == later
                    }
                    #expect(second.links.isConnected)
                }
            }
        }
    }

    @Test func aHubThatIsAloneListensForNoOtherHub() async throws {
        try await RunningHub.withFolder { folder in
            try await RunningHub.start(folder.appending(path: "one")).run { alone in
                #expect(await alone.network.port == nil)
                #expect(alone.links.link(to: IdentityKey().publicKey) == nil)
                #expect(!alone.links.isConnected)
            }
        }
    }
}
