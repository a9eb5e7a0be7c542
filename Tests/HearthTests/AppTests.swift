import Foundation
import PeerProcess
import Testing

/// Apps in their own processes, on one hub: `Tests/Support/HomeKitApp`, which imports only `HomeKit`.
struct AppTests {
    private struct Message: Decodable, Sendable {
        var event: String
        var id: Int?
        var name: String?
        var listed: Bool?
        var error: Int?
        var homes: [String]?
        var authorized: Bool?
        var reachable: Bool?
        var value: String?
    }

    private static func start(_ name: String, on fixture: Fixture) async throws -> PeerProcess {
        let environment = [
            "HEARTH_SOCKET": fixture.socket, "HEARTH_APP": name, "HEARTH_PURPOSE": "Tests that apps share one home.",
        ]
        let app = try PeerProcess(Programs.app, environment: environment)
        _ = try await app.json(Message.self, "the homes") { $0.event == "didUpdateHomes" }
        return app
    }

    @Test func anAppThatAddsARoomHearsOfItByItsCompletionAndOthersByTheirDelegates() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let author = try await Self.start("test.author", on: fixture)
            let reader = try await Self.start("test.reader", on: fixture)
            try author.send(#"{"id": 1, "do": "addHome", "name": "My Home"}"#)
            let home = try await author.json(Message.self, "the home's completion") { $0.id == 1 }
            #expect(home.error == nil)
            #expect(home.listed == true)
            _ = try await reader.json(Message.self, "the home") { $0.event == "didAddHome" && $0.name == "My Home" }

            try author.send(#"{"id": 2, "do": "addRoom", "name": "Kitchen"}"#)
            let room = try await author.json(Message.self, "the room's completion") { $0.id == 2 }
            #expect(room.error == nil)
            #expect(room.listed == true)
            let added = try await reader.json(Message.self, "the room") { $0.event == "didAddRoom" }
            #expect(added.name == "Kitchen")
            #expect(added.listed == true)

            // A round trip later, the author's delegate still hasn't received the author's own changes.
            try author.send(#"{"id": 3, "do": "addRoom", "name": "kitchen"}"#)
            let refused = try await author.json(Message.self, "the refusal") { $0.id == 3 }
            #expect(refused.error != nil)
            #expect(!author.transcript.contains("didAdd"))
            #expect(!reader.transcript.contains(#""id""#))
            for process in [author, reader, hub] { _ = await process.terminate() }
        }
    }

    @Test func anAppThatWaitsForAHubGetsItsHomesWhenOneStarts() async throws {
        try await Fixture.with { fixture in
            let environment = ["HEARTH_SOCKET": fixture.socket, "HEARTH_APP": "test.early", "HEARTH_PURPOSE": "Tests."]
            let app = try PeerProcess(Programs.app, environment: environment)
            let hub = try await fixture.startHub()
            let update = try await app.json(Message.self, "the homes") {
                $0.event == "didUpdateHomes"
            }
            #expect(update.homes == [])
            // It prints once why it waits.
            #expect(app.transcript.components(separatedBy: fixture.socket).count <= 2)
            for process in [app, hub] { _ = await process.terminate() }
        }
    }

    @Test func anAppIsDeniedAndAllowedFromATerminal() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let app = try await Self.start("com.example.app", on: fixture)
            let listed = try await fixture.run("app").output
            #expect(listed == "com.example.app  (not decided, connected)  Tests that apps share one home.\n")

            #expect(try await fixture.run("app", "deny", "com.example.app").status == 0)
            _ = try await app.json(Message.self, "the denial") { $0.authorized == false }
            _ = try await app.json(Message.self, "the loss of the homes") { $0.homes == [] }
            try app.send(#"{"id": 1, "do": "addHome", "name": "Cabin"}"#)
            let refused = try await app.json(Message.self, "the refusal") { $0.id == 1 }
            #expect(refused.error == 47)
            #expect(try await fixture.run("app", "list", "--json").output.contains(#""isAllowed":false"#))

            #expect(try await fixture.run("app", "allow", "com.example.app").status == 0)
            _ = try await app.json(Message.self, "the permission") { $0.authorized == true }
            _ = try await app.json(Message.self, "the homes") { $0.homes == ["My Home"] }
            #expect(try await fixture.run("app", "forget", "com.example.app").status == 0)
            #expect(try await fixture.run("app", "forget", "com.example.app").error.contains("notFound"))
            #expect(try await fixture.run("app", "deny", "hearth").error.contains("invalidParameter"))
            for process in [app, hub] { _ = await process.terminate() }
        }
    }

