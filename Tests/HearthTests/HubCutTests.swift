import Foundation
import NetworkLab
import PeerProcess
import Testing

/// Two hubs and a relay on hosts of their own, whose cables are unplugged: whole programs.
struct HubCutTests {
    /// One of the two hubs, with its cables: one to the other hub, one to the relay.
    private struct Hub {
        let host: LabHost
        /// Its address on the home's network.
        let address: String
        let folder: URL

        private var data: String { folder.appending(path: host.name).path }
        private var socket: String { folder.appending(path: "\(host.name).sock").path }

        func start() async throws {
            let arguments = ["hub", "--data", data, "--socket", socket, "--network", "\(address):0"]
            let process = try host.start(
                "/usr/bin/env",
                [Lab.trust(in: folder), Programs.hearth.path] + arguments + ["--mdns-interface", "eth0", "--json"]
            )
            _ = try await process.json(HubPair.Ready.self, "the hub") { $0.event == "ready" }
        }

        /// Runs a command, and returns what it prints.
        @discardableResult
        func run(_ words: String) async throws -> String {
            try await host.run("HEARTH_SOCKET=\(socket) \(Programs.hearth.path) \(words)")
        }

        /// Runs a command that may fail, and returns what it prints.
        func attempt(_ words: String) async throws -> String { try await run("\(words) 2>&1 || true") }

        /// Joins the homes of another hub.
        func join(_ other: Hub) async throws {
            let invited = try JSONDecoder().decode(
                HubPair.Invitation.self,
                from: Data(try await other.run("hub invite --json").utf8)
            )
            let joining = try host.start(
                Programs.hearth.path,
                ["hub", "join", try #require(invited.link), "--data", data, "--json"]
            )
            let shown = try await joining.json(HubPair.Ready.self, "the digits") { $0.event == "waiting" }
            let digits = try #require(shown.digits)
            try await Wait.until("the hub asks about the digits") {
                try await other.run("questions").contains(digits)
            }
            try await other.run("questions answer <<< yes")
            _ = try await joining.json(HubPair.Ready.self, "the homes") { $0.event == "joined" }
            #expect(await joining.exit() == 0)
        }

        func status() async throws -> HubPair.Status {
            try JSONDecoder().decode(HubPair.Status.self, from: Data(try await run("hub list --json").utf8))
        }

        /// Waits until the hub stands in a way.
        func wait(_ what: String, until condition: (HubPair.Status) -> Bool) async throws {
            try await Wait.until("\(host.name): \(what)") { condition(try await status()) }
        }

        /// Adds a room, as soon as that works.
        func add(_ room: String) async throws {
            var output = ""
            try await Wait.until("\(host.name) adds “\(room)” (\(output))") {
                output = try await attempt("room add \(room)")
                return try await rooms().contains(room)
            }
        }

        /// Expects that the hub can't add a room, and says why.
        func refuses(_ room: String) async throws {
            let output = try await attempt("room add \(room)")
            #expect(output.contains("noLeader"), "\(host.name): \(output)")
        }

        func rooms() async throws -> [String] { try await run("room list").split(separator: "\n").map(String.init) }
    }

    /// The hosts: each hub has a cable to the home's network and one to the relay's.
    private struct Lab {
        static let relay = "10.88.0.9:8443"

        let network: NetworkLab
        let villa: Hub
        let cellar: Hub

        static func trust(in folder: URL) -> String { "SSL_CERT_FILE=\(folder.appending(path: "relay.pem").path)" }

        static func with(_ body: (Lab) async throws -> Void) async throws {
            try await Fixture.with { fixture in
                try await NetworkLab.with(
                    networks: ["home", "world"],
                    HostPlan(
                        "villa",
                        [.init("eth0", to: "home", ["10.77.0.1/24"]), .init("eth1", to: "world", ["10.88.0.1/24"])]
                    ),
                    HostPlan(
                        "cellar",
                        [.init("eth0", to: "home", ["10.77.0.2/24"]), .init("eth1", to: "world", ["10.88.0.2/24"])]
                    ),
                    HostPlan("relay", [.init("eth0", to: "world", ["10.88.0.9/24"])])
                ) { network in
                    let folder = fixture.folder
                    try await startRelay(on: network["relay"], in: folder)
                    let lab = Lab(
                        network: network,
                        villa: Hub(host: network["villa"], address: "10.77.0.1", folder: folder),
                        cellar: Hub(host: network["cellar"], address: "10.77.0.2", folder: folder)
                    )
                    try await lab.villa.start()
                    try await lab.villa.run("home add Villa")
                    try await lab.villa.run("sync on https://\(relay)")
                    try await lab.cellar.join(lab.villa)
                    try await lab.cellar.start()
                    try await lab.areWhole()
                    try await body(lab)
                }
            }
        }

