import Foundation
import NetworkLab
import PeerProcess
import Testing

/// `hearth diagnose --discovery`, on hosts with and without problems.
struct DiagnoseTests {
    private struct Report: Decodable, Sendable {
        struct Finding: Decodable, Hashable, Sendable {
            var code: String
            var isProblem: Bool
            var interface: String?
            var text: String
            var advice: String
        }

        struct Interface: Decodable, Sendable {
            struct Traffic: Decodable, Sendable {
                var sent: Int
                var ownHeard: Int
                var heard: Int
            }

            var name: String
            var isUp: Bool
            var supportsMulticast: Bool
            var driver: String?
            var traffic: Traffic?
        }

        struct PortUser: Decodable, Sendable {
            var process: String?
            var id: Int32?
            var user: String
        }

        struct Accessory: Decodable, Sendable {
            var name: String
            var interface: String
            var id: String?
            var isPaired: Bool
        }

        var interfaces: [Interface]
        var portUsers: [PortUser]
        var accessories: [Accessory]
        var findings: [Finding]

        var problems: [String] { findings.filter(\.isProblem).map(\.code) }
        var notes: [String] { findings.filter { !$0.isProblem }.map(\.code) }
    }

    private static let alpha = HostPlan("alpha", "10.77.0.1/24")
    private static let beta = HostPlan("beta", "10.77.0.2/24")

    // MARK: - Hosts without problems

    @Test func anAccessoryAndASharedPortAreSeenAndNoProblem() async throws {
        try await NetworkLab.with(Self.alpha, Self.beta) { lab in
            try await Self.startAvahi(on: lab["alpha"])
            try await Self.startLamp(on: lab["beta"])
            // A peer on a loaded machine may answer after the command stops listening.
            let (report, status) = try await Wait.value {
                !$0.report.accessories.isEmpty
            } of: {
                try await Self.diagnose(on: lab["alpha"])
            }
            #expect(report.problems == [] && status == 0)
            let lamp = try #require(report.accessories.first)
            #expect(lamp.name == "Lamp" && lamp.interface == "eth0" && lamp.id == "AA:BB:CC:DD:EE:FF" && !lamp.isPaired)
            let traffic = try #require(report.interfaces.first { $0.name == "eth0" }?.traffic)
            #expect(traffic.sent > 0 && traffic.ownHeard > 0 && traffic.heard > 0)
            #expect(report.portUsers.map(\.process) == ["avahi-daemon"] && report.portUsers.map(\.user) == ["avahi"])
            #expect(report.notes.contains("portShared"))

            let text = try await Wait.value {
                $0.contains("Lamp")
            } of: {
                try await lab["alpha"].run("\(Programs.hearth.path) diagnose --discovery --seconds 2")
            }
            #expect(text.contains("avahi-daemon") && text.contains("Lamp") && text.contains("AA:BB:CC:DD:EE:FF"))
        }
    }

    @Test func whoMayNotLookIntoOthersIsToldThatRootMay() async throws {
        try await NetworkLab.with(Self.alpha) { lab in
            try await Self.startAvahi(on: lab["alpha"])
            let (report, _) = try await Self.diagnose(
                on: lab["alpha"],
                through: ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
            )
            #expect(report.portUsers.map(\.process) == [nil] && report.portUsers.map(\.user) == ["avahi"])
            #expect(report.findings.first { $0.code == "portShared" }?.text.contains("root") == true)
        }
    }

