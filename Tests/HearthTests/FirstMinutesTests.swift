import Foundation
import PeerProcess
import Testing

@testable import hearth

/// What somebody meets who reads nothing but the help.
struct FirstMinutesTests {
    private struct Session: Decodable {
        var status: Int32
        var text: String
    }

    private struct Rule: Encodable {
        var prompt: String
        var send: String
        var seen: String?
        var otherwise: String?
    }

    private static func terminal(_ fixture: Fixture, _ rules: [Rule], _ arguments: [String]) async throws -> Session {
        let rules = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
        let words = [rules, Programs.hearth.path] + arguments + ["--socket", fixture.socket]
        let peer = try PeerPython.start("terminal.py", words)
        let session = try await peer.json(Session.self, "the end of the session") { _ in true }
        await peer.terminate()
        return session
    }

    @Test func onATerminalAnAccessoryIsAddedByAnsweringQuestions() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let name = "Lamp \(UInt32.random(in: 0 ... .max))"
            let description = #"""
                {
                  "format": 1, "name": "\#(name)", "manufacturer": "Hearth", "model": "Lamp", "serialNumber": "LAMP-1",
                  "category": "Lightbulb", "deviceID": "\#(Fixture.newDeviceID())", "setupCode": "\#(Fixture.lampCode)",
                  "services": [{ "type": "Lightbulb", "characteristics": { "On": false } }]
                }
                """#
            let simulator = try await fixture.startSimulator("lamp", describedBy: description)
            let session = try await Self.terminal(
                fixture,
                [
                    Rule(prompt: "Name of the home", send: ""),
                    Rule(prompt: "Latitude", send: "52.5 13.4", seen: "not on the map", otherwise: "152.5 13.4"),
                    // Other tests' accessories may be found first.
                    Rule(prompt: "Accessory", send: name, seen: name, otherwise: "Look Again"),
                    Rule(prompt: "Setup code", send: Fixture.lampCode, seen: "wasn't", otherwise: "111-22-333"),
                    Rule(prompt: "Answer", send: "add anyway"),
                    Rule(prompt: "Name", send: "Reading Lamp"), Rule(prompt: "Room", send: "Living Room"),
                    Rule(prompt: "Favorite", send: ""),
                ],
                ["accessory", "add"]
            )
            #expect(session.status == 0, "\(session.text)")
            #expect(session.text.contains("Added the home My Home."), "\(session.text)")
            // The home has no such room yet.
            #expect(session.text.contains("Added Reading Lamp to Living Room"), "\(session.text)")
            #expect(try await fixture.run("home", "place").output.contains("52.5"))
            // A light is suggested as a favorite.
            #expect(try await fixture.run("favorite", "list").output == "Reading Lamp  Living Room  Light\n")
            #expect(
                try await fixture.run("accessory", "list").output.hasPrefix("Reading Lamp  Living Room  Light  Lamp")
            )
            for process in [simulator, hub] { _ = await process.terminate() }
        }
    }

    @Test func onATerminalAPassphraseIsNotShown() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.backup").path
            let passphrase = "correct horse battery staple"
            let prompts = [Rule(prompt: "Passphrase", send: passphrase), Rule(prompt: "Repeat", send: passphrase)]
            let session = try await Self.terminal(fixture, prompts, ["backup", file])
            #expect(session.status == 0, "\(session.text)")
            #expect(session.text.contains("Repeat passphrase: "))
            #expect(!session.text.contains(passphrase))
            await hub.terminate()
        }
    }

    @Test func theDefaultFolderIsThatOfTheUsersState() {
        let home = URL(filePath: "/home/ann", directoryHint: .isDirectory)
        func path(_ environment: [String: String], isRoot: Bool = false) -> String {
            StandardFolder.data(environment: environment, isRoot: isRoot, home: home).path
        }
        #expect(path(["XDG_STATE_HOME": "/state"]) == "/state/hearth")
        #expect(path(["XDG_STATE_HOME": "state"]) == "/home/ann/.local/state/hearth")
        #expect(path([:]) == "/home/ann/.local/state/hearth")
        #expect(path(["XDG_STATE_HOME": "/state"], isRoot: true) == "/var/lib/hearth")
    }

    @Test func favoritesOrdersAndDisplayAreSetByCommands() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            func run(_ arguments: String...) async throws {
                let outcome = try await fixture.run(arguments)
                #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
            }
            func refusal(_ arguments: String...) async throws -> String {
                String(try await fixture.run(arguments).error.dropFirst("error: ".count).prefix { $0 != ":" })
            }
            try await run("home", "add", "My Home")
            for room in ["Attic", "Bath"] { try await run("room", "add", room) }
            try await run("room", "move", "bath", "--before", "attic")
            #expect(try await fixture.run("room", "list").output == "Bath\nAttic\n")
            try await run("scene", "add", "Movie Night")
            try await run("scene", "icon", "movie night", "film")
            #expect(try await fixture.run("scene", "list", "--json").output.contains(#""icon":"film""#))
            #expect(try await refusal("scene", "icon", "Movie Night", "skull") == "invalidParameter")
            try await run("favorite", "add", "Movie Night")
            try await run("favorite", "add", "Good Night", "--before", "Movie Night")
            #expect(try await fixture.run("favorite", "list").output == "Good Night     Scene\nMovie Night    Scene\n")
            try await run("favorite", "move", "Good Night")
            try await run("scene", "remove", "Movie Night")
            #expect(try await fixture.run("favorite", "list").output == "Good Night    Scene\n")
            try await run("favorite", "remove", "Good Night")
            #expect(try await refusal("favorite", "remove", "Good Night") == "notFound")
            #expect(try await refusal("favorite", "add", "Toaster") == "notFound")

            // A user's name, and a folder in place of a file.
            try await run("user", "add", "Ann")
            #expect(try await refusal("user", "add", "ann") == "nameTaken")
            let folder = try await fixture.run("import", fixture.folder.path)
            #expect(folder.error.contains("is a folder") && folder.status == 1, "\(folder)")
            #expect(await hub.terminate() == 0)
        }
    }
}
