import Foundation
import NetworkLab
import PeerProcess
import Testing

/// A home on one network and a relay on another, with a router between, and a laptop that is at either: whole programs.
struct AwayHostsTests {
    private struct Line: Decodable, Sendable {
        var event: String?
        var digits: String?
        var homes: [String]?
    }

    /// What the app prints at the end of a command.
    private struct Done: Decodable, Sendable {
        var event: String
        var id: Int
        var error: Int?
    }

    private struct Invited: Decodable {
        var link: String?
        var relay: String?
    }

    private struct Synced: Decodable {
        struct Feed: Decodable {
            var state: String
            var entries: Int
        }

        var feeds: [Feed]
    }

    /// A server, which is stopped as by a service manager.
    private struct Served: Sendable {
        let process: PeerProcess

        func stop() async { #expect(await process.terminate() == 0) }
    }

    /// The hosts with their folders. The home "Villa" has a lamp on the hub's network. The laptop is away from it.
    private struct Lab: Sendable {
        static let relay = "https://10.88.0.2:8443"

        let lab: NetworkLab
        let folder: URL

        static func with(_ body: (Lab, Served, Served) async throws -> Void) async throws {
            try await Fixture.with { fixture in
                try await NetworkLab.with(
                    networks: ["home", "world"],
                    HostPlan("villa", [.init("eth0", to: "home", ["10.77.0.1/24"])]),
                    HostPlan(
                        "router",
                        [
                            .init("eth0", to: "home", ["10.77.0.254/24"]),
                            .init("eth1", to: "world", ["10.88.0.254/24"]),
                        ]
                    ),
                    HostPlan("relay", [.init("eth0", to: "world", ["10.88.0.2/24"])]),
                    HostPlan(
                        "laptop",
                        [
                            .init("eth0", to: "home", ["10.77.0.2/24"]), .init("eth1", to: "world", ["10.88.0.3/24"]),
                        ]
                    )
                ) { network in
                    try await network["router"].run("echo 1 >/proc/sys/net/ipv4/ip_forward")
                    try await network["villa"].run("ip route add default via 10.77.0.254")
                    try await network["relay"].run("ip route add default via 10.88.0.254")
                    // No way leads from the laptop to the home but its own cable.
                    try await network["laptop"].run("ip link set eth0 down")
                    try await run(fixture, network, body)
                }
            }
        }

        private static func run(
            _ fixture: Fixture,
            _ network: NetworkLab,
            _ body: (Lab, Served, Served) async throws -> Void
        ) async throws {
            let path = { (name: String) in fixture.folder.appending(path: name).path }
            try await ShellScript.run(
                """
                cd \(fixture.folder.path)
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout relay.key -out relay.pem \
                    -days 10 -subj /CN=relay -addext subjectAltName=IP:10.88.0.2 2>/dev/null
                """
            )
            let lab = Lab(lab: network, folder: fixture.folder)
            let lamp = FaultyHome.Accessory("Lamp")
            try Data(lamp.description.utf8).write(to: fixture.folder.appending(path: "lamp.json"))
            let simulator = try network["villa"].start(
                Programs.hearth.path,
                ["simulator", path("lamp.json"), "--data", path("lamp"), "--json"]
            )
            _ = try await simulator.json(Line.self, "the lamp") { $0.event == "ready" }
            let (relay, hub) = (try await lab.startRelay(), try await lab.startHub())
            try await lab.atHub("home add Villa")
            try await lab.atHub("accessory add --id \(lamp.deviceID) --code \(Fixture.lampCode)")
            try await lab.atHub("sync on \(Self.relay)")
            try await body(lab, relay, hub)
        }

        /// Starts the relay.
        func startRelay() async throws -> Served {
            let path = { (name: String) in folder.appending(path: name).path }
            let process = try lab["relay"].start(
                Programs.hearth.path,
                [
                    "relay", "--data", path("relay"), "--http", "10.88.0.2:8443", "--tls-certificate",
                    path("relay.pem"), "--tls-key", path("relay.key"), "--open", "--metrics", "9480", "--json",
                ]
            )
            _ = try await process.json(Line.self, "the relay") { $0.event == "ready" }
            return Served(process: process)
        }

        /// Starts the hub.
        func startHub() async throws -> Served {
            let path = { (name: String) in folder.appending(path: name).path }
            let process = try start("hub", on: "villa", ["--data", path("hub"), "--socket", path("hub.sock")])
            _ = try await process.json(Line.self, "the hub") { $0.event == "ready" }
            return Served(process: process)
        }

        /// Starts a program of Hearth that believes in the relay's certificate.
        func start(_ command: String, on host: String, _ arguments: [String]) throws -> PeerProcess {
            let trust = "SSL_CERT_FILE=\(folder.appending(path: "relay.pem").path)"
            return try lab[host].start(
                "/usr/bin/env",
                [trust, Programs.hearth.path, command] + arguments + ["--json"]
            )
        }