    @Test func anAccessoryBehindAReflectorIsNamedAsOfAnotherNetwork() async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan("alpha", [.init(to: "east", ["10.77.1.1/24"], hasIPv6: false)]),
            HostPlan("beta", [.init(to: "west", ["10.77.2.1/24"], hasIPv6: false)]),
            HostPlan(
                "router",
                [
                    .init("eth0", to: "east", ["10.77.1.9/24"], hasIPv6: false),
                    .init("eth1", to: "west", ["10.77.2.9/24"], hasIPv6: false),
                ]
            )
        ) { lab in
            try await Self.startAvahi(on: lab["router"], "reflector:enable-reflector=yes")
            try await Self.startLamp(on: lab["beta"])
            let (report, status) = try await Wait.value {
                !$0.report.accessories.isEmpty
            } of: {
                try await Self.diagnose(on: lab["alpha"])
            }
            #expect(report.accessories.map(\.name) == ["Lamp"] && status == 0)
            #expect(report.findings.first { $0.code == "otherNetwork" }?.text.contains("10.77.2.1") == true)
        }
    }

    @Test func anAccessoryWithoutAnAddressIsNamed() async throws {
        try await NetworkLab.with(HostPlan("alpha", "10.77.0.1/24"), HostPlan("beta", "10.77.0.2/24")) { lab in
            let peer = try lab["beta"].startPeer("zeroconf_host.py")
            try peer.send(
                #"{"do": "register", "name": "Lamp", "type": "_hap._tcp", "port": 4242, "addresses": [], "txt": {"sf": "0"}}"#
            )
            _ = try await peer.line("the announcement") { $0.contains("registered") }
            // A peer on a loaded machine may answer after the command stops listening.
            let (report, status) = try await Wait.value { outcome in
                outcome.report.findings.contains { $0.code == "incompletelyAdvertised" }
            } of: {
                try await Self.diagnose(on: lab["alpha"])
            }
            #expect(report.accessories.isEmpty && status == 0, "\(report)")
            let finding = try #require(report.findings.first { $0.code == "incompletelyAdvertised" }, "\(report)")
            #expect(finding.text.contains("“Lamp”") && finding.text.contains("beta.local"), "\(finding)")
            #expect(!report.findings.contains { $0.code == "noAccessories" })
        }
    }

    // MARK: - Hosts with problems

    @Test func aHostWithoutANetworkHasNoUsableInterface() async throws {
        try await NetworkLab.with(HostPlan("alpha", [])) { lab in
            let (report, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(report.problems == ["noUsableInterface"] && status == 1)
            #expect(report.interfaces.map(\.name) == ["lo"])
        }
    }

    @Test func multicastThatIsSwitchedOffIsNamed() async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan(
                "alpha",
                [.init("eth0", to: "east", ["10.77.1.1/24"]), .init("eth1", to: "west", ["10.77.2.1/24"])]
            )
        ) { lab in
            try await lab["alpha"].run("ip link set eth0 multicast off")
            let one = try await Self.diagnose(on: lab["alpha"]).report
            let finding = try #require(one.findings.first { $0.code == "interfaceUnusable" })
            #expect(finding.interface == "eth0" && !finding.isProblem)
            #expect(finding.advice == "Run: ip link set eth0 multicast on")
            try await lab["alpha"].run("ip link set eth1 multicast off")
            let (both, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(both.problems == ["noUsableInterface"] && status == 1)
        }
    }

    @Test(arguments: [("input", "multicastBlocked"), ("output", "sendingBlocked")])
    func aFirewallIsRecognised(hook: String, code: String) async throws {
        try await NetworkLab.with(Self.alpha, Self.beta) { lab in
            try await Self.startLamp(on: lab["beta"])
            try await lab["alpha"].run(
                """
                nft add table inet wall
                nft add chain inet wall way '{ type filter hook \(hook) priority 0; }'
                nft add rule inet wall way udp dport 5353 drop
                """
            )
            let (report, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(report.findings.first?.code == code && report.findings.first?.interface == "eth0" && status == 1)
            #expect(report.findings.first?.advice.contains("5353") == true)
            #expect(report.accessories.isEmpty)
        }
    }

    @Test func whoHoldsThePortForItselfIsNamed() async throws {
        try await NetworkLab.with(Self.alpha) { lab in
            let script = """
                import socket, sys
                four = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                four.bind(("", 5353))
                six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                six.bind(("::", 5353))
                print("bound", flush=True)
                sys.stdin.read()
                """
            let holder = try lab["alpha"].start(PeerPython.interpreter().path, ["-c", script])
            _ = try await holder.line("the port") { $0 == "bound" }
            let (report, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(report.problems == ["portHeld"] && status == 1)
            #expect(report.portUsers.map(\.id) == [holder.processIdentifier])
            #expect(report.findings.first?.text.contains("process \(holder.processIdentifier)") == true)
        }
    }

    @Test func aContainersOwnNetworkIsRecognised() async throws {
        try await NetworkLab.with(HostPlan("alpha", "172.17.0.2/16")) { lab in
            try await lab["alpha"].run("touch /run/.containerenv")
            let (report, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(report.problems == ["containerNetwork"] && status == 1)
            #expect(report.findings.first?.advice.contains("--network host") == true)
        }
    }

    @Test func aNetworkWithNobodyElseHintsAtAnotherOneWithoutAReflector() async throws {
        try await NetworkLab.with(HostPlan("alpha", hasIPv6: false)) { lab in
            // The address is on a bridge, as on a container host, which isn't a container itself.
            try await lab["alpha"].run(
                """
                ip link add br0 type bridge mcast_snooping 0
                ip link set eth0 master br0
                ip addr add 10.77.0.1/24 dev br0
                ip link set br0 up
                """
            )
            let (report, status) = try await Self.diagnose(on: lab["alpha"])
            #expect(report.problems == ["nobodyHeard"] && status == 1)
            #expect(report.findings.first?.interface == "br0" && report.findings.first?.advice.contains("VLAN") == true)
        }
    }

    @Test func anInterfaceThatIsNotThereIsNamedWithThoseThatAre() async throws {
        try await NetworkLab.with(Self.alpha) { lab in
            let (report, status) = try await Self.diagnose(on: lab["alpha"], "--mdns-interface", "wlan7")
            #expect(report.problems == ["unknownInterface"] && status == 1)
            #expect(report.findings.first?.text.contains("wlan7") == true)
            #expect(report.findings.first?.text.contains("eth0") == true)
        }
    }

    // MARK: - Details

    private static func diagnose(
        on host: LabHost,
        through wrapper: [String] = [],
        _ options: String...
    ) async throws -> (report: Report, status: Int32) {
        let words = wrapper + [Programs.hearth.path, "diagnose", "--discovery", "--json", "--seconds", "2"] + options
        let process = try host.start("/usr/bin/env", words)
        let report = try await process.json(Report.self, "the report") { _ in true }
        return (report, await process.exit())
    }

    private static func startAvahi(on host: LabHost, _ configuration: String...) async throws {
        let daemon = try host.startPeer("avahi_host.sh", configuration)
        _ = try await daemon.line("Avahi's start") { $0.contains("Server startup complete") }
    }

    /// Advertises an accessory with python-zeroconf.
    private static func startLamp(on host: LabHost) async throws {
        let peer = try host.startPeer("zeroconf_host.py")
        let addresses = try await host.addresses().map { "\"\($0)\"" }.joined(separator: ", ")
        try peer.send(
            """
            {"do": "register", "name": "Lamp", "type": "_hap._tcp", "port": 4242, "addresses": [\(addresses)], \
            "txt": {"id": "AA:BB:CC:DD:EE:FF", "sf": "1"}}
            """
        )
        _ = try await peer.line("the lamp") { $0.contains("registered") }
    }
}
