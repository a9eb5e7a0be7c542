@testable import hearth
import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import PeerProcess
import Testing

/// The commands for automations, scenes, presence, places and the clock.
struct AutomationCommandTests {
    /// The output of `automation add` and `edit`.
    private struct Added: Decodable {
        var id: UUID
        var name: String
        var isEnabled: Bool
        var when: String
        var sentence: String
    }

    /// The output of `automation test`.
    private struct Forecast: Decodable {
        struct Term: Decodable {
            var term: String
            var isTrue: Bool
        }

        var wouldRun: Bool
        var obstacle: String?
        var conditions: [Term]
        var next: String?
    }

    /// Starts a hub with a manual clock and a home with a lamp and a scene that turns it on.
    private static func withLamp(_ body: (Fixture, _ lamp: PeerProcess) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--clock", "manual"])
            try await succeed(fixture, "home", "add", "My Home")
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let added = try await fixture.add(id, "--code", Fixture.lampCode)
            #expect(added.status == 0, "\(added)")
            try await succeed(fixture, "scene", "add", "Evening")
            try await succeed(fixture, "scene", "set", "Evening", "Lamp", "On", "on")
            try await body(fixture, lamp)
            for process in [lamp, hub] { _ = await process.terminate() }
        }
    }

    @discardableResult
    private static func succeed(_ fixture: Fixture, _ arguments: String...) async throws -> String {
        let outcome = try await fixture.run(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome)")
        return outcome.output
    }

    private static func refuse(_ fixture: Fixture, _ arguments: [String], _ error: String) async throws {
        let outcome = try await fixture.run(arguments)
        #expect(outcome.status == 1 && outcome.error.hasPrefix("error: \(error): "), "\(arguments): \(outcome)")
    }

    private static func forecast(_ fixture: Fixture, _ name: String) async throws -> Forecast {
        let output = try await succeed(fixture, "automation", "test", name, "--json")
        return try JSONDecoder().decode(Forecast.self, from: Data(output.utf8))
    }

    @Test func automationThatIsAddedInWordsRunsWhenItsTimeComes() async throws {
        try await Self.withLamp { fixture, _ in
            let output = try await Self.succeed(
                fixture,
                "automation",
                "add",
                "Evening Lights",
                "at 19:00 on weekdays",
                "--scene",
                "Evening"
            )
            #expect(output == "Added Evening Lights: At 19:00 on weekdays, run “Evening”.\n")
            let list = try await Self.succeed(fixture, "automation", "list")
            #expect(list == "Evening Lights  enabled  at 19:00 on weekdays  Evening\n")
            #expect(try await Self.forecast(fixture, "Evening Lights").next != nil)
            #expect(try await Self.succeed(fixture, "get", "Lamp", "On") == "off\n")
            #expect(try await Self.succeed(fixture, "clock", "advance", "7d").contains("(manual clock)"))
            _ = try await Wait.value(where: { $0 == "on\n" }) { try await Self.succeed(fixture, "get", "Lamp", "On") }
            try await Self.refuse(fixture, ["clock", "advance", "soon"], "invalidParameter")
            try await Self.refuse(fixture, ["clock", "advance", "367d"], "invalidParameter")
        }
    }

    @Test func sceneThatRunsSaysWhatWasDone() async throws {
        try await Self.withLamp { fixture, lamp in
            #expect(try await Self.succeed(fixture, "scene", "run", "Evening") == "“Evening” is done: 1 action.\n")
            #expect(try await Self.succeed(fixture, "get", "Lamp", "On") == "on\n")
            _ = try await Wait.value(where: { $0.contains("Evening (on): Lamp On on\n") }) {
                try await Self.succeed(fixture, "scene", "list")
            }
            try await Self.refuse(fixture, ["scene", "run", "Good Night"], "nothingToRun")
            try await Self.refuse(fixture, ["scene", "run", "Morning"], "notFound")
            _ = await lamp.terminate()
            let failed = try await fixture.run("scene", "run", "Evening")
            #expect(failed.status == 1 && failed.error.hasPrefix("error: actionSetExecutionFailed: "), "\(failed)")
            #expect(failed.output.contains("“Evening” failed: none of 1 action was carried out.\n  turn Lamp on: "))
        }
    }

    @Test func conditionIsTestedWithTheUsersPresence() async throws {
        try await Self.withLamp { fixture, _ in
            try await Self.succeed(
                fixture,
                "automation",
                "add",
                "Away",
                "at 19:00 if nobody is home",
                "--scene",
                "Evening"
            )
            try await Self.succeed(fixture, "presence", "me", "home")
            #expect(try await Self.succeed(fixture, "presence").contains("  home  since "))
            let atHome = try await Self.forecast(fixture, "Away")
            #expect(!atHome.wouldRun && atHome.conditions.map(\.term) == ["nobody is home"])
            let text = try await Self.succeed(fixture, "automation", "test", "Away")
            #expect(
                text.contains("It would not run now: its condition is false.\n  false: nobody is home ("),
                "\(text)"
            )
            try await Self.succeed(fixture, "presence", "set", "me", "away")
            #expect(try await Self.forecast(fixture, "Away").wouldRun)
            // At a place, the home's place decides.
            try await Self.succeed(fixture, "home", "place", "-33.87", "151.21")
            #expect(try await Self.succeed(fixture, "home", "place") == "-33.87 151.21\n")
            try await Self.succeed(fixture, "presence", "set", "me", "at", "-33.87,151.21")
            #expect(try await Self.forecast(fixture, "Away").wouldRun == false)
            #expect(try await Self.succeed(fixture, "export").contains(#""latitude":-33.87"#))
            try await Self.succeed(fixture, "home", "place", "--remove")
            #expect(try await Self.succeed(fixture, "home", "place") == "“My Home” has no place on the map.\n")
            try await Self.refuse(fixture, ["home", "place", "91", "0"], "invalidParameter")
            try await Self.refuse(fixture, ["presence", "Nobody", "away"], "notFound")
        }
    }

    @Test func automationIsEditedInWords() async throws {
        try await Self.withLamp { fixture, _ in
            let output = try await Self.succeed(
                fixture,
                "automation",
                "add",
                "Lights",
                "when Lamp turns on",
                "--scene",
                "Evening",
                "--disabled",
                "--json"
            )
            let added = try JSONDecoder().decode(Added.self, from: Data(output.utf8))
            #expect(added.name == "Lights" && !added.isEnabled)
            #expect(added.sentence == "When Lamp turns on, run “Evening”.")
            let edited = try await fixture.run(
                "automation",
                "edit",
                "Lights",
                "at sunset on weekends if Lamp is off for 10m"
            )
            #expect(
                edited.output
                    == "Changed Lights (disabled): At sunset on weekends, if Lamp is off, run “Evening” for 10 minutes.\n"
            )
            #expect(edited.error.contains("hearth home place"))
            // A timer is another kind of object.
            try await Self.succeed(fixture, "automation", "edit", "Lights", "every 2 hours from 2030-01-01 08:00")
            let list = try await Self.succeed(fixture, "automation", "list")
            #expect(list == "Lights  disabled  every 2 hours from 2030-01-01 08:00  Evening\n")
            try await Self.succeed(fixture, "automation", "edit", "Lights", "every day from 2030-01-02 09:30")
            let again = try await Self.succeed(fixture, "automation", "list")
            #expect(again == "Lights  disabled  every day from 2030-01-02 09:30  Evening\n")
        }
    }

    @Test func textThatIsNotUnderstoodChangesNothing() async throws {
        try await Self.withLamp { fixture, _ in
            func add(_ when: String, _ scene: String = "Evening") -> [String] {
                ["automation", "add", "Test", when, "--scene", scene]
            }
            try await Self.refuse(fixture, add("when Lmp turns on"), "notFound")
            try await Self.refuse(fixture, add("when Lamp flies"), "notUnderstood")
            try await Self.refuse(fixture, add("at 19:00", "Morning"), "notFound")
            try await Self.refuse(fixture, add("once on 2020-01-01 at 18:00"), "fireDateInPast")
            try await Self.refuse(fixture, add("every 3 minutes"), "recurrenceTooShort")
            try await Self.refuse(fixture, add("at sunset - 13h"), "invalidParameter")
            // The trigger is removed again if it can't be enabled.
            try await Self.refuse(fixture, add("at 19:00", "Good Night"), "noActions")
            #expect(try await Self.succeed(fixture, "automation", "list").isEmpty)
            #expect(try await fixture.run("automation", "add", "Test", "at 19:00").status == 2)
        }
    }

    @Test func onlyAManualClockAdvances() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await !Self.succeed(fixture, "clock").contains("manual"))
            try await Self.refuse(fixture, ["clock", "advance", "1h"], "clockNotManual")
            #expect(await hub.terminate() == 0)
        }
    }

    // MARK: Without a hub

    @Test func presenceIsReported() throws {
        #expect(try PresenceReport(["Ann", "home"]).isHome == true)
        #expect(try PresenceReport(["Ann", "away"]) == PresenceReport(["Ann", "AWAY"]))
        #expect(try PresenceReport(["me", "at", "home"]).user == nil)
        let place = Place(latitude: -33.9, longitude: 151.2)
        #expect(try PresenceReport(["Ann", "at", "-33.9,151.2"]).place == place)
        #expect(try PresenceReport(["Ann", "at", "-33.9", "151.2"]).place == place)
        for words in [[], ["Ann"], ["Ann", "gone"], ["Ann", "home", "now"], ["Ann", "at"]] {
            #expect(throws: CommandFailure.self) { try PresenceReport(words) }
        }
        for words in [["1"], ["1,2,3"], ["a,b"], ["91,0"], ["0,181"], ["nan,0"]] {
            #expect(throws: CommandFailure.self) { try Place(words: words) }
        }
    }

    @Test func placeOfAHomeIsRead() throws {
        #expect(try HomePlaceRequest([], isRemoval: false) == HomePlaceRequest([], isRemoval: true))
        #expect(try HomePlaceRequest(["Villa"], isRemoval: false).home == "Villa")
        let both = try HomePlaceRequest(["Villa", "1", "-2"], isRemoval: false)
        #expect(both.home == "Villa" && both.place == Place(latitude: 1, longitude: -2))
        #expect(try HomePlaceRequest(["1.5,2"], isRemoval: false).place == Place(latitude: 1.5, longitude: 2))
        #expect(throws: CommandFailure.self) { try HomePlaceRequest(["1", "2"], isRemoval: true) }
        #expect(throws: CommandFailure.self) { try HomePlaceRequest(["1"], isRemoval: false) }
    }

    @Test func sceneIsDoneOrPartlyDoneOrFailed() {
        let scene = ActionSetRecord(id: UUID(), name: "Evening")
        let failure = ActionSetResult.Failure(
            action: UUID(),
            accessory: nil,
            error: HubError(.notReachable, "The accessory can't be reached.")
        )
        func report(_ actions: Int, _ failures: Int) -> SceneRunReport {
            let result = ActionSetResult(actions: actions, failures: Array(repeating: failure, count: failures))
            return SceneRunReport(result, of: scene, in: Home(id: UUID()))
        }
        #expect(report(2, 0).lines == ["“Evening” is done: 2 actions."] && report(2, 0).failure == nil)
        #expect(report(2, 1).failure?.name == "actionSetExecutionPartialSuccess")
        #expect(
            report(2, 1).lines == [
                "“Evening” is partly done: 1 of 2 actions.",
                "  an action that is gone: The accessory can't be reached.",
            ]
        )
        #expect(report(2, 2).failure?.name == "actionSetExecutionFailed")
    }

    @Test func editsKeepATimerValidBetweenThem() {
        let once = TimerSchedule(fireDate: Date(timeIntervalSince1970: 120))
        let recurring = TimerSchedule(
            fireDate: Date(timeIntervalSince1970: 60),
            recurrence: RecurrenceInterval(hours: 1)
        )
        let there = TriggerEdit.edits(from: .timer(once), to: .timer(recurring))
        #expect(there == [.recurrence(recurring.recurrence), .fireDate(recurring.fireDate)])
        let back = TriggerEdit.edits(from: .timer(recurring), to: .timer(once))
        #expect(back == [.fireDate(once.fireDate), .recurrence(nil)])
        #expect(TriggerEdit.edits(from: .timer(once), to: .timer(once)) == [])
        #expect(TriggerEdit.edits(from: .timer(once), to: .event(EventRule(events: []))) == nil)
    }
}
