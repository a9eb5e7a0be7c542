import Foundation
import PeerProcess
import Testing

/// Voice satellites, judged by the Wyoming protocol's own Python package: what they hear, what reaches the accessories, and
/// what they can't do.
struct WyomingTests {
    private struct Ready: Decodable, Sendable {
        var event: String
        var wyoming: String?
    }

    /// An event that the server sent, as the package reads it.
    private struct Event: Decodable, Sendable {
        struct Data: Decodable, Sendable {
            struct Program: Decodable, Sendable {
                struct Model: Decodable, Sendable {
                    var languages: [String]
                }

                var models: [Model]
            }

            var text: String?
            var name: String?
            var intent: [Program]?
            var handle: [Program]?
        }

        var type: String
        var data: Data?
    }

    /// A satellite that is connected to a hub.
    private struct Satellite {
        let process: PeerProcess

        init(_ address: String) throws {
            let parts = address.split(separator: ":").map(String.init)
            process = try PeerPython.start("wyoming_client.py", parts)
        }

        /// Sends an event and returns the server's.
        func send(_ action: String, _ text: String? = nil, _ more: [String: String] = [:]) async throws -> Event {
            var command = more
            command["do"] = action
            command["text"] = text
            try process.send(String(decoding: try JSONEncoder().encode(command), as: UTF8.self))
            return try await process.json(Event.self, "an event") { _ in true }
        }
    }

    private static let bridge = """
        {"format": 1, "name": "Bridge", "serialNumber": "W-0", "deviceID": "ID", "setupCode": "482-11-957",
         "services": [], "accessories": [
          {"name": "Desk Lamp", "serialNumber": "W-1", "services": [
            {"type": "Lightbulb", "characteristics": {"On": false}}]},
          {"name": "Front Door", "serialNumber": "W-2", "services": [
            {"type": "LockMechanism", "characteristics": {"LockTargetState": 1, "LockCurrentState": 1}}]},
          {"name": "Back Door", "serialNumber": "W-3", "services": [
            {"type": "LockMechanism", "characteristics": {"LockTargetState": 1, "LockCurrentState": 1}}]}]}
        """