        /// Starts an agent on the laptop, with a name of its own.
        func startAgent(_ name: String) async throws -> PeerProcess {
            let folder = folder.appending(path: name).path
            let agent = try start("agent", on: "laptop", ["--data", folder, "--socket", "\(folder).sock"])
            _ = try await agent.json(Line.self, "the agent") { $0.event == "ready" }
            return agent
        }

        @discardableResult
        func atHub(_ words: String) async throws -> String { try await run(words, on: "villa", "hub") }

        @discardableResult
        func onLaptop(_ words: String, as agent: String = "ann") async throws -> String {
            try await run(words, on: "laptop", agent)
        }

        private func run(_ words: String, on host: String, _ socket: String) async throws -> String {
            let socket = folder.appending(path: "\(socket).sock").path
            return try await lab[host].run("HEARTH_SOCKET=\(socket) \(Programs.hearth.path) \(words)")
        }

        /// Runs a command on the laptop again and again, until what it prints meets a condition. The pauses spare the machine.
        func retry(_ words: String, until condition: (String) -> Bool) async throws -> String {
            var output = ""
            let end = ContinuousClock.now + Wait.limit
            while true {
                output = try await onLaptop("\(words) 2>&1 || true")
                if condition(output) || ContinuousClock.now >= end { return output }
                try await Task.sleep(for: .milliseconds(500))
            }
        }

        /// Switches the lamp on the laptop as soon as that works.
        func set(_ isOn: Bool) async throws {
            let output = try await retry("set Lamp On \(isOn)") { !$0.contains("error: ") }
            #expect(!output.contains("error: "), "\(output)")
            #expect(try await isLampOn() == isOn)
        }

        /// Whether the lamp is on, as the hub says.
        func isLampOn() async throws -> Bool { try await atHub("get Lamp On").hasSuffix("on\n") }

        /// Waits until the laptop reaches the hub without the relay, or needs it.
        func isRelayed(_ isRelayed: Bool) async throws {
            try await Wait.until(isRelayed ? "the relay carries something" : "no pipe is left") {
                let pipes = try await pipes() ?? -1
                if isRelayed ? pipes > 0 : pipes == 0 { return true }
                try await Task.sleep(for: .milliseconds(200))
                return false
            }
        }

        /// Joins with a link, from where the laptop is, after somebody at the hub has found the digits to be the same.
        func join(_ link: String, as agent: String) async throws -> [String] {
            let join = try lab["laptop"].start(
                Programs.hearth.path,
                ["join", link, "--socket", folder.appending(path: "\(agent).sock").path, "--json"]
            )
            let waiting = try await join.json(Line.self, "the digits") { $0.event == "waiting" }
            let question = try await Wait.value {
                $0.contains("wants to join")
            } of: {
                try await atHub("questions")
            }
            #expect(question.contains(try #require(waiting.digits)))
            try await atHub("questions answer <<< yes")
            let joined = try await join.json(Line.self, "the home") { $0.event == "joined" }
            #expect(await join.exit() == 0)
            return joined.homes ?? []
        }

        /// The number of pipes through the relay.
        func pipes() async throws -> Int? { try await metric("hearth_relay_pipes") }

        private func metric(_ name: String) async throws -> Int? {
            let page = try await lab["relay"].run("curl -s http://127.0.0.1:9480/metrics")
            let line = page.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            return line.flatMap { Int($0.split(separator: " ")[1]) }
        }

        /// The number of entries of the laptop's feed, once the relay has everything.
        func entries() async throws -> Int? {
            let output = try await atHub("sync status --json")
            let status = try JSONDecoder().decode(Synced.self, from: Data(output.utf8))
            guard let feed = status.feeds.first, feed.state == "current" else { return nil }
            return feed.entries
        }

        /// Waits until the hub is connected to the relay. Nobody else is yet.
        func hubIsAtRelay() async throws {
            try await Wait.until("the hub is at the relay") { try await metric("hearth_relay_streams") ?? 0 > 0 }
        }

        /// Brings the laptop home, or takes it away.
        func setIsHome(_ isHome: Bool) async throws {
            let change = isHome ? "up && ip addr replace 10.77.0.2/24 dev eth0" : "down"
            try await lab["laptop"].run("ip link set eth0 \(change)")
        }
    }

    /// What an app prints, and the writes that it is told to make.
    private struct App {
        let process: PeerProcess
        var number = 0

        /// Tells the app to write.
        mutating func write(_ isOn: Bool) throws {
            number += 1
            let type = "00000025-0000-1000-8000-0026BB765291"
            try process.send(
                #"{"id":\#(number),"do":"write","name":"Lamp","type":"\#(type)","value":\#(isOn ? 1 : 0)}"#
            )
        }

