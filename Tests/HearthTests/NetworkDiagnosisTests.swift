import Foundation
import HubAPI
import NetworkLab
import PeerProcess
import Testing

/// `hearth diagnose NAME` with network problems, on separate hosts.
struct NetworkDiagnosisTests {
    /// A hub on one host, and a lamp of its home on another.
    private struct Fixture: Sendable {
        let lab: NetworkLab
        let folder: URL
        let deviceID: String
        let lamp: PeerProcess

        private static func hearth(_ folder: URL, _ words: String) -> String {
            "HEARTH_SOCKET=\(folder.path)/hub.sock \(Programs.hearth.path) \(words)"
        }

        /// Runs `body` with a lamp that is in the home and reachable.
        static func with(_ body: (Fixture) async throws -> Void) async throws {
            try await HearthTests.Fixture.with { fixture in
                try await NetworkLab.with(
                    HostPlan("alpha", "10.77.0.1/24"),
                    HostPlan("beta", "10.77.0.2/24")
                ) { lab in
                    let description = FaultyHome.Accessory("Lamp")
                    let file = fixture.folder.appending(path: "lamp.json")
                    try Data(description.description.utf8).write(to: file)
                    let lamp = try lab["beta"].start(
                        Programs.hearth.path,
                        ["simulator", file.path, "--data", fixture.folder.appending(path: "lamp").path, "--json"]
                    )
                    _ = try await lamp.json(HearthTests.Fixture.Line.self, "the lamp") { $0.event == "ready" }
                    let hub = try lab["alpha"].start(
                        Programs.hearth.path,
                        ["hub", "--data", fixture.data, "--socket", fixture.socket, "--json"]
                    )
                    _ = try await hub.json(HearthTests.Fixture.Line.self, "the hub") { $0.event == "ready" }
                    try await lab["alpha"].run(hearth(fixture.folder, "home add 'My Home'"))
                    let add = "accessory add --id \(description.deviceID) --code \(HearthTests.Fixture.lampCode)"
                    try await lab["alpha"].run(hearth(fixture.folder, add))
                    let scene = Fixture(lab: lab, folder: fixture.folder, deviceID: description.deviceID, lamp: lamp)
                    try await body(scene)
                    #expect(await hub.terminate() == 0)
                }
            }
        }

        private init(lab: NetworkLab, folder: URL, deviceID: String, lamp: PeerProcess) {
            (self.lab, self.folder, self.deviceID, self.lamp) = (lab, folder, deviceID, lamp)
        }

        /// Repeats a diagnosis until it reports a problem. Returns the last one after a timeout.
        func diagnose(until trouble: AccessoryTrouble) async throws -> AccessoryDiagnosis {
            try await Wait.value { diagnosis in
                diagnosis.steps.flatMap(\.findings).contains { $0.trouble == trouble }
            } of: {
                let command = Self.hearth(folder, "diagnose Lamp --json 2>/dev/null || true")
                let output = try await lab["alpha"].run(command)
                return try JSONDecoder().decode(AccessoryDiagnosis.self, from: Data(output.utf8))
            }
        }

        /// Makes the lamp's host advertise the lamp at other addresses, where it isn't.
        func announce(at addresses: [String]) async throws {
            _ = await lamp.terminate()
            let peer = try lab["beta"].startPeer("zeroconf_host.py")
            let list = addresses.map { "\"\($0)\"" }.joined(separator: ", ")
            try peer.send(
                """
                {"do": "register", "name": "Lamp", "type": "_hap._tcp", "port": 4242, "addresses": [\(list)], \
                "txt": {"id": "\(deviceID)", "sf": "0", "c#": "1"}}
                """
            )
            _ = try await peer.line("the announcement") { $0.contains("registered") }
        }
    }

    @Test func packetsThatAreDroppedAreATimeout() async throws {
        try await Fixture.with { fixture in
            try await fixture.lab["beta"].run(
                """
                nft add table inet wall
                nft add chain inet wall way '{ type filter hook input priority 0; }'
                nft add rule inet wall way ip protocol tcp drop
                nft add rule inet wall way ip6 nexthdr tcp drop
                """
            )
            let diagnosis = try await fixture.diagnose(until: .timedOut)
            #expect(diagnosis.stop?.name == .connection && diagnosis.cause?.trouble == .timedOut, "\(diagnosis)")
            #expect(diagnosis.step(.advertised)?.outcome == .passed)
        }
    }

    @Test func anAddressOfAnotherNetworkIsTold() async throws {
        try await Fixture.with { fixture in
            try await fixture.announce(at: ["10.99.0.5"])
            let diagnosis = try await fixture.diagnose(until: .otherNetwork)
            #expect(diagnosis.troubles(at: .address) == [.otherNetwork], "\(diagnosis)")
            #expect(diagnosis.stop?.name == .connection && diagnosis.cause?.trouble == .noRoute, "\(diagnosis)")
        }
    }

    @Test func anAccessoryThatAnnouncesItselfWithoutAnAddressIsTold() async throws {
        try await Fixture.with { fixture in
            try await fixture.announce(at: [])
            let diagnosis = try await fixture.diagnose(until: .incompletelyAdvertised)
            #expect(diagnosis.step(.advertised)?.outcome == .passed, "\(diagnosis)")
            #expect(diagnosis.stop?.name == .address, "\(diagnosis)")
            #expect(diagnosis.cause?.trouble == .incompletelyAdvertised, "\(diagnosis)")
            // The diagnosis still tries the last address.
            #expect(diagnosis.troubles(at: .connection) == [.refused], "\(diagnosis)")
        }
    }

    @Test func anAddressOfTheLinkAloneIsTold() async throws {
        try await Fixture.with { fixture in
            try await fixture.announce(at: ["fe80::7"])
            let diagnosis = try await fixture.diagnose(until: .linkLocalOnly)
            #expect(diagnosis.troubles(at: .address) == [.linkLocalOnly], "\(diagnosis)")
            #expect(diagnosis.stop?.name == .connection, "\(diagnosis)")
        }
    }
}