    /// Runs `body` with a hub that serves satellites, and the accessories above.
    private static func with(
        _ arguments: [String] = [],
        _ body: (Fixture, Satellite) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let simulator = try await fixture.startSimulator(
                "bridge",
                describedBy: bridge.replacing("\"ID\"", with: "\"\(id)\"")
            )
            let start = ["hub", "--data", fixture.data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1"]
            let hub = try PeerProcess(Programs.hearth, start + ["--wyoming", "127.0.0.1:0", "--json"] + arguments)
            let ready = try await hub.json(Ready.self, "the hub's start") { $0.event == "ready" }
            #expect(try await fixture.run("home", "add", "Villa").status == 0)
            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            let satellite = try Satellite(try #require(ready.wyoming))
            try await body(fixture, satellite)
            _ = await satellite.process.terminate()
            _ = await hub.terminate()
            _ = await simulator.terminate()
        }
    }

    private static func lock(_ name: String, _ fixture: Fixture) async throws -> String {
        try await fixture.run("get", name, "LockTargetState").output.trimmingCharacters(in: .newlines)
    }

    @Test func whatASatelliteHearsReachesTheAccessories() async throws {
        try await Self.with { fixture, satellite in
            let info = try await satellite.send("describe")
            #expect(info.type == "info")
            for program in [info.data?.intent, info.data?.handle] {
                #expect(program?.first?.models.first?.languages.contains("ja") == true)
            }
            #expect(try await satellite.send("ping", "here").data?.text == "here")

            let on = try await satellite.send("say", "turn on the desk lamp")
            #expect(on.type == "handled")
            #expect(on.data?.text == "Desk Lamp is on.")
            #expect(try await fixture.run("get", "Desk Lamp", "On").output == "on\n")
            let why = try await fixture.run("why", "Desk Lamp").output
            #expect(why.contains("said “turn on the desk lamp”"), "\(why)")

            // What is only to be recognized isn't done, until the intent is to be handled.
            let intent = try await satellite.send("recognize", "turn off the desk lamp")
            #expect(intent.type == "intent")
            #expect(intent.data?.name == "hearth.write")
            #expect(try await fixture.run("get", "Desk Lamp", "On").output == "on\n")
            #expect(try await satellite.send("handle").type == "handled")
            #expect(try await fixture.run("get", "Desk Lamp", "On").output == "off\n")

            let german = try await satellite.send("say", "Schalte Desk Lamp ein", ["language": "de-DE"])
            #expect(german.data?.text == "Desk Lamp ist an.")
            // Nothing of these is done.
            for text in [
                "flurble", "", "turn off the desk lamp\nunlock the front door", "turn off\u{2028}the desk lamp",
            ] {
                let answer = try await satellite.send("say", text)
                #expect(answer.type == "not-handled", "\(text)")
                #expect(answer.data?.text?.isEmpty == false)
            }
            #expect(try await satellite.send("recognize", "flurble").type == "not-recognized")
            #expect(try await satellite.send("say", "turn it off", ["language": "tlh"]).type == "not-handled")
            #expect(try await fixture.run("get", "Desk Lamp", "On").output == "on\n")
        }
    }

    @Test func questionsAreAnswersAndOnlyAPersonElsewhereUnlocks() async throws {
        try await Self.with { fixture, satellite in
            let which = try await satellite.send("say", "unlock the door", ["conversation": "c1"])
            #expect(which.type == "handled")
            #expect(which.data?.text == "Which one: Front Door or Back Door?")
            // Another conversation knows nothing of it.
            let other = try await satellite.send("say", "the back door", ["conversation": "c2"])
            #expect(other.data?.text != "Unlock Back Door?")
            let confirm = try await satellite.send("say", "the back door", ["conversation": "c1"])
            #expect(confirm.data?.text == "Unlock Back Door?")
            // Nobody near a satellite can agree.
            _ = try await satellite.send("say", "yes", ["conversation": "c1"])
            #expect(try await Self.lock("Back Door", fixture) == "locked")
            let answered = try await fixture.run("questions", "answer", input: "yes")
            #expect(answered.status == 0, "\(answered.error)")
            let unlocked = try await Wait.value(
                where: { $0 == "unlocked" },
                of: { try await Self.lock("Back Door", fixture) }
            )
            #expect(unlocked == "unlocked")
            #expect(try await Self.lock("Front Door", fixture) == "locked")

            // A speaker who moves on has not answered.
            _ = try await satellite.send("say", "unlock the door", ["keep": "yes"])
            let lamp = try await satellite.send("say", "turn on the desk lamp", ["keep": "yes"])
            #expect(lamp.data?.text == "Desk Lamp is on.")
            #expect(try await fixture.run("questions", "list", "--json").output == "[]\n")
            #expect(try await Self.lock("Front Door", fixture) == "locked")
        }
    }

    @Test func aSatelliteMayWhatItsUserMay() async throws {
        try await Self.with(["--wyoming-user", "Ben"]) { fixture, satellite in
            let early = try await satellite.send("say", "turn on the desk lamp")
            #expect(early.type == "not-handled")
            #expect(early.data?.text?.contains("no user “Ben”") == true)
            #expect(try await fixture.run("user", "add", "Ben", "--role", "guest").status == 0)
            let on = try await satellite.send("say", "turn on the desk lamp")
            #expect(on.data?.text == "Desk Lamp is on.")
            #expect(try await fixture.run("why", "Desk Lamp").output.contains("Ben said"))
            // A guest can't add automations.
            let later = try await satellite.send("say", "turn off the desk lamp at seven")
            #expect(later.type == "not-handled", "\(later)")
            #expect(try await fixture.run("automation", "list").output.isEmpty)
            // A user who leaves takes the right along.
            #expect(try await fixture.run("user", "remove", "Ben").status == 0)
            #expect(try await satellite.send("say", "turn off the desk lamp").type == "not-handled")
            #expect(try await fixture.run("get", "Desk Lamp", "On").output == "on\n")
        }
    }
}
