import Foundation
import PeerProcess
import Testing

/// A hub that is lost with its machine, and comes back from its relay: by commands alone, as whole processes.
struct BurntHouseTests {
    private static let passphrase = "summer rain on a tin roof"

    private struct Ready: Decodable {
        var event: String?
        var url: String?
        var pinnedURL: String?
    }

    private struct Invitation: Decodable {
        var link: String?
    }

    private struct Joining: Decodable {
        var event: String?
        var digits: String?
    }

    private struct Sync: Decodable {
        struct Feed: Decodable {
            var state: String
            var devices: Int
        }

        var feeds: [Feed]
    }

    private struct AgentHub: Decodable {
        struct Standing: Decodable {
            var state: String
        }

        struct Feed: Decodable {
            var relay: String
            var trouble: String?
        }

        var standing: Standing
        var feed: Feed?
    }

    /// Starts a relay with a certificate that it signed itself, as at home.
    private static func startRelay(_ fixture: Fixture) async throws -> (process: PeerProcess, ready: Ready) {
        let folder = fixture.folder.path
        try await ShellScript.run(
            """
            cd \(folder)
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout relay.key -out relay.pem \
                -days 10 -subj /CN=relay 2>/dev/null
            """
        )
        let relay = try PeerProcess(
            Programs.hearth,
            [
                "relay", "--http", "127.0.0.1:0", "--open", "--data", "\(folder)/relay", "--json",
                "--tls-certificate", "\(folder)/relay.pem", "--tls-key", "\(folder)/relay.key",
            ]
        )
        return (relay, try await relay.json(Ready.self, "the relay's start") { $0.event == "ready" })
    }

    /// Runs a command that succeeds.
    @discardableResult
    private static func run(_ fixture: Fixture, _ arguments: String..., input: String? = nil) async throws -> String {
        let outcome = try await fixture.run(arguments, input: input)
        try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
        return outcome.output
    }

    /// Runs a command with JSON output until it succeeds and its output meets a condition.
    private static func wait<Value: Decodable>(
        _ fixture: Fixture,
        _ arguments: String...,
        until condition: (Value) -> Bool
    ) async throws -> Value {
        var found: Value?
        try await Wait.until("\(arguments)") {
            let outcome = try await fixture.run(arguments + ["--json"])
            guard outcome.status == 0 else { return false }
            let value = try JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8))
            found = condition(value) ? value : nil
            return found != nil
        }
        return try #require(found)
    }

    @Test func aNewMachineHasTheWholeHubFromTheRelayAndADevice() async throws {
        try await Fixture.with { fixture in
            let (relay, relayReady) = try await Self.startRelay(fixture)
            let url = try #require(relayReady.url)
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let hub = try await fixture.startHub(["--network", "off"])
            try await Self.run(fixture, "home", "add", "Villa")
            try await Self.run(fixture, "room", "add", "Attic")
            let added = try await fixture.add(id, "--code", "-", "--room", "Attic", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")

            // Nobody has signed the relay's certificate, so it is told to the hub.
            let mistrusted = try await fixture.run("sync", "on", url)
            #expect(mistrusted.status == 1 && mistrusted.error.contains("#pin="), "\(mistrusted.error)")
            let certificate = fixture.folder.appending(path: "relay.pem").path
            let others = "#pin=AAAAAAAAAAAAAAAAAAAAAA&pin=BAAAAAAAAAAAAAAAAAAAAA"
            let third = try await fixture.run("sync", "on", url + others, "--certificate", certificate)
            #expect(third.status == 1 && third.error.contains("already has 2 pins"), "\(third.error)")
            try await Self.run(fixture, "sync", "on", url, "--certificate", certificate, "--vault")
            let early = try await fixture.run("vault", "update")
            #expect(early.status == 1 && early.error.contains("hearth device add"), "\(early.error)")

            // The laptop is never in the hub's network: it joins, reads and controls through the relay.
            let device = "\(fixture.folder.path)/laptop"
            let agentArguments = [
                "agent", "--data", device, "--socket", "\(device).sock", "--mdns-interface", "127.0.0.1", "--json",
            ]
            let agent = try PeerProcess(Programs.hearth, agentArguments)
            _ = try await agent.json(Ready.self, "the agent's start") { $0.event == "ready" }
            let invitation = try JSONDecoder().decode(
                Invitation.self,
                from: Data(try await Self.run(fixture, "device", "add", "--link", "--json").utf8)
            )
            let joining = try PeerProcess(
                Programs.hearth,
                ["join", try #require(invitation.link), "--name", "Laptop", "--socket", "\(device).sock", "--json"]
            )
            let shown = try await joining.json(Joining.self, "the digits") { $0.event == "waiting" }
            let digits = try #require(shown.digits)
            try await Wait.until("the hub asks whether the digits are the same") {
                try await fixture.run("questions").output.contains(digits)
            }
            try await Self.run(fixture, "questions", "answer", input: "Yes")
            await joining.exit()
            #expect(await joining.terminate() == 0, "\(joining.transcript)")
            let _: Sync = try await Self.wait(fixture, "sync", "status") { $0.feeds.first?.state == "current" }
            let told: [AgentHub] = try await Self.wait(fixture, "sync", "status", "--socket", "\(device).sock") {
                $0.first?.feed != nil
            }
            #expect(told.first?.feed?.relay == relayReady.pinnedURL, "the device knows the relay by its key, too")
            try await Self.run(fixture, "vault", "update")

            // The house burns down.
            hub.kill(SIGKILL)
            _ = await hub.exit()
            try FileManager.default.removeItem(atPath: fixture.data)
            let _: [AgentHub] = try await Self.wait(fixture, "sync", "status", "--socket", "\(device).sock") {
                $0.first?.standing.state == "away" && $0.first?.feed?.trouble == nil
            }
            let file = fixture.folder.appending(path: "home.age").path
            let saved = try await fixture.run(
                ["vault", "save", file, "--socket", "\(device).sock", "--passphrase-fd", "0"],
                input: Self.passphrase
            )
            #expect(saved.status == 0, "\(saved.error)")

            // The new machine.
            let restored = fixture.folder.appending(path: "new").path
            try await Self.run(
                fixture,
                "restore",
                file,
                "--data",
                restored,
                "--passphrase-fd",
                "0",
                input: Self.passphrase
            )
            let new = try PeerProcess(
                Programs.hearth,
                [
                    "hub", "--data", restored, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1",
                    "--network", "off", "--json",
                ]
            )
            _ = try await new.json(Ready.self, "the new hub's start") { $0.event == "ready" }
            // No accessory is reset: the pairing is the same one.
            try await Wait.until("the lamp is controlled") {
                try await fixture.run("set", "Lamp", "On", "true").status == 0
            }
            try await Self.run(fixture, "device", "confirm", "Laptop")
            // The laptop goes on: it controls the lamp, and its feed goes on at the relay.
            try await Wait.until("the laptop controls the lamp") {
                try await fixture.run(["set", "Lamp", "On", "false", "--socket", "\(device).sock"]).status == 0
            }
            #expect(try await Self.run(fixture, "get", "Lamp", "On").contains("off"))
            #expect(try await Self.run(fixture, "room", "list") == "Attic\n")
            let _: Sync = try await Self.wait(fixture, "sync", "status") {
                $0.feeds.first?.state == "current" && $0.feeds.first?.devices == 1
            }
            try await Self.run(fixture, "vault", "update")
            for process in [new, agent, lamp, relay] { #expect(await process.terminate() == 0) }
        }
    }
}
