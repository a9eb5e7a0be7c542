import Foundation
import NetworkLab
import PeerProcess
import Testing

/// A hub on one host, and the laptop of a guest on another, with the commands that people type.
struct OtherHostsTests {
    private struct Line: Decodable, Sendable {
        var event: String?
        var digits: String?
        var homes: [String]?
    }

    private struct Added: Decodable {
        struct Invitation: Decodable {
            var link: String?
        }

        var invitation: Invitation?
    }

    /// The two hosts with their folders, and the home "Villa" with a lamp on the hub's host.
    private struct Lab: Sendable {
        let lab: NetworkLab
        let folder: URL

        static func with(_ body: (Lab) async throws -> Void) async throws {
            try await Fixture.with { fixture in
                try await NetworkLab.with(HostPlan("villa", "10.77.0.1/24"), HostPlan("laptop", "10.77.0.2/24")) {
                    network in
                    let lab = Lab(lab: network, folder: fixture.folder)
                    let file = fixture.folder.appending(path: "lamp.json")
                    let lamp = FaultyHome.Accessory("Lamp")
                    try Data(lamp.description.utf8).write(to: file)
                    let path = { (name: String) in fixture.folder.appending(path: name).path }
                    let simulator = try network["villa"].start(
                        Programs.hearth.path,
                        ["simulator", file.path, "--data", path("lamp"), "--json"]
                    )
                    _ = try await simulator.json(Line.self, "the lamp") { $0.event == "ready" }
                    let hub = try network["villa"].start(
                        Programs.hearth.path,
                        ["hub", "--data", path("hub"), "--socket", path("hub.sock"), "--json"]
                    )
                    _ = try await hub.json(Line.self, "the hub") { $0.event == "ready" }
                    try await lab.atHub("home add Villa")
                    try await lab.atHub("accessory add --id \(lamp.deviceID) --code \(Fixture.lampCode)")
                    let agent = try network["laptop"].start(
                        Programs.hearth.path,
                        ["agent", "--data", path("agent"), "--socket", path("agent.sock"), "--json"]
                    )
                    _ = try await agent.json(Line.self, "the agent") { $0.event == "ready" }
                    try await body(lab)
                    #expect(await agent.terminate() == 0)
                    #expect(await hub.terminate() == 0)
                }
            }
        }

        @discardableResult
        func atHub(_ words: String) async throws -> String { try await run(words, on: "villa", "hub.sock") }

        @discardableResult
        func onLaptop(_ words: String) async throws -> String { try await run(words, on: "laptop", "agent.sock") }

        private func run(_ words: String, on host: String, _ socket: String) async throws -> String {
            let socket = folder.appending(path: socket).path
            return try await lab[host].run("HEARTH_SOCKET=\(socket) \(Programs.hearth.path) \(words)")
        }

