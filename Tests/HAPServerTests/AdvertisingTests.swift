import HAP
import HAPCatalog
import PeerProcess
import Testing

@testable import HAPServer

/// python-zeroconf, as its own process, sees our announcements on 127.0.0.1.
@Suite struct AdvertisingTests {
    /// A line that the peer writes.
    private struct Line: Decodable, Sendable {
        let event: String
        let name: String?
        let port: Int?
        let txt: [String: String?]?
    }

    /// What the peer sees of one name.
    private struct Sight {
        let peer: PeerProcess
        let name: String

        /// The next event of a kind, with these status flags if any are given.
        func next(_ event: String, statusFlags: String? = nil) async throws -> Line {
            try await peer.json(Line.self, "\(event) of \(name)") { [name] line in
                line.event == event && line.name == name && (statusFlags == nil || line.txt?["sf"] == statusFlags)
            }
        }
    }

    /// Runs a server that the peer watches, and waits for its goodbye.
    private func run(
        _ storage: any AccessoryStorage,
        _ body: (TestServer, Sight) async throws -> Void
    ) async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        let peer = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
        _ = try await peer.json(Line.self, "the browser") { $0.event == "ready" }
        var lamp = TestAccessories.lamp()
        // Other tests may advertise lamps at the same time.
        lamp.information.name = "Lamp \(UInt64.random(in: 0 ... .max))"
        let sight = Sight(peer: peer, name: lamp.information.name)
        try await TestServer.run([lamp], storage: storage, advertiser: advertiser) { server in
            try await body(server, sight)
        }
        _ = try await sight.next("remove")
        await advertiser.shutdown()
        await peer.terminate()
    }

    // There and back are two tests: a listener keeps a record that it heard less than a second ago, whatever it hears
    // then (RFC 6762 section 10.2), so to it a change that is taken back at once is none.

    @Test func theFirstPairingIsAnnounced() async throws {
        try await run(MemoryStorage()) { server, sight in
            let found = try await sight.next("add")
            #expect(found.port == server.port)
            let keys = Set((found.txt ?? [:]).keys)
            #expect(keys == ["c#", "ff", "id", "md", "pv", "s#", "sf", "ci", "sh"])
            #expect(found.txt?["id"] == server.server.deviceID.description)
            #expect(found.txt?["sf"] == "1")
            let connection = try await server.connect()
            _ = try await connection.pair(TestServer.controller("C1"), code: try SetupCode(TestServer.code))
            _ = try await sight.next("update", statusFlags: "0")
        }
    }

    @Test func theRemovalOfTheLastPairingIsAnnounced() async throws {
        try await run(TestServer.paired()) { server, sight in
            #expect(try await sight.next("add").txt?["sf"] == "0")
            let connection = try await server.connect(as: TestServer.admin)
            _ = try await connection.manage(.remove(TestServer.admin.pairingID))
            _ = try await sight.next("update", statusFlags: "1")
        }
    }

    @Test func anAccessoryWithTheLongestNameIsAdvertised() async throws {
        let advertiser = try await Advertiser(interfaces: ["127.0.0.1"])
        var lamp = TestAccessories.lamp()
        let unique = "\(UInt64.random(in: 0 ... .max)) "
        lamp.information.name = unique + String(repeating: "a", count: 64 - unique.utf8.count)
        try await TestServer.run([lamp], advertiser: advertiser) { server in
            #expect(server.server.name == String(lamp.information.name.dropLast()))
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
