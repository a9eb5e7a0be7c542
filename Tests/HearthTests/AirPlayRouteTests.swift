import Foundation
import PeerProcess
import Testing

/// `hearth airplay route`.
struct AirPlayRouteTests {
    /// A file with the choice, and a closure that starts the command with it.
    private struct Route {
        let file: URL
        var pairings: URL { file.deletingLastPathComponent().appending(path: "route-pairings.json") }

        init(_ folder: URL) {
            file = folder.appending(path: "state/route.json")
        }

        func start(_ words: String...) throws -> PeerProcess {
            try PeerProcess(
                Programs.hearth,
                ["airplay", "route"] + words,
                environment: ["HEARTH_AIRPLAY_ROUTE": file.path]
            )
        }

        /// Runs the command. Returns what it printed.
        func run(_ words: String...) async throws -> String {
            let program = try PeerProcess(
                Programs.hearth,
                ["airplay", "route"] + words,
                environment: ["HEARTH_AIRPLAY_ROUTE": file.path]
            )
            #expect(await program.exit() == 0, "\(program.transcript)")
            return program.transcript
        }

        var text: String? { try? String(contentsOf: file, encoding: .utf8) }
    }

    private static func permissions(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    private static func withReceiver(
        _ options: String...,
        body: (_ name: String, Route) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            let name = "Room \(UUID().uuidString.prefix(8))"
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive", "--name", name, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1"]
                    + ["--pcm", "/dev/null", "--json"] + options
            )
            _ = try await receiver.line("the receiver") { $0.contains("\"ready\"") }
            try await body(name, Route(fixture.folder))
            #expect(await receiver.terminate() == 0)
        }
    }

    @Test func theChoiceIsShownStoredAndRemoved() async throws {
        try await Fixture.with { fixture in
            let route = Route(fixture.folder)
            #expect(try await route.run() == "none\n")
            let chosen = try await route.run(
                "Kitchen",
                "Bath",
                "--host",
                "127.0.0.1",
                "--port",
                "9",
                "--host",
                "127.0.0.2",
                "--port",
                "9"
            )
            #expect(chosen == "Kitchen\nBath\n")
            #expect(try await route.run() == "Kitchen\nBath\n")
            #expect(try Self.permissions(route.file) == 0o600)
            #expect(try Self.permissions(route.file.deletingLastPathComponent()) == 0o700)
            #expect(try await route.run("none") == "none\n")
            #expect(try await route.run() == "none\n")
        }
    }

    @Test func aReceiverThatLetsEveryoneInNeedsNothing() async throws {
        try await Self.withReceiver { name, route in
            let printed = try await route.run(name, "--mdns-interface", "127.0.0.1")
            #expect(printed == "\(name)\n")
        }
    }

    @Test func aReceiverThatIsNotThereIsChosenForLater() async throws {
        try await Fixture.with { fixture in
            let name = "Room \(UUID().uuidString.prefix(8))"
            let printed = try await Route(fixture.folder).run(name, "--mdns-interface", "127.0.0.1")
            // Notes and results come from two pipes.
            #expect(printed.contains("isn't on the network now"))
            #expect(printed.split(separator: "\n").contains { $0 == name })
        }
    }

    @Test func aPINIsAskedForOnce() async throws {
        try await Self.withReceiver("--pin", "1234") { name, route in
            let program = try route.start(name, "--mdns-interface", "127.0.0.1")
            try program.send("1234")
            #expect(await program.exit() == 0, "\(program.transcript)")
            #expect(program.transcript.contains("PIN that \(name) shows: "))
            #expect(try Self.permissions(route.pairings) == 0o600)
            // It knows us now.
            #expect(try await route.run("none") == "none\n")
            #expect(try await route.run(name, "--mdns-interface", "127.0.0.1") == "\(name)\n")
        }
    }

    @Test func aWrongPINChangesNothing() async throws {
        try await Self.withReceiver("--pin", "1234") { name, route in
            _ = try await route.run("none")
            let previous = route.text
            let program = try route.start(name, "--mdns-interface", "127.0.0.1", "--pin", "9999")
            #expect(await program.exit() == 1)
            #expect(program.transcript.contains("refused the PIN"), "\(program.transcript)")
            #expect(route.text == previous)
            #expect(try await route.run(name, "--mdns-interface", "127.0.0.1", "--pin", "1234") == "\(name)\n")
        }
    }

    @Test func aPasswordIsAskedForOnce() async throws {
        try await Self.withReceiver("--password", "secret") { name, route in
            let wrong = try route.start(name, "--mdns-interface", "127.0.0.1")
            try wrong.send("wrong")
            #expect(await wrong.exit() == 1)
            #expect(wrong.transcript.contains("refused the password"), "\(wrong.transcript)")
            #expect(route.text == nil)
            let silent = try route.start(name, "--mdns-interface", "127.0.0.1")
            silent.closeInput()
            #expect(await silent.exit() == 1)
            #expect(silent.transcript.contains("\(name) needs a password. Use --password."))
            #expect(!silent.transcript.contains("Password of"))
            let program = try route.start(name, "--mdns-interface", "127.0.0.1")
            try program.send("secret")
            #expect(await program.exit() == 0, "\(program.transcript)")
            // A program that writes the password gets no prompt.
            #expect(program.transcript == "\(name)\n")
            #expect(try await route.run("none") == "none\n")
            #expect(try await route.run(name, "--mdns-interface", "127.0.0.1") == "\(name)\n")
        }
    }

    @Test func aChoiceThatCannotBeStoredIsNamed() async throws {
        let program = try PeerProcess(
            Programs.hearth,
            ["airplay", "route", "none"],
            environment: ["HEARTH_AIRPLAY_ROUTE": "/dev/null/route.json"]
        )
        #expect(await program.exit() == 1)
        #expect(program.transcript.contains("/dev/null/route.json can't be written"), "\(program.transcript)")
    }

    @Test(
        arguments: [
            (["--password", "x"], "Name a receiver"),
            (["Kitchen", "--host", "127.0.0.1"], "--host and --port together"),
            (["Kitchen", "--host", "127.0.0.1", "--port", "0"], "--port must be 1 to 65535"),
            (["Kitchen", "Kitchen"], "Name each receiver once"), (["none", "Kitchen"], "stands alone"),
            (["Kitchen", "Bath", "--host", "127.0.0.1", "--port", "9"], "once for each receiver"),
            (["A", "B", "C", "--password", "x", "--password", "y"], "--password once"),
            (["Kitchen", "--pin", "12345"], "four digits"), (["Kitchen", "--classic", "--pin", "1234"], "AirPlay 2"),
            ([""], "must not be empty"), ((0...32).map { "Room \($0)" }, "At most 32 receivers"),
        ] as [([String], String)]
    )
    func badArgumentsChangeNothing(words: [String], reason: String) async throws {
        try await Fixture.with { fixture in
            let route = Route(fixture.folder)
            let program = try PeerProcess(
                Programs.hearth,
                ["airplay", "route"] + words,
                environment: ["HEARTH_AIRPLAY_ROUTE": route.file.path]
            )
            #expect(await program.exit() == 2)
            #expect(program.transcript.contains(reason), "\(program.transcript)")
            #expect(route.text == nil)
        }
    }
}