        /// Joins as a new guest with a link, after somebody at the hub has found the digits to be the same.
        func joinAsGuest() async throws {
            let added = try await atHub("user add Ben --role guest --json")
            let link = try #require(try JSONDecoder().decode(Added.self, from: Data(added.utf8)).invitation?.link)
            let join = try lab["laptop"].start(
                Programs.hearth.path,
                ["join", link, "--socket", folder.appending(path: "agent.sock").path, "--json"]
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
            #expect(joined.homes == ["Villa"])
            #expect(await join.exit() == 0)
        }

        /// Starts an app that uses HomeKit, and waits until it has its homes.
        func startApp(on host: String, _ socket: String) async throws -> PeerProcess {
            let settings = [
                "HEARTH_SOCKET=\(folder.appending(path: socket).path)", "HEARTH_APP=test.app",
                "HEARTH_PURPOSE=Tests that apps are told the same.",
            ]
            let app = try lab[host].start("/usr/bin/env", settings + [Programs.app.path])
            _ = try await app.json(Line.self, "the homes") { $0.event == "didUpdateHomes" && $0.homes == ["Villa"] }
            return app
        }

        /// What an app's delegates were told since it had its homes, without the reachability of accessories.
        func told(_ app: PeerProcess) -> [String] {
            let lines = app.transcript.split(separator: "\n").filter { $0.contains(#""event":"did"#) }
            let start = lines.lastIndex { $0.contains("didUpdateHomes") }
            return lines[(start.map { $0 + 1 } ?? 0)...].filter { !$0.contains("Reachability") }.map(String.init)
        }

        /// The files of the agent that are about a hub.
        var filesOfHubs: [String] {
            get throws {
                let agent = folder.appending(path: "agent")
                let files = try FileManager.default.subpathsOfDirectory(atPath: agent.path)
                return files.filter { $0.hasPrefix("hubs/") }
            }
        }
    }

    @Test func aGuestsLaptopFindsTheHubJoinsAndSwitchesALamp() async throws {
        try await Lab.with { lab in
            try await lab.joinAsGuest()
            try await lab.onLaptop("set Lamp On true")
            #expect(try await lab.atHub("get Lamp On").contains("on"))
            #expect(try await lab.atHub("why Lamp").contains("Ben"))
            let refused = try await lab.onLaptop("room add Kitchen 2>&1 || true")
            #expect(refused.contains("insufficientPrivileges"), "\(refused)")
        }
    }

    @Test func outOfReachTheLaptopReadsTheHomeAndChangesNothing() async throws {
        try await Lab.with { lab in
            try await lab.joinAsGuest()
            try await lab.lab["laptop"].run("ip link set eth0 down")
            let refused = try await Wait.value {
                $0.contains("hubAway")
            } of: {
                try await lab.onLaptop("set Lamp On true 2>&1 || true")
            }
            #expect(!refused.isEmpty)
            #expect(refused.contains("“Villa” can't be reached since"), "\(refused)")
            #expect(try await lab.onLaptop("home list").hasPrefix("Villa  (primary, out of reach since "))
            #expect(try await lab.onLaptop("accessory list").contains("Lamp"))
            try await lab.lab["laptop"].run("ip link set eth0 up && ip addr replace 10.77.0.2/24 dev eth0")
            try await Wait.until("the laptop reaches the hub") {
                try await lab.onLaptop("set Lamp On true && echo done || true").contains("done")
            }
            #expect(try await lab.atHub("get Lamp On").contains("on"))
        }
    }

    @Test func anAppOnTheLaptopIsToldWhatOneAtTheHubIsTold() async throws {
        try await Lab.with { lab in
            try await lab.joinAsGuest()
            let near = try await lab.startApp(on: "villa", "hub.sock")
            let far = try await lab.startApp(on: "laptop", "agent.sock")
            func until(_ event: String, _ apps: PeerProcess...) async throws {
                for app in apps { _ = try await app.line("“\(event)”") { $0.contains(event) } }
            }
            for words in [
                "room add Kitchen", "accessory move Lamp Kitchen", "room rename Kitchen Galley", "room add Attic",
                "room remove Attic",
            ] {
                try await lab.atHub(words)
            }
            try await until("didRemoveRoom", near, far)
            #expect(lab.told(near).count == 5 && lab.told(far) == lab.told(near))

            // Through a cut, only what was missed comes, in the same order.
            try await lab.lab["laptop"].run("ip link set eth0 down")
            try await until(#""reachable":false"#, far)
            for words in ["room add Cellar", "accessory move Lamp Cellar"] { try await lab.atHub(words) }
            #expect(lab.told(far).count == 5)
            try await lab.lab["laptop"].run("ip link set eth0 up && ip addr replace 10.77.0.2/24 dev eth0")
            try await until(#""room":"Cellar""#, near, far)
            try await until(#""reachable":true"#, far)
            try await lab.atHub("room remove Galley")
            try await until("didRemoveRoom", near, far)
            #expect(lab.told(near).count == 8 && lab.told(far) == lab.told(near))
            for app in [near, far] { await app.terminate() }
        }
    }

    @Test func aLaptopThatIsRemovedForgetsTheHome() async throws {
        try await Lab.with { lab in
            try await lab.joinAsGuest()
            #expect(!(try lab.filesOfHubs.isEmpty))
            try await lab.atHub("user remove Ben")
            _ = try await Wait.value {
                $0.isEmpty
            } of: {
                try lab.filesOfHubs.joined(separator: " ")
            }
            // The agent deletes the keys and the copy before it lets go of the hub.
            try await Wait.until("the home is gone") {
                !(try await lab.onLaptop("home list 2>&1 || true").contains("Villa"))
            }
        }
    }
}
