import Foundation
import PeerProcess
import Testing

/// Apps in processes of their own, on one hub: `Tests/Support/HomeKitApp`, which imports `HomeKit` and nothing else.
@Suite(.timeLimit(.minutes(2)))
struct AppTests {
    private struct Message: Decodable, Sendable {
        var event: String
        var id: Int?
        var name: String?
        var listed: Bool?
        var error: Int?
        var homes: [String]?
        var authorized: Bool?
    }

    private static func start(_ name: String, on stage: Stage) async throws -> PeerProcess {
        let environment = [
            "HEARTH_SOCKET": stage.socket, "HEARTH_APP": name, "HEARTH_PURPOSE": "Tests that apps share one home.",
        ]
        let app = try PeerProcess(Programs.app, environment: environment)
        _ = try await app.json(Message.self, "the homes") { $0.event == "didUpdateHomes" }
        return app
    }

    @Test func anAppThatAddsARoomHearsOfItByItsCompletionAndOthersByTheirDelegates() async throws {
        try await Stage.with { stage in
            let hub = try await stage.startHub()
            let author = try await Self.start("test.author", on: stage)
            let reader = try await Self.start("test.reader", on: stage)
            try author.send(#"{"id": 1, "do": "addHome", "name": "My Home"}"#)
            let home = try await author.json(Message.self, "the home's completion") { $0.id == 1 }
            #expect(home.error == nil)
            #expect(home.listed == true)
            _ = try await reader.json(Message.self, "the home") { $0.event == "didAddHome" && $0.name == "My Home" }

            try author.send(#"{"id": 2, "do": "addRoom", "name": "Kitchen"}"#)
            let room = try await author.json(Message.self, "the room's completion") { $0.id == 2 }
            #expect(room.error == nil)
            #expect(room.listed == true)
            let heard = try await reader.json(Message.self, "the room") { $0.event == "didAddRoom" }
            #expect(heard.name == "Kitchen")
            #expect(heard.listed == true)

            // A round trip later the author has still heard nothing of its own changes by delegate.
            try author.send(#"{"id": 3, "do": "addRoom", "name": "kitchen"}"#)
            let refused = try await author.json(Message.self, "the refusal") { $0.id == 3 }
            #expect(refused.error != nil)
            #expect(!author.transcript.contains("didAdd"))
            #expect(!reader.transcript.contains(#""id""#))
            for process in [author, reader, hub] { _ = await process.terminate() }
        }
    }

    @Test func anAppThatWaitsForAHubGetsItsHomesWhenOneStarts() async throws {
        try await Stage.with { stage in
            let environment = ["HEARTH_SOCKET": stage.socket, "HEARTH_APP": "test.early", "HEARTH_PURPOSE": "Tests."]
            let app = try PeerProcess(Programs.app, environment: environment)
            let hub = try await stage.startHub()
            let update = try await app.json(Message.self, "the homes", within: .seconds(30)) {
                $0.event == "didUpdateHomes"
            }
            #expect(update.homes == [])
            // It says once why it waits.
            #expect(app.transcript.components(separatedBy: stage.socket).count <= 2)
            for process in [app, hub] { _ = await process.terminate() }
        }
    }

    @Test func anAppIsDeniedAndAllowedFromATerminal() async throws {
        try await Stage.with { stage in
            let hub = try await stage.startHub()
            #expect(try await stage.run("home", "add", "My Home").status == 0)
            let app = try await Self.start("com.example.app", on: stage)
            let listed = try await stage.run("app").output
            #expect(listed == "com.example.app  (not decided, connected)  Tests that apps share one home.\n")

            #expect(try await stage.run("app", "deny", "com.example.app").status == 0)
            _ = try await app.json(Message.self, "the denial") { $0.authorized == false }
            _ = try await app.json(Message.self, "the loss of the homes") { $0.homes == [] }
            try app.send(#"{"id": 1, "do": "addHome", "name": "Cabin"}"#)
            let refused = try await app.json(Message.self, "the refusal") { $0.id == 1 }
            #expect(refused.error == 47)
            #expect(try await stage.run("app", "list", "--json").output.contains(#""isAllowed":false"#))

            #expect(try await stage.run("app", "allow", "com.example.app").status == 0)
            _ = try await app.json(Message.self, "the permission") { $0.authorized == true }
            _ = try await app.json(Message.self, "the homes") { $0.homes == ["My Home"] }
            #expect(try await stage.run("app", "forget", "com.example.app").status == 0)
            #expect(try await stage.run("app", "forget", "com.example.app").error.contains("notFound"))
            #expect(try await stage.run("app", "deny", "hearth").error.contains("invalidParameter"))
            for process in [app, hub] { _ = await process.terminate() }
        }
    }

    @Test func aHubThatAsksAboutAppsIsAnsweredFromATerminal() async throws {
        try await Stage.with { stage in
            let hub = try await stage.startHub(["--ask-apps"])
            let watch = try PeerProcess(Programs.hearth, ["watch"], environment: ["HEARTH_SOCKET": stage.socket])
            _ = try await watch.json(Stage.Line.self, "the watch") { $0.event == "watching" }
            async let app = Self.start("com.example.app", on: stage)
            _ = try await watch.json(Stage.Line.self, "the question") { $0.event == "question" }
            let questions = try await stage.run("questions").output
            #expect(questions.contains("“com.example.app” would like to use your homes."))
            #expect(questions.contains("(Allow, Don’t Allow)"))
            #expect(try await stage.run("questions", "answer", input: "maybe").error.contains("invalidAnswer"))
            #expect(try await stage.run("questions", "answer", input: "allow").status == 0)
            let started = try await app
            for process in [started, watch, hub] { _ = await process.terminate() }
        }
    }
}
