import Foundation
import PeerProcess
import Testing

/// The command line as users and scripts use it, on a separate hub.
struct CommandTests {
    @Test func aHomeIsLaidOutListedAndKeptOverARestart() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            for room in ["Kitchen", "Kids' Room"] { #expect(try await fixture.run("room", "add", room).status == 0) }
            #expect(try await fixture.run("zone", "add", "Upstairs").status == 0)
            #expect(try await fixture.run("zone", "add-room", "upstairs", "kids room").status == 0)
            #expect(try await fixture.run("room", "rename", "kitchen", "Big Kitchen").status == 0)
            let before = try await fixture.run("room", "list", "--json").output
            #expect(before.contains("Big Kitchen"))
            #expect(await hub.terminate() == 0)

            let next = try await fixture.startHub()
            #expect(try await fixture.run("room", "list", "--json").output == before)
            #expect(try await fixture.run("zone", "list").output == "Upstairs: Kids' Room\n")
            #expect(try await fixture.run("home", "list").output == "My Home  (primary)\n")
            #expect(await next.terminate() == 0)
        }
    }

    @Test func aWatchTellsWhatOthersChangeByName() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Kitchen").status == 0)
            for (verb, name) in [("homeAdded", "My Home"), ("roomAdded", "Kitchen")] {
                _ = try await watch.json(Fixture.Line.self, verb) { $0.verb == verb && $0.names == [name] }
            }
            for process in [watch, hub] { _ = await process.terminate() }
        }
    }

    @Test func whatWasAcknowledgedSurvivesTheHubsSuddenDeath() async throws {
        try await Fixture.with { fixture in
            var rooms: [String] = []
            for round in 0..<3 {
                let hub = try await fixture.startHub()
                if round == 0 { #expect(try await fixture.run("home", "add", "My Home").status == 0) }
                #expect(try await fixture.run("room", "list").output == rooms.map { "\($0)\n" }.joined())
                for number in 0..<3 {
                    let room = "Room \(round) \(number)"
                    #expect(try await fixture.run("room", "add", room).status == 0)
                    rooms.append(room)
                }
                hub.kill(SIGKILL)
                await hub.exit()
            }
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("room", "list").output == rooms.map { "\($0)\n" }.joined())
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func withoutAHubTheExitCodeIsThree() async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run("room", "list")
            #expect(outcome.status == 3)
            #expect(outcome.error.hasPrefix("error: noHub: "))
            #expect(outcome.error.contains("hearth hub"))
            let json = try await fixture.run("room", "list", "--json")
            let line = try JSONDecoder().decode(Fixture.Line.self, from: Data(json.error.utf8))
            #expect(line.error == "noHub")
        }
    }

    @Test func refusalsHaveNamesAndExitCodeOneAndChangeNothing() async throws {
        let refusals: [(arguments: [String], name: String)] = [
            (["room", "add", "Kitchen"], "nameTaken"),
            (["room", "add", "KITCHEN"], "nameTaken"),
            (["room", "add", "Kit/chen"], "nameInvalidCharacter"),
            (["room", "add", ""], "nameEmpty"),
            (["room", "remove", "Attic"], "notFound"),
            (["room", "remove", "Default Room"], "defaultRoomFixed"),
            (["room", "list", "--home", "Elsewhere"], "notFound"),
            (["accessory", "rename", "Lamp", "Light"], "notFound"),
            (["get", "Lamp"], "notFound"),
            (["set", "Lamp", "On", "true"], "notFound"),
            (["identify", "Lamp"], "notFound"),
            (["questions", "answer", "nonsense"], "notFound"),
            (["accessory", "add", "--host", "127.0.0.1", "--port", "9", "--code", "12"], "invalidSetupCode"),
            (["accessory", "add", "--host", "127.0.0.1", "--port", "9", "--code", "482-11-957"], "notReachable"),
        ]
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Kitchen").status == 0)
            for (arguments, name) in refusals {
                let outcome = try await fixture.run(arguments)
                #expect(outcome.status == 1, "\(arguments)")
                #expect(outcome.error.hasPrefix("error: \(name): "), "\(arguments): \(outcome.error)")
            }
            #expect(try await fixture.run("room", "list").output == "Kitchen\n")
            #expect(await hub.terminate() == 0)
        }
    }

    @Test(arguments: [
        ["no-such-verb"], ["room"], ["room", "add"], ["accessory", "add"], ["accessory", "add", "--host", "h"],
        ["accessory", "add", "--host", "h", "--port", "70000"],
        ["hub", "--data", "d", "--question-timeout", "0"], ["get"], ["set", "Lamp", "On"],
        ["diagnose", "Lamp", "--discovery"],
        ["diagnose", "--discovery", "--seconds", "0.9"], ["diagnose", "--discovery", "--seconds", "120.1"],
        ["diagnose", "Lamp", "--mdns-interface", "lo"], ["diagnose", "Lamp", "--seconds", "3"],
    ])
    func wrongUsageHasExitCodeTwo(arguments: [String]) async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(arguments)
            // A group of commands prints its help, which isn't an error.
            #expect(outcome.status == (arguments == ["room"] ? 0 : 2), "\(outcome)")
            #expect(!(outcome.output + outcome.error).isEmpty)
        }
    }

    @Test(arguments: [
        [], ["hub"], ["simulator"], ["demo"], ["home"], ["room", "add"], ["group"], ["scene", "set"], ["automation"],
        ["user"], ["accessory", "add"], ["set"], ["watch"], ["automation", "add"], ["scene", "run"], ["presence"],
        ["home", "place"], ["favorite"], ["favorite", "add"], ["service", "ask-first"], ["scene", "icon"],
        ["clock", "advance"], ["why"], ["log"],
        ["diagnose"],
    ])
    func everyCommandHasHelpWithAnExample(command: [String]) async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(command + ["--help"])
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE"))
        }
    }

    @Test func aSimulatedLampIsAddedReadWrittenWatchedAndRemoved() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let (simulator, ready) = try await fixture.startLights(2)
            let (id, code) = (try #require(ready.id), try #require(ready.setupCode))
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Kitchen").status == 0)
            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }

            let added = try await fixture.add(id, "--code", "-", "--room", "kitchen", input: code)
            #expect(added.status == 0, "\(added)")
            let lamps = try await fixture.run("service", "list", "--json").output
            let services = try JSONDecoder().decode([Fixture.Line].self, from: Data(lamps.utf8))
            #expect(services.count == 2)
            let lamp = try #require(services.first?.name)

            #expect(try await fixture.run("set", lamp, "Brightness", "40 %").status == 0)
            #expect(try await fixture.run("get", lamp, "Brightness").output == "40 %\n")
            #expect(try await fixture.run("set", lamp, "Brightness", "--by=-15").status == 0)
            #expect(try await fixture.run("get", lamp, "Brightness").output == "25 %\n")
            #expect(try await fixture.run("set", lamp, "Brightness", "--by", "15").status == 0)
            #expect(try await fixture.run("get", lamp, "Brightness").output == "40 %\n")
            #expect(try await fixture.run("set", lamp, "Brightness").status == 2)
            #expect(try await fixture.run("set", lamp, "Brightness", "30", "--by", "1").status == 2)
            #expect(try await fixture.run("set", lamp, "On", "on").status == 0)
            _ = try await watch.json(Fixture.Line.self, "the change") {
                $0.event == "value" && $0.characteristic == "Brightness"
            }
            for (value, name) in [
                ("101", "valueAboveMaximum"), ("-1", "valueBelowMinimum"), ("dim", "invalidValueType"),
            ] {
                let refused = try await fixture.run("set", lamp, "Brightness", "--", value)
                #expect(refused.status == 1)
                #expect(refused.error.hasPrefix("error: \(name): "), "\(refused.error)")
            }
            #expect(try await fixture.run("set", lamp, "TargetDoorState", "1").error.contains("noSuchCharacteristic"))
            #expect(try await fixture.run("identify", lamp).status == 0)

            // The simulator stops and starts again.
            _ = await simulator.terminate()
            _ = try await watch.json(Fixture.Line.self, "the loss") {
                $0.event == "reachability" && $0.isReachable == false
            }
            let unreachable = try await fixture.run("get", lamp)
            #expect(unreachable.status == 1)
            #expect(unreachable.error.contains("notReachable"))
            // A new watcher, because the first one's output still contains the lines from adding the accessory.
            let returning = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await returning.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            let (again, _) = try await fixture.startLights(2)
            _ = try await returning.json(Fixture.Line.self, "the return") {
                $0.event == "reachability" && $0.isReachable == true
            }
            #expect(try await fixture.run("get", lamp, "Brightness").status == 0)

            let bridge = try #require(ready.name)
            #expect(try await fixture.run("accessory", "remove", bridge).status == 0)
            #expect(try await fixture.run("accessory", "list").output.isEmpty)
            #expect(await again.terminate() == 0)
            #expect(await hub.terminate() == 0)
            for watching in [watch, returning] { await watching.exit() }
        }
    }

    @Test func anAccessoryThatWasResetIsPairedAnewAndKeepsItsPlace() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            // With the code printed on its label.
            let id = Fixture.newDeviceID()
            let simulator = try await fixture.startLamp(id)
            let code = Fixture.lampCode
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Kitchen").status == 0)
            let added = try await fixture.add(id, "--code", code)
            #expect(added.status == 0, "\(added)")
            #expect(try await fixture.run("accessory", "rename", "Lamp", "Table Lamp").status == 0)
            #expect(try await fixture.run("accessory", "move", "Table Lamp", "Kitchen").status == 0)
            let before = try await fixture.run("accessory", "list", "--json").output
            let again = try await fixture.add(id, "--code", code)
            #expect(again.error.contains("alreadyAdded"), "\(again)")

            _ = await simulator.terminate()
            let reset = try await fixture.startLamp(id, ["--factory-reset"])
            let wrong = try await fixture.add(id, "--code", "111-22-333", isReset: true)
            #expect(wrong.error.contains("wrongSetupCode"), "\(wrong)")
            let renewed = try await fixture.add(id, "--code", code)
            #expect(renewed.status == 0, "\(renewed)")
            #expect(try await fixture.run("accessory", "list", "--json").output == before)
            #expect(try await fixture.run("set", "Table Lamp", "On", "on").status == 0)
            #expect(try await fixture.run("get", "Table Lamp", "On").output == "on\n")
            #expect(await reset.terminate() == 0)
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aQuestionIsAnsweredFromAnotherTerminal() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let (simulator, ready) = try await fixture.startLights(1)
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let watch = try PeerProcess(
                Programs.hearth,
                ["watch", "--json"],
                environment: ["HEARTH_SOCKET": fixture.socket]
            )
            _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
            async let adding = fixture.add(try #require(ready.id))
            _ = try await watch.json(Fixture.Line.self, "the question") { $0.event == "question" }
            let useless = try await fixture.run("questions", "answer", input: "12345")
            #expect(useless.error.contains("invalidSetupCode"))
            #expect(try await fixture.run("questions", "answer", input: ready.setupCode).status == 0)
            let added = try await adding
            #expect(added.status == 0, "\(added)")
            #expect(try await fixture.run("questions").output.isEmpty)
            for process in [watch, simulator, hub] { _ = await process.terminate() }
        }
    }
}
