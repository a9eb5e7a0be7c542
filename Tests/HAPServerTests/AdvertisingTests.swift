import AccessoryCheck
import Foundation
import HAP
import HAPCatalog
import PeerProcess
import Testing

@testable import HAPServer

/// Tests the advertisements on 127.0.0.1 with python-zeroconf in a separate process.
@Suite struct AdvertisingTests {
    /// A line of the peer's output.
    private struct Line: Decodable, Sendable {
        let event: String
        let name: String?
        let port: Int?
        let txt: [String: String?]?
    }

    /// The peer's events for one name.
    private struct BrowseResult {
        let peer: PeerProcess
        let name: String

        /// Returns the next event of a kind, with the given status flags, if any.
        func next(_ event: String, statusFlags: String? = nil) async throws -> Line {
            try await peer.json(Line.self, "\(event) of \(name)") { [name] line in
                line.event == event && line.name == name && (statusFlags == nil || line.txt?["sf"] == statusFlags)
            }
        }
    }

    /// Runs a server that the peer observes, and waits for its goodbye.
    private func run(
        _ storage: any AccessoryStorage,
        _ body: (TestServer, BrowseResult) async throws -> Void
    ) async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        let peer = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
        _ = try await peer.json(Line.self, "the browser") { $0.event == "ready" }
        var lamp = TestAccessories.lamp()
        // Other tests may advertise lamps at the same time.
        lamp.information.name = "Lamp \(UInt64.random(in: 0 ... .max))"
        let browse = BrowseResult(peer: peer, name: lamp.information.name)
        try await TestServer.run([lamp], storage: storage, advertiser: advertiser) { server in
            try await body(server, browse)
        }
        _ = try await browse.next("remove")
        await advertiser.shutdown()
        await peer.terminate()
    }

    // These are two tests, because a listener keeps a record that it received less than a second ago (RFC 6762 section
    // 10.2). It doesn't notice a change that is reverted immediately.

    @Test func theFirstPairingIsAnnounced() async throws {
        try await run(MemoryStorage()) { server, browse in
            let found = try await browse.next("add")
            #expect(found.port == server.port)
            let keys = Set((found.txt ?? [:]).keys)
            #expect(keys == ["c#", "ff", "id", "md", "pv", "s#", "sf", "ci", "sh"])
            #expect(found.txt?["id"] == server.server.deviceID.description)
            #expect(found.txt?["sf"] == "1")
            let connection = try await server.connect()
            _ = try await connection.pair(TestServer.controller("C1"), code: try SetupCode(TestServer.code))
            _ = try await browse.next("update", statusFlags: "0")
        }
    }

    @Test func theRemovalOfTheLastPairingIsAnnounced() async throws {
        try await run(TestServer.paired()) { server, browse in
            #expect(try await browse.next("add").txt?["sf"] == "0")
            let connection = try await server.connect(as: TestServer.admin)
            _ = try await connection.manage(.remove(TestServer.admin.pairingID))
            _ = try await browse.next("update", statusFlags: "1")
        }
    }

    @Test func anotherNameIsAdvertisedAfterAGoodbyeAndConnectionsStay() async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        let peer = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
        _ = try await peer.json(Line.self, "the browser") { $0.event == "ready" }
        var lamp = TestAccessories.lamp()
        let previous = BrowseResult(peer: peer, name: "Lamp \(UInt64.random(in: 0 ... .max))")
        let renamed = BrowseResult(peer: peer, name: "Floor \(previous.name)")
        lamp.information.name = previous.name
        try await TestServer.run([lamp], storage: TestServer.paired(), advertiser: advertiser) { server in
            let before = try await previous.next("add")
            let connection = try await server.connect(as: TestServer.admin)
            let structure = try await connection.get("/accessories").body
            lamp.information.name = renamed.name
            let name = CharacteristicAddress(
                accessory: lamp.key,
                service: "AccessoryInformation",
                type: HAPType.Characteristic.name
            )
            try await server.server.serve([lamp], resetting: [name])
            #expect(await server.server.name == renamed.name)
            let after = try await renamed.next("add")
            _ = try await previous.next("remove")
            // The peer never saw it twice.
            let lines = peer.transcript
            let goodbye = try #require(lines.range(of: "\"remove\", \"name\": \"\(previous.name)\""))
            let greeting = try #require(lines.range(of: "\"add\", \"name\": \"\(renamed.name)\""))
            #expect(goodbye.upperBound < greeting.lowerBound)
            #expect(after.port == before.port)
            #expect(after.txt?["id"] == before.txt?["id"] && after.txt?["c#"] == "2" && before.txt?["c#"] == "1")
            let changed = String(decoding: try await connection.get("/accessories").body, as: UTF8.self)
            #expect(changed.contains(renamed.name))
            #expect(changed.replacing(renamed.name, with: previous.name) == String(decoding: structure, as: UTF8.self))
        }
        _ = try await renamed.next("remove")
        await advertiser.shutdown()
        await peer.terminate()
    }

    @Test func aNameThatChangesAgainAtOnceIsFollowedAndOneThatNobodyHearsIsNot() async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        let peer = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
        _ = try await peer.json(Line.self, "the browser") { $0.event == "ready" }
        let unique = UInt64.random(in: 0 ... .max)
        var lamp = TestAccessories.lamp()
        lamp.information.name = "Lamp \(unique)"
        try await TestServer.run([lamp], advertiser: advertiser) { server in
            for name in ["Second", "Third", "Last"] {
                lamp.information.name = "\(name) \(unique)"
                try await server.server.serve([lamp])
            }
            _ = try await BrowseResult(peer: peer, name: "Last \(unique)").next("add")
            try await server.server.setAdvertised(false)
            _ = try await BrowseResult(peer: peer, name: "Last \(unique)").next("remove")
            lamp.information.name = "Silent \(unique)"
            try await server.server.serve([lamp])
            lamp.information.name = "Loud \(unique)"
            try await server.server.serve([lamp])
            try await server.server.setAdvertised(true)
            let found = try await BrowseResult(peer: peer, name: "Loud \(unique)").next("add")
            #expect(found.port == server.port)
        }
        _ = try await BrowseResult(peer: peer, name: "Loud \(unique)").next("remove")
        #expect(!peer.transcript.contains("Silent \(unique)"))
        #expect(!peer.transcript.contains("\(unique) (2)"))
        await advertiser.shutdown()
        await peer.terminate()
    }

    @Test func anAccessoryWithTheLongestNameIsAdvertised() async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        var lamp = TestAccessories.lamp()
        let unique = "\(UInt64.random(in: 0 ... .max)) "
        lamp.information.name = unique + String(repeating: "a", count: 64 - unique.utf8.count)
        try await TestServer.run([lamp], advertiser: advertiser) { server in
            #expect(await server.server.name == String(lamp.information.name.dropLast()))
        }
        await advertiser.shutdown()
    }

    @Test func anInterfaceThatDoesNotExistIsNamed() async {
        let error = await #expect(throws: AccessoryServerError.self) {
            _ = try await Advertiser(interfaces: ["nowhere0"])
        }
        #expect(error?.code == .advertisingFailed)
        #expect(error?.reason.contains("nowhere0") == true)
    }
}