    @Test func aHubThatAsksAboutAppsIsAnsweredFromATerminal() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--ask-apps"])
            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            async let app = Self.start("com.example.app", on: fixture)
            _ = try await watch.json(Fixture.Line.self, "the question") { $0.event == "question" }
            let questions = try await fixture.run("questions").output
            #expect(questions.contains("“com.example.app” would like to use your homes."))
            #expect(questions.contains("(Allow, Don’t Allow)"))
            #expect(try await fixture.run("questions", "answer", input: "maybe").error.contains("invalidAnswer"))
            #expect(try await fixture.run("questions", "answer", input: "allow").status == 0)
            let started = try await app
            for process in [started, watch, hub] { _ = await process.terminate() }
        }
    }

    /// A hub with a lamp, and an app that is subscribed to the lamp.
    private struct LampHome {
        let fixture: Fixture
        let lamp: PeerProcess
        let app: PeerProcess
        private let data: String

        init(_ fixture: Fixture, _ name: String) async throws {
            self.fixture = fixture
            data = fixture.folder.appending(path: "lamp").path
            let id = Fixture.newDeviceID()
            lamp = try await fixture.startLamp(id)
            try #require(try await fixture.run("home", "add", "My Home").status == 0)
            let added = try await fixture.add(id, "--code", Fixture.lampCode)
            try #require(added.status == 0, "\(added.error)")
            app = try await AppTests.start(name, on: fixture)
            let power = "00000025-0000-1000-8000-0026BB765291"
            try app.send(#"{"id": 1, "do": "notify", "name": "Lamp", "type": "\#(power)"}"#)
            try #require(try await app.json(Message.self, "the lamp's events") { $0.id == 1 }.error == nil)
            try await expectChange(to: true)
        }

        /// Switches the lamp manually, and waits until the app receives the value.
        func expectChange(to isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let set = try await fixture.run("sim", "set", "Lamp", "On", isOn ? "on" : "off", "--data", data)
            #expect(set.status == 0, "\(set.error)", sourceLocation: sourceLocation)
            try await expectValue(isOn, sourceLocation: sourceLocation)
        }

        /// Expects the app's next value.
        func expectValue(_ isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let update = try await app.json(Message.self, "a value") { $0.event == "didUpdateValue" }
            #expect(update.value == (isOn ? "1" : "0"), sourceLocation: sourceLocation)
        }

        /// Waits until the app receives the lamp's reachability.
        func expectReachability(_ isReachable: Bool) async throws {
            _ = try await app.json(Message.self, "reachability") {
                $0.event == "didUpdateReachability" && $0.reachable == isReachable
            }
        }

        /// Waits until the app is connected.
        func expectConnection() async throws {
            try await Wait.until("the app connects") {
                try await fixture.run("app", "list").output.contains("connected)")
            }
        }

        func end(_ hub: PeerProcess) async {
            for process in [app, lamp, hub] { _ = await process.terminate() }
        }
    }

    @Test func anAppHearsOfALampThatTheHubReachesLongAfterItsStart() async throws {
        try await Fixture.with { fixture in
            let first = try await fixture.startHub()
            let home = try await LampHome(fixture, "test.patient")
            home.lamp.kill(SIGSTOP)
            first.kill(SIGKILL)
            await first.exit()
            // Apps reconnect first, then accessories.
            let second = try await fixture.startHub()
            try await home.expectReachability(false)
            try await home.expectConnection()
            home.lamp.kill(SIGCONT)
            try await home.expectReachability(true)
            for isOn in [false, true, false] { try await home.expectChange(to: isOn) }
            await home.end(second)
        }
    }

    @Test func anAppHearsThatItsHubIsGoneAndWhatChangedMeanwhile() async throws {
        try await Fixture.with { fixture in
            let first = try await fixture.startHub()
            let home = try await LampHome(fixture, "test.orphan")
            first.kill(SIGKILL)
            await first.exit()
            try await home.expectReachability(false)
            let data = fixture.folder.appending(path: "lamp").path
            #expect(try await fixture.run("sim", "set", "Lamp", "On", "off", "--data", data).status == 0)
            let second = try await fixture.startHub()
            // The app receives it once, before any other event of the lamp.
            try await home.expectValue(false)
            try await home.expectReachability(true)
            try await home.expectChange(to: true)
            await home.end(second)
        }
    }
}
