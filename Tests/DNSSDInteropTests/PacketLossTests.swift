import NetworkLab
import PeerProcess
import Testing

/// Two networks joined by a link that loses a fifth of the mDNS packets in both directions, depending on a seed.
struct PacketLossTests {
    private struct LinkEvent: Decodable, Sendable {
        var event: String
        var carried: Int?
        var lost: Int?
    }

    @Test(arguments: PeerKind.allCases, [3, 11])
    func servicesAreFoundAndUpdatedOverALinkThatLosesAFifth(kind: PeerKind, seed: Int) async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan("alpha", [.init(to: "east", ["10.77.0.1/24"])]),
            HostPlan("beta", [.init(to: "west", ["10.77.0.2/24"])])
        ) { lab in
            let link = try await lab.join("east", "west", losing: 20, seed: seed)
            let peer = try await kind.start(on: lab["beta"])
            let ours = try await OurHost.start(on: lab["alpha"])
            _ = try await ours.publish("Ours")
            _ = try await peer.publish("Theirs", port: 5151)
            try await peer.sees("Ours") { $0.port == 4242 }
            try await ours.sees("Theirs") { $0.port == 5151 }
            try await ours.update("Ours", txt: ["c#": "2"])
            try await peer.sees("Ours") { $0.txt == ["c#": "2"] }
            link.closeInput()
            let counts = try await link.json(LinkEvent.self, "the link's counts") { $0.event == "end" }
            #expect(try #require(counts.lost) > 0 && #require(counts.carried) > 0)
        }
    }
}