        private static func startRelay(on host: LabHost, in folder: URL) async throws {
            try await ShellScript.run(
                """
                cd \(folder.path)
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout relay.key -out relay.pem \
                    -days 10 -subj /CN=relay -addext subjectAltName=IP:10.88.0.9 2>/dev/null
                """
            )
            let path = { (name: String) in folder.appending(path: name).path }
            let process = try host.start(
                Programs.hearth.path,
                [
                    "relay", "--data", path("relay"), "--http", relay, "--tls-certificate", path("relay.pem"),
                    "--tls-key", path("relay.key"), "--open", "--json",
                ]
            )
            _ = try await process.json(HubPair.Ready.self, "the relay") { $0.event == "ready" }
        }

        /// Waits until all three see each other, and a hub leads.
        func areWhole() async throws {
            for hub in [villa, cellar] {
                try await hub.wait("both hubs are connected, and agree") { status in
                    status.isConnected && status.hubs.contains { $0.isLeading }
                }
            }
            try await leader().leader.wait("the relay votes, and the other hub has everything") { status in
                status.relay?.votes == true && status.hubs.contains { $0.behind == 0 }
            }
        }

        /// The hub that leads, and the other one, which doesn't.
        func leader() async throws -> (leader: Hub, other: Hub) {
            var found: (Hub, Hub)?
            try await Wait.until("one hub leads") {
                let leads = (try await villa.status().isLeading, try await cellar.status().isLeading)
                found = leads.0 ? (villa, cellar) : leads.1 ? (cellar, villa) : nil
                return leads.0 != leads.1
            }
            return try #require(found)
        }

        /// Plugs a hub's cable in, or unplugs it.
        func set(_ cable: Cable, of hub: Hub, isIn: Bool) async throws {
            try await network.setCable(of: hub.host.name, cable.rawValue, isIn: isIn)
        }
    }

    private enum Cable: String {
        case toTheOtherHub = "eth0"
        case toTheRelay = "eth1"
    }

    @Test func ofHubsThatAreCutApartTheOneWithTheRelayLeadsAndNoChangeIsLost() async throws {
        try await Lab.with { lab in
            // The relay is in sight of both.
            try await lab.set(.toTheOtherHub, of: lab.villa, isIn: false)
            for hub in [lab.villa, lab.cellar] { try await hub.wait("the other hub is gone") { !$0.isConnected } }
            let (leader, other) = try await lab.leader()
            try await leader.add("Attic")
            try await other.refuses("Barn")

            // Of the one that doesn't lead: it takes over, with what the leader and the relay have agreed on.
            try await lab.set(.toTheRelay, of: leader, isIn: false)
            try await other.wait("it leads") { $0.isLeading }
            #expect(try await other.rooms() == ["Attic"])
            try await other.add("Cellar")
            try await leader.wait("it doesn't lead any more") { !$0.isLeading }
            try await leader.refuses("Den")
            #expect(try await leader.rooms() == ["Attic"])

            // Of none.
            try await lab.set(.toTheRelay, of: other, isIn: false)
            try await other.wait("it doesn't lead any more") { !$0.isLeading }
            for hub in [leader, other] { try await hub.refuses("Entry") }

            for hub in [leader, other] { try await lab.set(.toTheRelay, of: hub, isIn: true) }
            try await lab.set(.toTheOtherHub, of: lab.villa, isIn: true)
            try await lab.areWhole()
            try await leader.add("Foyer")
            try await other.add("Gym")
            let rooms = ["Attic", "Cellar", "Foyer", "Gym"]
            for hub in [leader, other] {
                try await Wait.until("\(hub.host.name) has all that was answered") { try await hub.rooms() == rooms }
            }
        }
    }
}
