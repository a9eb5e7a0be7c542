import NetworkLab
import PeerProcess
import Testing

/// Hearth on one host, a peer on another, and a cable between them.
struct TwoHostsTests {
    static let alpha = HostPlan("alpha", "10.77.0.1/24")
    static let beta = HostPlan("beta", "10.77.0.2/24")

    @Test(arguments: PeerKind.allCases)
    func aPeerSeesOurServiceItsUpdateAndItsGoodbye(kind: PeerKind) async throws {
        try await NetworkLab.with(Self.alpha, Self.beta) { lab in
            let peer = try await kind.start(on: lab["beta"])
            let ours = try await OurHost.start(on: lab["alpha"])
            #expect(try await ours.publish("Küchen.Lampe") == "Küchen.Lampe")
            let addresses = Set(try await lab["alpha"].addresses())
            #expect(addresses.count == 2)
            let seen = try await peer.sees("Küchen.Lampe") { $0.plainAddresses == addresses }
            #expect(seen.port == 4242 && seen.txt == Lamp.txt)

            try await ours.update("Küchen.Lampe", txt: ["c#": "2"])
            try await peer.sees("Küchen.Lampe") { $0.txt == ["c#": "2"] }

            try await ours.withdraw("Küchen.Lampe")
            try await peer.misses("Küchen.Lampe")
        }
    }

    @Test(arguments: PeerKind.allCases)
    func weSeeAPeersServiceItsUpdateAndItsGoodbye(kind: PeerKind) async throws {
        try await NetworkLab.with(Self.alpha, Self.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            try ours.browse()
            let peer = try await kind.start(on: lab["beta"])
            #expect(try await peer.publish("Stehlampe im Flur", port: 5151) == "Stehlampe im Flur")
            let addresses = Set(try await lab["beta"].addresses())
            let seen = try await ours.sees("Stehlampe im Flur") { $0.plainAddresses == addresses }
            #expect(seen.port == 5151 && seen.txt == Lamp.txt)
            #expect(seen.addresses.contains { $0.hasPrefix("fe80::") && $0.hasSuffix("%eth0") })

            try await peer.update("Stehlampe im Flur", txt: ["c#": "2"])
            try await ours.sees("Stehlampe im Flur") { $0.txt == ["c#": "2"] }

            try await peer.withdraw("Stehlampe im Flur")
            try await ours.misses("Stehlampe im Flur")
        }
    }

    @Test(arguments: PeerKind.allCases)
    func whoComesLateSeesWhatWasThere(kind: PeerKind) async throws {
        try await NetworkLab.with(Self.alpha, Self.beta, HostPlan("gamma", "10.77.0.3/24")) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            _ = try await ours.publish("Ours")
            let peer = try await kind.start(on: lab["beta"])
            try await peer.sees("Ours") { $0.txt == Lamp.txt }
            _ = try await peer.publish("Theirs", port: 5151)
            let late = try await OurHost.start(on: lab["gamma"])
            try await late.sees("Theirs") { $0.port == 5151 }
            try await late.sees("Ours") { $0.port == 4242 }
            try late.send("resolve", ["name": "Theirs", "type": Lamp.type])
            #expect(try await late.event("resolved").port == 5151)
        }
    }

    @Test(arguments: PeerKind.allCases)
    func weFindAPeerByIPv6OfTheLinkAloneAndItFindsUs(kind: PeerKind) async throws {
        try await NetworkLab.with(HostPlan("alpha"), HostPlan("beta")) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            _ = try await ours.publish("Ours")
            _ = try await peer.publish("Theirs", port: 5151)
            let (own, others) = (Set(try await lab["alpha"].addresses()), Set(try await lab["beta"].addresses()))
            #expect(own.count == 1 && own.allSatisfy { $0.hasPrefix("fe80::") })
            try await peer.sees("Ours") { $0.plainAddresses == own }
            try await ours.sees("Theirs") { $0.plainAddresses == others }
        }
    }

    @Test(arguments: PeerKind.allCases)
    func weFindAPeerByIPv4AloneAndItFindsUs(kind: PeerKind) async throws {
        try await NetworkLab.with(
            HostPlan("alpha", "10.77.0.1/24", hasIPv6: false),
            HostPlan("beta", "10.77.0.2/24", hasIPv6: false)
        ) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            _ = try await ours.publish("Ours")
            _ = try await peer.publish("Theirs", port: 5151)
            try await peer.sees("Ours") { $0.addresses == ["10.77.0.1"] }
            try await ours.sees("Theirs") { $0.addresses == ["10.77.0.2"] }
        }
    }
}
