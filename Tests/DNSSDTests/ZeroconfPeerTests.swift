import DNSSD
import PeerProcess
import Testing

/// Hearth and python-zeroconf check each other's packets on the loopback interface.
struct ZeroconfPeerTests {
    struct Line: Decodable, Sendable {
        let event: String
        let name: String?
        let port: UInt16?
        let server: String?
        let addresses: [String]?
        let txt: [String: String?]?
    }

    // MARK: - python-zeroconf browses

    @Test func zeroconfSeesOurServiceItsUpdateAndItsGoodbye() async throws {
        let type = try Loopback.uniqueType()
        let peer = try PeerPython.start("zeroconf_browse.py", [type.description])
        try await Self.ending(peer) {
            _ = try await peer.json(Line.self, "ready") { $0.event == "ready" }
            try await Loopback.with(1) { hosts in
                let advertisement = try await hosts[0].advertise(
                    ServiceAdvertisement(
                        instanceName: "Küchen.Lampe",
                        type: type,
                        port: 4242,
                        txt: ["c#": "1", "md": "Lamp 1,1"]
                    )
                )
                let added = try await peer.json(Line.self, "our service") { $0.event == "add" }
                #expect(added.name == "Küchen.Lampe" && added.port == 4242 && added.addresses == ["127.0.0.1"])
                #expect(added.txt == ["c#": "1", "md": "Lamp 1,1"])

                try await advertisement.update(txt: ["c#": "2", "sf": "0"])
                let updated = try await peer.json(Line.self, "our update") { $0.event == "update" }
                #expect(updated.txt == ["c#": "2", "sf": "0"] && updated.port == 4242)

                await advertisement.withdraw()
                let removed = try await peer.json(Line.self, "our goodbye") { $0.event == "remove" }
                #expect(removed.name == "Küchen.Lampe")
            }
        }
    }

    @Test func zeroconfFindsAServiceThatWasThereBefore() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            _ = try await hosts[0].advertise(
                ServiceAdvertisement(instanceName: "Lamp", type: type, port: 1, txt: ["id": "AA:BB"])
            )
            let peer = try PeerPython.start("zeroconf_browse.py", [type.description])
            try await Self.ending(peer) {
                let added = try await peer.json(Line.self, "our service") { $0.event == "add" }
                #expect(added.name == "Lamp" && added.txt == ["id": "AA:BB"])
                await hosts[0].shutdown()
                _ = try await peer.json(Line.self, "our goodbye") { $0.event == "remove" }
            }
        }
    }

    // MARK: - python-zeroconf advertises

    @Test func weSeeZeroconfsServiceItsUpdateAndItsGoodbye() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            var events = hosts[0].browse(type).makeAsyncIterator()
            let peer = try PeerPython.start(
                "zeroconf_advertise.py",
                [type.description, "Stehlampe im Flur", "5151", "--txt", "c#=1", "--txt", "ID=AA:BB"]
            )
            try await Self.ending(peer) {
                let found = try #require(await events.next()?.foundService)
                #expect(found.instance == ServiceInstance(name: "Stehlampe im Flur", type: type))
                #expect(found.port == 5151 && found.txt["id"] == "AA:BB" && found.txt["c#"] == "1")
                #expect(found.addresses.map(\.description) == ["127.0.0.1"])

                try peer.send(#"{"command": "update", "txt": {"c#": "2", "ID": "AA:BB"}}"#)
                var event = await events.next()
                #expect(event?.changedService?.txt["c#"] == "2")

                try peer.send(#"{"command": "unregister"}"#)
                // A response that zeroconf had queued before the update is still sent after it, with the old text.
                repeat {
                    event = await events.next()
                } while event?.changedService != nil
                #expect(event == .gone(found.instance))
            }
        }
    }

    @Test func weFindAZeroconfServiceThatWasThereBefore() async throws {
        let type = try Loopback.uniqueType()
        let peer = try PeerPython.start("zeroconf_advertise.py", [type.description, "Lamp", "77"])
        try await Self.ending(peer) {
            _ = try await peer.json(Line.self, "registered") { $0.event == "registered" }
            try await Loopback.with(1) { hosts in
                var events = hosts[0].browse(type).makeAsyncIterator()
                let found = try #require(await events.next()?.foundService)
                #expect(found.port == 77)
                let resolved = try await hosts[0].resolve(found.instance, within: .seconds(60))
                #expect(resolved == found)
            }
        }
    }

    // MARK: - Name conflicts

    @Test func weTakeAnotherNameIfZeroconfHasOurs() async throws {
        let type = try Loopback.uniqueType()
        let peer = try PeerPython.start("zeroconf_advertise.py", [type.description, "Lamp", "77"])
        try await Self.ending(peer) {
            _ = try await peer.json(Line.self, "registered") { $0.event == "registered" }
            try await Loopback.with(1) { hosts in
                let ours = try await hosts[0].advertise(
                    ServiceAdvertisement(instanceName: "Lamp", type: type, port: 78)
                )
                #expect(ours.instanceName == "Lamp (2)")
            }
        }
    }

    @Test func zeroconfTakesAnotherNameIfWeHaveIt() async throws {
        let type = try Loopback.uniqueType()
        try await Loopback.with(1) { hosts in
            let ours = try await hosts[0].advertise(ServiceAdvertisement(instanceName: "Lamp", type: type, port: 78))
            // Zeroconf waits a second for answers to its probes, in which this process may not have its turn.
            let arguments = [type.description, "Lamp", "77", "--after", "Lamp"]
            let peer = try PeerPython.start("zeroconf_advertise.py", arguments)
            try await Self.ending(peer) {
                let registered = try await peer.json(Line.self, "registered") { $0.event == "registered" }
                #expect(registered.name != "Lamp")
                #expect(ours.instanceName == "Lamp")
            }
        }
    }

    private static func ending(_ peer: PeerProcess, _ body: () async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await peer.terminate()
        try result.get()
    }
}
