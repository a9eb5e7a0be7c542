import Foundation
import HomeModel
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// Groups, scenes, automations and users on the command line.
struct LayoutCommandTests {
    private struct Member: Decodable {
        var id: String
        var name: String
        var role: String
        var isYou: Bool
    }

    private static func users(_ fixture: Fixture, of home: String) async throws -> [Member] {
        let output = try await fixture.run("user", "list", "--home", home, "--json").output
        return try JSONDecoder().decode([Member].self, from: Data(output.utf8))
    }

    /// Starts a simulated accessory with a lamp and a switch, and adds it to the home.
    private static func addPanel(_ fixture: Fixture) async throws -> PeerProcess {
        let id = (0..<6).map { _ in String(format: "%02X", UInt8.random(in: 0...255)) }.joined(separator: ":")
        let description = #"""
            {
              "format": 1, "name": "Panel", "manufacturer": "Hearth", "model": "Panel", "serialNumber": "PANEL-1",
              "category": "Switch", "deviceID": "\#(id)", "setupCode": "\#(Fixture.lampCode)",
              "services": [
                { "type": "Lightbulb", "name": "Floor Lamp", "characteristics": { "On": false, "Brightness": 50 } },
                { "type": "Switch", "name": "Wall Switch", "characteristics": { "On": false } }
              ]
            }
            """#
        let process = try await fixture.startSimulator("panel", describedBy: description)
        let added = try await fixture.add(id, "--code", Fixture.lampCode)
        try #require(added.status == 0, "\(added)")
        return process
    }

    /// Runs commands that succeed.
    private static func run(_ fixture: Fixture, _ commands: [[String]]) async throws {
        for command in commands {
            let outcome = try await fixture.run(command)
            #expect(outcome.status == 0, "\(command): \(outcome.error)")
        }
    }

    /// Runs commands that fail.
    private static func refuse(_ fixture: Fixture, _ commands: [(arguments: [String], name: String)]) async throws {
        for (arguments, name) in commands {
            let outcome = try await fixture.run(arguments)
            #expect(outcome.status == 1, "\(arguments)")
            #expect(outcome.error.hasPrefix("error: \(name): "), "\(arguments): \(outcome.error)")
        }
    }

    @Test func anAccessoryIsBlockedAndUnblocked() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await Self.run(fixture, [["home", "add", "My Home"]])
            let panel = try await Self.addPanel(fixture)
            try await Self.refuse(fixture, [(["accessory", "block", "Lamp"], "notFound")])
            try await Self.run(fixture, [["accessory", "block", "Panel"], ["accessory", "block", "Panel"]])
            #expect(try await fixture.run("accessory", "list").output.contains("blocked"))
            #expect(try await fixture.run("accessory", "list", "--json").output.contains(#""isBlocked":true"#))
            try await Self.refuse(fixture, [(["identify", "Panel"], "accessoryBlocked")])
            try await Self.run(fixture, [["accessory", "unblock", "Panel"]])
            #expect(try await fixture.run("accessory", "list", "--json").output.contains(#""isBlocked":false"#))
            _ = await panel.terminate()
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func peopleAreAddedGivenRolesAndRemoved() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await Self.run(
                fixture,
                [
                    ["home", "add", "My Home"], ["home", "add", "Lake House"], ["user", "add", "Ann"],
                    ["user", "add", "Bob", "--role", "administrator"],
                    ["user", "add", "ann", "--from", "my home", "--home", "Lake House"],
                    ["user", "role", "Ann", "administrator"], ["user", "role", "Bob", "guest"],
                ]
            )
            let users = try await Self.users(fixture, of: "My Home")
            #expect(users.map(\.role) == ["owner", "administrator", "guest"])
            #expect(users.map(\.isYou) == [true, false, false])
            #expect(users.dropFirst().map(\.name) == ["Ann", "Bob"])
            // The same person, with the same name and a different ID in each home.
            let guest = try #require(try await Self.users(fixture, of: "Lake House").last)
            #expect(guest.id != users[1].id)
            #expect(guest.name == "Ann")
            #expect(guest.role == "guest")
            let table = try await fixture.run("user", "list").output.split(separator: "\n")
            #expect(table.count == 3)
            #expect(table.last?.split(separator: " ").prefix(5) == ["Bob", "guest", "can", "control", "(invited"])

            try await Self.run(fixture, [["user", "remove", "Ann"], ["user", "remove", users[2].id]])
            #expect(try await Self.users(fixture, of: "My Home").map(\.role) == ["owner"])
            try await Self.refuse(
                fixture,
                [
                    (["user", "remove", "Ann"], "notFound"), (["user", "role", "Ann", "guest"], "notFound"),
                    (["user", "remove", users[0].name], "ownerFixed"),
                    (["user", "role", users[0].name, "guest"], "ownerFixed"), (["user", "add", ""], "nameEmpty"),
                    (["user", "add", "Cid", "--from", "Lake House"], "notFound"),
                    (["user", "add", "Ann", "--from", "Elsewhere"], "notFound"),
                    (["user", "add", "Ann", "--from", "Lake House", "--home", "Lake House"], "alreadyAdded"),
                ]
            )
            #expect(try await fixture.run("user", "role", "Ann", "owner").status == 2)
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func servicesAreGroupedAndASwitchIsSaidToBelongToAFan() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await Self.run(fixture, [["home", "add", "My Home"]])
            let panel = try await Self.addPanel(fixture)
            try await Self.run(
                fixture,
                [
                    ["group", "add", "Lights"], ["group", "add-service", "lights", "floor lamp"],
                    ["group", "add-service", "Lights", "Wall Switch"], ["group", "rename", "Lights", "Evening Lights"],
                ]
            )
            #expect(try await fixture.run("group", "list").output == "Evening Lights: Floor Lamp, Wall Switch\n")
            try await Self.run(fixture, [["group", "remove-service", "Evening Lights", "Wall Switch"]])
            #expect(try await fixture.run("group", "list").output == "Evening Lights: Floor Lamp\n")
            try await Self.refuse(
                fixture,
                [
                    (["group", "add", "Evening lights"], "nameTaken"),
                    (["group", "add-service", "Evening Lights", "Floor Lamp"], "alreadyInGroup"),
                    (["group", "remove-service", "Evening Lights", "Wall Switch"], "notInGroup"),
                    (["group", "add-service", "Fans", "Floor Lamp"], "notFound"),
                    (["group", "add-service", "Evening Lights", "Toaster"], "notFound"),
                    (["service", "associate", "Floor Lamp", "Fan"], "invalidAssociatedType"),
                    (["service", "associate", "Wall Switch", "Toaster"], "invalidAssociatedType"),
                ]
            )
            try await Self.run(fixture, [["service", "associate", "wall switch", "Fan"]])
            #expect(try await fixture.run("service", "list").output.contains("Switch of Fan"))
            try await Self.run(fixture, [["service", "associate", "Wall Switch", "none"]])
            #expect(try await !fixture.run("service", "list").output.contains("Switch of"))
            try await Self.run(fixture, [["group", "remove", "Evening Lights"]])
            #expect(try await fixture.run("group", "list").output.isEmpty)
            for process in [panel, hub] { #expect(await process.terminate() == 0) }
        }
    }

    @Test func aSceneSetsValuesAndAnAutomationTakesIt() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await Self.run(fixture, [["home", "add", "My Home"]])
            let panel = try await Self.addPanel(fixture)
            let builtIn = try await fixture.run("scene", "list").output
            #expect(
                builtIn
                    == ["Leave Home", "Arrive Home", "Good Morning", "Good Night"].map { "\($0): no actions\n" }
                    .joined()
            )
            try await Self.run(
                fixture,
                [
                    ["scene", "add", "Cinema"], ["scene", "rename", "Cinema", "Movie Night"],
                    ["scene", "set", "Movie Night", "Floor Lamp", "Brightness", "20 %"],
                    ["scene", "set", "Movie Night", "Wall Switch", "On", "off"],
                    ["scene", "set", "Movie Night", "Floor Lamp", "Brightness", "30"],
                ]
            )
            let listed = try await fixture.run("scene", "list").output
            #expect(listed.hasSuffix("Movie Night: Panel Brightness 30 %, Panel On off\n"), "\(listed)")
            try await Self.refuse(
                fixture,
                [
                    (["scene", "add", "movie night"], "nameTaken"),
                    (["scene", "remove", "Good Night"], "builtInActionSet"),
                    (["scene", "set", "Movie Night", "Floor Lamp", "Brightness", "101"], "valueAboveMaximum"),
                    (["scene", "set", "Movie Night", "Floor Lamp", "Brightness", "dim"], "invalidValueType"),
                    (["scene", "unset", "Movie Night", "Floor Lamp", "On"], "notFound"),
                    (["automation", "enable", "Evening"], "notFound"),
                ]
            )

            let client = try await HomeProbe(at: fixture.socket)
            let schedule = TimerSchedule(
                fireDate: Date(timeIntervalSince1970: 64_800),
                timeZone: "UTC",
                recurrence: RecurrenceInterval(days: 1)
            )
            let trigger = InHome(client.home, AddTrigger(name: "Evening", .timer(schedule)))
            _ = try await client.connection.call(HubMethods.addTrigger, trigger)
            try await Self.refuse(fixture, [(["automation", "enable", "Evening"], "noActionSets")])
            try await Self.run(
                fixture,
                [
                    ["automation", "add-scene", "Evening", "Movie Night"], ["automation", "enable", "Evening"],
                    ["automation", "rename", "Evening", "Dusk"],
                ]
            )
            let automations = try await fixture.run("automation", "list").output
            // The zone is named where the hub's is another one.
            #expect(
                automations.replacing(" UTC", with: "")
                    == "Dusk  enabled  every day from 1970-01-01 18:00  Movie Night\n"
            )
            try await Self.run(
                fixture,
                [
                    ["automation", "disable", "Dusk"], ["automation", "remove-scene", "Dusk", "Movie Night"],
                    ["scene", "unset", "Movie Night", "Floor Lamp", "Brightness"], ["automation", "remove", "Dusk"],
                    ["scene", "remove", "Movie Night"],
                ]
            )
            #expect(try await fixture.run("automation", "list").output.isEmpty)
            #expect(try await fixture.run("scene", "list").output == builtIn)
            client.connection.close()
            for process in [panel, hub] { #expect(await process.terminate() == 0) }
        }
    }

    @Test func whomAnAppInvitesIsAnsweredFromATerminal() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await Self.run(fixture, [["home", "add", "My Home"]])
            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            let client = try await HomeProbe(at: fixture.socket)
            async let invited = client.connection.call(HubMethods.inviteUser, HomeTarget(home: client.home))
            _ = try await watch.json(Fixture.Line.self, "the question") { $0.event == "question" }
            let questions = try await fixture.run("questions").output
            #expect(questions.contains("Whom do you want to invite to “My Home”?"))
            #expect(questions.contains("Role (Guest, Administrator) [Guest]"))
            #expect(try await fixture.run("questions", "answer", input: "Ann\nadministrator").status == 0)
            let id = try await invited.id
            let ann = try #require(try await Self.users(fixture, of: "My Home").last)
            // The app that invited her and the command line see different IDs.
            #expect(ann.id != id.uuidString)
            #expect(ann.name == "Ann")
            #expect(ann.role == "administrator")
            _ = try await watch.json(Fixture.Line.self, "the arrival") { $0.verb == "userAdded" && $0.names == ["Ann"] }
            client.connection.close()
            for process in [watch, hub] { _ = await process.terminate() }
        }
    }
}

/// A client of a hub in another process, which reads its first home.
private struct HomeProbe {
    let connection: HubConnection
    let home: UUID

    init(at socket: String) async throws {
        let (resets, continuation) = AsyncStream.makeStream(of: Snapshot.self)
        connection = HubConnection(over: UnixSocketTransport(path: socket)) { event in
            if case .reset(let snapshot) = event { continuation.yield(snapshot) }
        }
        _ = try await connection.call(HubMethods.hello, Hello(app: "test.probe", purpose: "Tests."))
        var iterator = resets.makeAsyncIterator()
        home = try #require(await iterator.next()?.homes.keys.first)
    }
}
