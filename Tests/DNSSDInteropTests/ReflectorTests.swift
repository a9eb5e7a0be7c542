import NetworkLab
import PeerProcess
import Testing

/// Two networks that are connected only by a host that repeats mDNS from one to the other.
struct ReflectorTests {
    private static func withTwoNetworks(_ body: (NetworkLab) async throws -> Void) async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan("alpha", [.init(to: "east", ["10.77.1.1/24"])]),
            HostPlan("beta", [.init(to: "west", ["10.77.2.1/24"])]),
            HostPlan(
                "router",
                [.init("eth0", to: "east", ["10.77.1.9/24"]), .init("eth1", to: "west", ["10.77.2.9/24"])]
            ),
            body: body
        )
    }

    @Test(arguments: PeerKind.allCases)
    func servicesAreFoundThroughAReflector(kind: PeerKind) async throws {
        try await Self.withTwoNetworks { lab in
            _ = try await AvahiHost.start(on: lab["router"], "reflector:enable-reflector=yes")
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            #expect(try await ours.publish("Ours") == "Ours")
            #expect(try await peer.publish("Theirs", port: 5151) == "Theirs")
            try await peer.sees("Ours") { $0.port == 4242 && $0.plainAddresses.contains("10.77.1.1") }
            try await ours.sees("Theirs") { $0.port == 5151 && $0.plainAddresses.contains("10.77.2.1") }
            // An own packet that comes back from the reflector isn't a conflict.
            try await ours.update("Ours", txt: ["c#": "2"])
            try await peer.sees("Ours") { $0.txt == ["c#": "2"] }
            try await ours.withdraw("Ours")
            try await peer.misses("Ours")
        }
    }

    @Test func withoutAReflectorNothingIsFound() async throws {
        try await Self.withTwoNetworks { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let far = try await OurHost.start(on: lab["beta"])
            _ = try await far.publish("Far")
            try ours.send("resolve", ["name": "Far", "type": Lamp.type, "seconds": 2])
            #expect(try await ours.event("refused").error == "timedOut")
        }
    }
}
