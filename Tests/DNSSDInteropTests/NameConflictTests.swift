import NetworkLab
import PeerProcess
import Testing

/// Two hosts claim the same name. The ID in the TXT record stays the same when a service is renamed.
struct NameConflictTests {
    @Test(arguments: PeerKind.allCases)
    func weTakeAnotherNameIfAPeerHasOurs(kind: PeerKind) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let peer = try await kind.start(on: lab["beta"])
            #expect(try await peer.publish("Lamp", port: 5151, txt: ["id": "11:11:11:11:11:11"]) == "Lamp")
            let ours = try await OurHost.start(on: lab["alpha"])
            #expect(try await ours.publish("Lamp") == "Lamp (2)")
            let renamed = try await peer.sees("Lamp (2)")
            #expect(renamed.port == 4242 && renamed.txt == Lamp.txt)
            let kept = try await ours.sees("Lamp")
            #expect(kept.port == 5151 && kept.txt == ["id": "11:11:11:11:11:11"])
        }
    }

    @Test(arguments: PeerKind.allCases)
    func aPeerTakesAnotherNameIfWeHaveIt(kind: PeerKind) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            #expect(try await ours.publish("Lamp") == "Lamp")
            let peer = try await kind.start(on: lab["beta"])
            // Zeroconf waits a second for answers to its probes, in which our host may not have its turn.
            #expect(try await peer.sees("Lamp").txt == Lamp.txt)
            let name = try await peer.publish("Lamp", port: 5151)
            #expect(name != "Lamp")
            try await ours.sees(name) { $0.port == 5151 }
        }
    }

    @Test(arguments: PeerKind.allCases)
    func whoeverStartsTogetherEndsWithTwoNames(kind: PeerKind) async throws {
        try await NetworkLab.with(
            TwoHostsTests.alpha,
            TwoHostsTests.beta,
            HostPlan("gamma", "10.77.0.3/24")
        ) { lab in
            let witness = try await OurHost.start(on: lab["gamma"])
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            async let other = peer.publish("Lamp", port: 5151, txt: ["id": "11:11:11:11:11:11"])
            async let own = ours.publish("Lamp", port: 4242)
            _ = try await (own, other)
            // Either service may still be renamed later, so the final state on a third host counts.
            let isOurs: @Sendable (BrowseResult) -> Bool = { $0.port == 4242 && $0.txt == Lamp.txt }
            let isTheirs: @Sendable (BrowseResult) -> Bool = { $0.port == 5151 && $0.txt["id"] == "11:11:11:11:11:11" }
            try await witness.seesTwo(isOurs, isTheirs)
        }
    }
}

extension OurHost {
    /// Waits until two services with different names exist, one of each implementation.
    fileprivate func seesTwo(
        _ one: @escaping @Sendable (BrowseResult) -> Bool,
        _ other: @escaping @Sendable (BrowseResult) -> Bool
    ) async throws {
        try browse()
        var known: [String: BrowseResult] = [:]
        while known.values.filter(one).count != 1 || known.values.filter(other).count != 1 {
            let change = try await nextChange()
            known[change.name] = change.result
        }
    }
}
