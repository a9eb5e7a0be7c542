import NetworkLab
import PeerProcess
import Testing

/// Avahi's daemon, under its own account, on the same host as Hearth: both use port 5353.
struct SharedPortTests {
    enum Order: CaseIterable, Sendable {
        case avahiFirst, oursFirst
    }

    @Test(arguments: Order.allCases)
    func oursAndAvahiShareAHostInEitherOrder(order: Order) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let avahi: AvahiHost
            let ours: OurHost
            switch order {
            case .avahiFirst:
                avahi = try await AvahiHost.start(on: lab["alpha"])
                ours = try await OurHost.start(on: lab["alpha"])
            case .oursFirst:
                ours = try await OurHost.start(on: lab["alpha"])
                avahi = try await AvahiHost.start(on: lab["alpha"])
            }
            // Each finds the other on the same host. A host elsewhere finds both and is found by both.
            let far = try await OurHost.start(on: lab["beta"])
            #expect(try await ours.publish("Ours", port: 1) == "Ours")
            #expect(try await avahi.publish("Theirs", port: 2) == "Theirs")
            #expect(try await far.publish("Far", port: 3) == "Far")
            for peer in [avahi, ours, far] as [any Peer] {
                try await peer.sees("Ours") { $0.port == 1 }
                try await peer.sees("Theirs") { $0.port == 2 }
                try await peer.sees("Far") { $0.port == 3 }
            }
            // They don't take each other's names.
            #expect(try await avahi.publish("Ours", port: 4) != "Ours")
            #expect(try await ours.publish("Theirs", port: 5) == "Theirs (2)")
            try await ours.withdraw("Ours")
            try await avahi.misses("Ours")
            try await far.misses("Ours")
            try await avahi.withdraw("Theirs")
            try await ours.misses("Theirs")
            try await far.misses("Theirs")
        }
    }

    @Test func oursStaysVisibleWhenAvahiOnTheSameHostEnds() async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let avahi = try await AvahiHost.start(on: lab["alpha"])
            let ours = try await OurHost.start(on: lab["alpha"])
            _ = try await ours.publish("Lamp")
            await avahi.daemon.terminate()
            let far = try await ZeroconfHost.start(on: lab["beta"])
            try await far.sees("Lamp") { $0.plainAddresses.contains("10.77.0.1") }
        }
    }
}
