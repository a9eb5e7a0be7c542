import NetworkLab
import PeerProcess
import Testing

/// Cables are unplugged, and addresses and interfaces come and go while all hosts run.
struct ChangingNetworkTests {
    @Test(arguments: PeerKind.allCases)
    func whatChangedWhileOurCableWasOutIsKnownSoonAfterItIsIn(kind: PeerKind) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            _ = try await ours.publish("Ours")
            try await peer.sees("Ours") { $0.txt == Lamp.txt }
            try ours.browse()

            try await lab.setCable(of: "alpha", isIn: false)
            try await ours.update("Ours", txt: ["c#": "2"])
            #expect(try await peer.publish("Theirs", port: 5151) == "Theirs")

            try await lab.setCable(of: "alpha", isIn: true)
            try await peer.sees("Ours") { $0.txt == ["c#": "2"] }
            try await ours.sees("Theirs") { $0.port == 5151 }
        }
    }

    @Test(arguments: PeerKind.allCases)
    func aPeerLearnsOurNewAddress(kind: PeerKind) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            _ = try await ours.publish("Ours")
            try await peer.sees("Ours") { $0.plainAddresses.contains("10.77.0.1") }
            try await lab["alpha"].run("ip addr add 10.77.0.101/24 dev eth0; ip addr del 10.77.0.1/24 dev eth0")
            let addresses = Set(try await lab["alpha"].addresses())
            #expect(addresses.contains("10.77.0.101") && !addresses.contains("10.77.0.1"))
            try await peer.sees("Ours") { $0.plainAddresses == addresses }
        }
    }

    @Test func weLearnTheNewAddressOfAvahi() async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let avahi = try await AvahiHost.start(on: lab["beta"])
            _ = try await avahi.publish("Theirs")
            try await ours.sees("Theirs") { $0.addresses.contains("10.77.0.2") }
            try await lab["beta"].run("ip addr add 10.77.0.102/24 dev eth0; ip addr del 10.77.0.2/24 dev eth0")
            try await ours.sees("Theirs") {
                $0.addresses.contains("10.77.0.102") && !$0.addresses.contains("10.77.0.2")
            }
        }
    }

    @Test func anInterfaceThatAppearsIsUsedAndOneThatGoesIsLeft() async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan("alpha", [.init(to: "east", ["10.77.1.1/24"])]),
            HostPlan("beta", [.init(to: "west", ["10.77.2.1/24"])])
        ) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            _ = try await ours.publish("Ours")
            let avahi = try await AvahiHost.start(on: lab["beta"])
            _ = try await avahi.publish("Theirs", port: 5151)
            try ours.browse()
            try await lab.plugIn("alpha", .init("eth1", to: "west", ["10.77.2.2/24"]))
            try await ours.sees("Theirs") { $0.addresses.contains("10.77.2.1") }
            try await avahi.sees("Ours") { $0.addresses.contains("10.77.2.2") && !$0.addresses.contains("10.77.1.1") }
            try await lab["alpha"].run("ip link del eth1")
            try await ours.misses("Theirs")
        }
    }

    @Test(arguments: PeerKind.allCases)
    func anInterfaceThatIsSwitchedOffAndOnIsUsedAgain(kind: PeerKind) async throws {
        try await NetworkLab.with(HostPlan("alpha"), HostPlan("beta")) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            let peer = try await kind.start(on: lab["beta"])
            _ = try await ours.publish("Ours")
            try await peer.sees("Ours") { $0.txt == Lamp.txt }
            try await lab["alpha"].run("ip link set eth0 down")
            try await ours.update("Ours", txt: ["c#": "2"])
            #expect(try await peer.publish("Theirs", port: 5151) == "Theirs")
            try await lab["alpha"].run("ip link set eth0 up; ip addr add 10.77.0.1/24 dev eth0")
            try await peer.sees("Ours") { $0.txt == ["c#": "2"] && $0.plainAddresses.contains("10.77.0.1") }
            try await ours.sees("Theirs") { $0.port == 5151 }
        }
    }
}