        /// Waits for the end of the last write. Returns the code of the error.
        func outcome() async throws -> Int? {
            try await process.json(Done.self, "the write") { [number] in $0.event == "done" && $0.id == number }.error
        }
    }

    @Test func aLaptopJoinsFromAwayAndGoesOnWhateverIsCut() async throws {
        try await Lab.with { lab, firstRelay, firstHub in
            // An invitation outlives restarts of the relay and of the hub.
            let added = try await lab.atHub("device add --link --json")
            let invited = try JSONDecoder().decode(Invited.self, from: Data(added.utf8))
            #expect(invited.relay == Lab.relay)
            await firstRelay.stop()
            await firstHub.stop()
            var (relay, hub) = (try await lab.startRelay(), try await lab.startHub())
            try await lab.hubIsAtRelay()
            let agent = try await lab.startAgent("ann")
            #expect(try await lab.join(try #require(invited.link), as: "ann") == ["Villa"])
            try await lab.set(true)
            try await lab.isRelayed(true)
            #expect(try await lab.atHub("log").contains("away from home"))
            // An app that knows nothing of relays.
            var app = App(
                process: try lab.lab["laptop"].start(
                    "/usr/bin/env",
                    [
                        "HEARTH_SOCKET=\(lab.folder.appending(path: "ann.sock").path)", "HEARTH_APP=test.app",
                        "HEARTH_PURPOSE=Tests that apps work from away.", Programs.app.path,
                    ]
                )
            )
            _ = try await app.process.json(Line.self, "the homes") {
                $0.event == "didUpdateHomes" && $0.homes == ["Villa"]
            }
            try app.write(false)
            #expect(try await app.outcome() == nil)
            #expect(try await !lab.isLampOn())

            // At home, everybody goes to the hub itself, and the relay has nothing left to carry.
            try await lab.setIsHome(true)
            try await lab.isRelayed(false)
            try await lab.set(true)
            try await lab.isRelayed(false)

            // Away again, in spite of connections that nobody has ended.
            try await lab.setIsHome(false)
            try await lab.set(false)
            try await lab.isRelayed(true)

            // The home's link to the world is cut during a command. Nobody knows whether it was done, and it isn't done late.
            try await lab.lab.setCable(of: "router", "eth1", isIn: false)
            try app.write(true)
            let code = try await app.outcome()
            #expect(code == Self.operationTimedOut || code == Self.communicationFailure, "\(code ?? 0)")
            try await lab.lab.setCable(of: "router", "eth1", isIn: true)
            if code == Self.operationTimedOut {
                let told = try await lab.retry("home list") { $0.contains("“Lamp”, the command of") }
                #expect(told.contains("It wasn't done."), "\(told)")
            }
            #expect(try await !lab.isLampOn())
            try await lab.set(true)

            // The relay and the hub are restarted, one after the other.
            await relay.stop()
            relay = try await lab.startRelay()
            try await lab.set(false)
            await hub.stop()
            hub = try await lab.startHub()
            try await lab.set(true)
            await app.process.terminate()
            #expect(await agent.terminate() == 0)
            await hub.stop()
            await relay.stop()
        }
    }

    @Test func aChangeIsAtTheRelayLongBeforeARequestOnALostConnectionIsGivenUp() async throws {
        try await Lab.with { lab, relay, hub in
            try await lab.hubIsAtRelay()
            let added = try await lab.atHub("device add --link --json")
            let link = try #require(try JSONDecoder().decode(Invited.self, from: Data(added.utf8)).link)
            let agent = try await lab.startAgent("ann")
            #expect(try await lab.join(link, as: "ann") == ["Villa"])
            var known: Int?
            try await Wait.until("the feed is at the relay") {
                known = try await lab.entries()
                return known != nil
            }
            let before = try #require(known)

            // Another program with a connection to the relay, whose requests have 30 seconds, as the hub's.
            let host = lab.lab["villa"]
            let other = try host.startPeer("kept_connection.py", ["10.88.0.2", "8443", "30"])
            _ = try await other.line("the connection") { $0 == "kept" }
            // The hub's connections stay, but nothing comes back on them.
            try await host.run(
                """
                ip addr add 10.77.0.3/24 dev eth0
                ip addr del 10.77.0.1/24 dev eth0
                ip route replace default via 10.77.0.254
                """
            )
            try other.send("now")
            _ = try await other.line("the request") { $0 == "sent" }
            try await lab.atHub("room add Attic")
            try await Wait.until("the change is at the relay") { try await lab.entries() ?? 0 > before }
            #expect(!other.transcript.contains("given up") && !other.transcript.contains("answered"))
            await other.terminate()
            #expect(await agent.terminate() == 0)
            await hub.stop()
            await relay.stop()
        }
    }

    /// `HMError.operationTimedOut`, which an app gets if it isn't known whether a command was done.
    private static let operationTimedOut = 8
    /// `HMError.communicationFailure`.
    private static let communicationFailure = 54
}
