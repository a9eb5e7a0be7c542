import AccessoryPeers
import Foundation
import HomeScenarios
import PeerProcess
import Testing

@testable import AccessorySimulator

struct ScenarioTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(FaultFixture.file, "lamp.json")
        try folder.write(
            """
            {"format": 1, "name": "Door", "serialNumber": "D-1", "category": "GarageDoorOpener", "services": [
              {"type": "GarageDoorOpener", "delay": 10,
                "characteristics": {"CurrentDoorState": "Closed", "TargetDoorState": "Closed"}}]}
            """,
            "door.json"
        )
    }

    private func scenario(_ steps: String, _ members: String = "") throws -> Scenario {
        let text = """
            {"format": 1, "accessories": ["lamp.json", "door.json"], \(members)
             "steps": [
            \(steps)
            ]}
            """
        return try Scenario(parsing: Array(text.utf8), source: "play.json", folder: folder.path)
    }

    private func run(_ scenario: Scenario, seed: UInt64? = nil) async throws -> ScenarioReport {
        let data = folder.path + UUID().uuidString
        let run = try ScenarioRun(scenario, dataFolder: data, seed: seed) { home in
            try await HubScenarioHome(home, data: URL(filePath: data + "-hub"))
        }
        return try await run.run()
    }

    // MARK: The examples

    static let examples = ["garage-door.json", "bad-network.json", "pairing-goes-wrong.json", "automations.json"]

    private func example(_ name: String) throws -> Scenario {
        try Scenario(file: PeerPython.packageRoot().appending(path: "Examples/Scenarios/\(name)").path())
    }

    @Test(arguments: examples)
    func anExampleRunsAsExpectedAndSaysTheSameTwice(_ name: String) async throws {
        let first = try await run(try example(name))
        #expect(first.failures == [])
        #expect(first.expectations > 5)
        let second = try await run(try example(name))
        #expect(second.expectations == first.expectations && second.failures == [])
        #expect(withoutRandomNumbers(second.transcript) == withoutRandomNumbers(first.transcript))
    }

    /// Returns a transcript without the numbers of timed writes, which a home's hub chooses at random.
    private func withoutRandomNumbers(_ transcript: String) -> String {
        transcript.replacing(/"pid":\d+/, with: "\"pid\":0")
    }

    @Test func everyExampleIsTried() throws {
        let folder = try PeerPython.packageRoot().appending(path: "Examples/Scenarios")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path())) == Set(Self.examples))
    }

    @Test func anotherSeedIsAnotherPlay() async throws {
        let steps = """
            {"fault": "latency 1s jitter 900ms", "on": "Lamp"},
            {"at": "1s", "read": "Lamp/On"}, {"at": "10s", "read": "Lamp/On"}
            """
        let (first, second) = (try await run(scenario(steps), seed: 1), try await run(scenario(steps), seed: 1))
        let other = try await run(scenario(steps), seed: 2)
        #expect(first.transcript == second.transcript)
        #expect(first.transcript != other.transcript)
    }

    @Test func theSameSeedIsTheSameWireWhateverGoesWrongOnIt() async throws {
        let apps = #""apps": ["A", "B", "C"],"#
        let rounds = (0..<6).map { round in
            """
            {"at": "\(10 + round * 5)s", "app": "A", "write": "Lamp/Brightness", "value": \(round + 10)},
            {"at": "\(10 + round * 5)s", "app": "B", "read": "Lamp/On"},
            {"at": "\(10 + round * 5)s", "app": "C", "read": "Door/CurrentDoorState"},
            {"at": "\(10 + round * 5)s", "app": "C", "write": "Lamp/On", "value": \(round % 2 == 0)},
            """
        }
        let steps = """
            {"app": "B", "subscribe": "Lamp/Brightness"}, {"app": "C", "subscribe": "Lamp/Brightness"},
            {"app": "A", "subscribe": "Door/CurrentDoorState"}, {"app": "B", "subscribe": "Door/CurrentDoorState"},
            {"at": "1s", "fault": "latency 1s jitter 900ms", "on": "Lamp"},
            {"at": "1s", "fault": "latency 500ms jitter 400ms", "on": "Door"},
            {"at": "1s", "fault": "mdns-flapping 2s", "on": "Lamp"},
            {"at": "2s", "fault": "event-late 3s", "on": "Lamp/Brightness"},
            {"at": "3s", "app": "A", "write": "Door/TargetDoorState", "value": "Open"},
            \(rounds.joined(separator: "\n"))
            {"at": "50s", "fault": "restart 2s", "on": "Lamp"},
            {"at": "51s", "app": "B", "read": "Lamp/On", "outcome": "refused"},
            {"at": "60s", "app": "B", "read": "Lamp/On"}
            """
        let first = try await run(scenario(steps, apps), seed: 7)
        #expect(first.failures == [])
        for app in ["A", "B", "C"] {
            #expect(first.transcript.contains("Lamp  \(app) -> ") && first.transcript.contains("Door  \(app) <- "))
        }
        #expect(first.transcript.contains("Lamp  B <- EVENT") && first.transcript.contains("Door  A <- EVENT"))
        for _ in 0..<2 {
            let again = try await run(scenario(steps, apps), seed: 7)
            #expect(Array(again.transcript.utf8) == Array(first.transcript.utf8))
        }
        #expect(try await run(scenario(steps, apps), seed: 8).transcript != first.transcript)
    }

    // MARK: Homes

    /// The members that describe a home with one automation.
    private func home(_ when: String, _ members: String = "") -> String {
        """
        "home": {\(members)"scenes": {"Light": {"Lamp/On": true}},
         "automations": [{"name": "Door Lamp", "when": "\(when)", "scenes": ["Light"]}]},
        """
    }

    @Test func anAutomationFollowsAnAccessoryAndTheScenarioTime() async throws {
        let steps = """
            {"set": "Lamp/On", "value": false},
            {"at": "1h", "write": "Door/TargetDoorState", "value": "Open"},
            {"at": "3609s", "check": "Lamp/On", "value": false},
            {"at": "3610s", "check": "Lamp/On", "value": true},
            {"at": "3729s", "check": "Lamp/On", "value": true},
            {"at": "3730s", "check": "Lamp/On", "value": false}
            """
        let report = try await run(scenario(steps, home("when Door opens for 2 minutes")))
        #expect(report.failures == [])
        #expect(report.expectations == 5)
        #expect(report.transcript.contains("\n 3610.000  Lamp  home -> PUT /characteristics"))
    }

    @Test func whatAHomeDoesOtherwiseThanExpectedIsToldWithItsLine() async throws {
        let report = try await run(
            scenario(
                """
                {"set": "Lamp/On", "value": false},
                {"at": "24h", "check": "Lamp/On", "value": true},
                {"at": "25h", "check": "Lamp/On", "value": true},
                {"at": "48h", "check": "Lamp/On", "value": true}
                """,
                home("at 01:00 on Friday", #""start": "2026-01-01 00:00", "timeZone": "Europe/Berlin", "#)
            )
        )
        #expect(report.failures.map(\.path) == ["steps[1]"])
        #expect(report.failures.first?.reason == "expected Lamp/On to be true, but it was false")
    }

    @Test func peopleComeAndGoAndRunScenes() async throws {
        let steps = """
            {"set": "Lamp/On", "value": false}, {"arrive": "Ann"}, {"arrive": "Ben"},
            {"at": "1s", "leave": "Ann"}, {"at": "1s", "check": "Lamp/On", "value": false},
            {"at": "2s", "leave": "Ben"}, {"at": "2s", "check": "Lamp/On", "value": true},
            {"at": "3s", "set": "Lamp/On", "value": false}, {"at": "3s", "run": "Light"},
            {"at": "3s", "check": "Lamp/On", "value": true}
            """
        let report = try await run(
            scenario(steps, home("when the last person leaves", #""people": ["Ann", "Ben"], "#))
        )
        #expect(report.failures == [])
    }

    @Test(arguments: [
        (#""home": {"people": ["Ann", "Ann"]},"#, "", "each person needs a unique name"),
        (#""home": {"place": {"latitude": 1}},"#, "", "'longitude' is missing"),
        (#""home": {"scenes": {"Light": {}}},"#, "", "a scene needs a value to write"),
        (
            #""home": {"automations": [{"name": "A", "when": "at 1:00", "scenes": ["X"]}]},"#, "",
            "there is no scene 'X'; the home has none"
        ),
        ("", #"{"run": "Light"}"#, "this needs a home; describe it with 'home' at the top of the file"),
        (#""home": {"people": ["Ann"]},"#, #"{"leave": "Ben"}"#, "there is no person 'Ben'; choose one of: Ann"),
        (
            #""home": {},"#, #"{"fault": "drop", "on": "Lamp"}"#,
            "a scenario with a home has no faults, because a hub tries again in real time"
        ),
        (
            #""home": {},"#, #"{"pair": "Lamp"}"#,
            "the accessories of a home are paired before the first step"
        ),
        (#""home": {},"#, #"{"at": "8785h", "check": "Lamp/On", "value": true}"#, "is not a time from 0s to 8784h"),
    ])
    func aHomeThatContradictsItselfIsRefused(_ members: String, _ steps: String, _ reason: String) throws {
        let error = #expect(throws: SimulatorError.self) { try scenario(steps, members) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: [
        ("when Dragon sleeps", "", "Dragon"),
        ("at 01:00", #""timeZone": "Europe/Atlantis", "#, "'Europe/Atlantis' is not a time zone"),
        ("at 01:00", #""start": "tomorrow", "#, "'tomorrow' is not a time; use a form such as 2026-06-01 18:00"),
        ("at 01:00", #""place": {"latitude": 91, "longitude": 0}, "#, "latitude"),
    ])
    func whatTheHubRefusesIsToldWithItsLine(_ when: String, _ members: String, _ reason: String) async throws {
        let scenario = try scenario(#"{"check": "Lamp/On", "value": true}"#, home(when, members))
        let error = await #expect(throws: SimulatorError.self) { try await run(scenario) }
        #expect(error?.reason.contains("play.json, line ") == true, "\(error?.reason ?? "")")
        #expect(error?.reason.localizedCaseInsensitiveContains(reason) == true, "\(error?.reason ?? "")")
    }

    // MARK: Time

    @Test func anHourTakesNoHour() async throws {
        let report = try await run(
            scenario(
                """
                {"subscribe": "Door/CurrentDoorState"},
                {"at": "1h", "write": "Door/TargetDoorState", "value": "Open"},
                {"at": "1h", "expect": "Door/CurrentDoorState", "value": "Open", "within": "10s"},
                {"at": "1h", "expect": "Door/CurrentDoorState", "value": "Open", "within": "9999ms", "absent": true}
                """
            )
        )
        // The first expectation consumes the event, so the second doesn't find it, although it came only after ten
        // seconds.
        #expect(report.failures == [])
        #expect(report.transcript.contains("\n 3610.000  Door  app <- EVENT"))
    }

    @Test func eventsOfOneMomentAreMergedAsOnARealWire() async throws {
        let report = try await run(
            scenario(
                """
                {"subscribe": "Lamp/Brightness"},
                {"at": "1s", "set": "Lamp/Brightness", "value": 1},
                {"at": "1s", "set": "Lamp/Brightness", "value": 2}, {"at": "1s", "set": "Lamp/Brightness", "value": 3},
                {"at": "1s", "expect": "Lamp/Brightness", "value": 1},
                {"at": "1s", "expect": "Lamp/Brightness", "value": 2, "within": "1s", "absent": true},
                {"at": "1s", "expect": "Lamp/Brightness", "value": 3, "within": "250ms"}
                """
            )
        )
        #expect(report.failures == [])
    }

    // MARK: Failures

    @Test func whatIsNotAsExpectedIsNamed() async throws {
        let report = try await run(
            scenario(
                """
                {"subscribe": "Lamp/On"},
                {"at": "1s", "set": "Lamp/On", "value": true},
                {"at": "1s", "expect": "Lamp/On", "value": false, "within": "2s"},
                {"at": "4s", "read": "Lamp/On", "value": false},
                {"at": "5s", "read": "Lamp/On", "outcome": "lost"},
                {"at": "6s", "fault": "latency 3s once", "on": "Lamp"},
                {"at": "6s", "read": "Lamp/On", "within": "1s"},
                {"at": "20s", "set": "Lamp/On", "value": false},
                {"at": "20s", "expect": "Lamp/On", "value": false, "absent": true}
                """
            )
        )
        #expect(
            report.failures.map(\.description) == [
                "line 5: steps[2]: 'app' did not receive the value false of Lamp/On by 3s, but received: 1 at 1s",
                "line 6: steps[3]: 'app' expected Lamp/On to be false, but it was 1",
                "line 7: steps[4]: 'app' expected 'lost', but it was 'done'",
                "line 9: steps[6]: 'app' expected it within 1s, but it took 3s",
                "line 11: steps[8]: 'app' received the value false of Lamp/On at 20s",
            ]
        )
        #expect(report.expectations == 6)
    }

    @Test func anAppThatGetsNoAnswerLosesPatienceAfterTheLastStep() async throws {
        let report = try await run(
            scenario(#"{"fault": "no-answer", "on": "Lamp"}, {"at": "1s", "read": "Lamp/On", "outcome": "unanswered"}"#)
        )
        #expect(report.failures == [])
    }

    // MARK: Transcript

    @Test func theTranscriptHoldsNoSecretsOfPairing() async throws {
        let report = try await run(scenario(#"{"pair": "Lamp"}, {"read": "Lamp/On"}"#))
        let lines = report.transcript.split(separator: "\n").map { $0.dropFirst(11) }
        #expect(
            lines == [
                "Lamp  app -> POST /pair-setup M1", "Lamp  app <- 200 OK M2", "Lamp  app -> POST /pair-setup M3",
                "Lamp  app <- 200 OK M4", "Lamp  app -> POST /pair-setup M5", "Lamp  app <- 200 OK M6",
                "Lamp  app -> POST /pair-verify M1", "Lamp  app <- 200 OK M2", "Lamp  app -> POST /pair-verify M3",
                "Lamp  app <- 200 OK M4", "Lamp  app -> GET /characteristics?id=1.12",
                #"Lamp  app <- 200 OK {"characteristics":[{"aid":1,"iid":12,"value":0}]}"#,
            ]
        )
    }

    // MARK: Contradictions

    @Test(arguments: [
        (
            #"{"at": "2s", "read": "Lamp/On"}, {"at": "1s", "read": "Lamp/On"}"#,
            "line 3: steps[1].at: 1s is before the previous step"
        ),
        (#"{"at": "-1s", "read": "Lamp/On"}"#, "line 3: steps[0].at: '-1s' is not a time"),
        (#"{"at": "25h", "read": "Lamp/On"}"#, "steps[0].at: '25h' is not a time from 0s to 24h"),
        (#"{"read": "Candle/On"}"#, "steps[0].read: There is no accessory 'Candle'"),
        (#"{"read": "Lamp/Hue"}"#, "steps[0].read: There is no characteristic"),
        (#"{"read": "Lamp"}"#, "steps[0].read: 'Lamp' is not a characteristic; use a form"),
        (
            #"{"expect": "Lamp/On", "value": true}"#,
            "steps[0]: 'app' expects an event of Lamp/On and has not subscribed"
        ),
        (#"{"fault": "slow", "on": "Lamp"}"#, "steps[0].fault: 'slow': 'slow' is not a fault"),
        (#"{"fault": "drop", "on": "Candle"}"#, "steps[0].on: There is no accessory 'Candle'"),
        (#"{"fault": "restart", "on": "Lamp/On"}"#, "steps[0]: 'restart' applies to a whole accessory"),
        (#"{"fault": "value 3", "on": "Lamp"}"#, "steps[0]: 'value 3' requires a characteristic"),
        (
            #"{"fault": "drop", "on": "Lamp"}, {"at": "1s", "fault": "no-answer", "on": "Lamp"}"#,
            "steps[1]: 'no-answer' is excluded by 'drop' of steps[0] (line 3), which still lasts"
        ),
        (#"{"set": "Lamp/Brightness", "value": 101}"#, "steps[0].value: "),
        (
            #"{"set": "Door/TargetDoorState", "value": "Ajar"}"#,
            "steps[0].value: 'Ajar' is not a value of Door/TargetDoorState"
        ),
        (#"{"read": "Lamp/On", "write": "Lamp/On"}"#, "steps[0]: a step must have exactly one of pair, list, read"),
        (#"{"read": "Lamp/On", "on": "Lamp"}"#, "steps[0].on: unknown key 'on'"),
        (#"{"read": "Lamp/On", "outcome": "fine"}"#, "steps[0].outcome: an outcome must be a HAP status"),
        (#"{"read": "Lamp/On", "app": "B"}"#, "steps[0].app: there is no app 'B'; choose one of: app"),
        (
            #"{"read": "Lamp/On"}, {"at": "1s", "pair": "Lamp"}"#,
            "steps[0]: 'app' pairs with the accessory only in steps[1]"
        ),
    ])
    func aContradictionIsRefusedWithItsPlace(_ steps: String, _ reason: String) {
        let error = #expect(throws: SimulatorError.self) { _ = try scenario(steps) }
        #expect(error?.code == .invalidFile)
        #expect(error?.reason.contains("play.json, line 3") == true, "\(String(describing: error))")
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func whatStandsOnOneLineHasItsOrderAllTheSame() throws {
        let steps = #"{"pair": "Lamp"}, {"at": "1s", "read": "Lamp/On"}, {"at": "2s", "pair": "Lamp"}"#
        let text = #"{"format":1,"accessories":["lamp.json","door.json"],"steps":[\#(steps)]}"#
        let scenario = try Scenario(parsing: Array(text.utf8), source: "play.json", folder: folder.path)
        #expect(scenario.steps.map(\.line) == [1, 1, 1])
    }

    @Test func aFaultThatIsOverOrClearedExcludesNothing() throws {
        _ = try scenario(
            """
            {"fault": "drop for 1s", "on": "Lamp"}, {"at": "1s", "fault": "no-answer", "on": "Lamp"},
            {"at": "2s", "clear": "Lamp"}, {"at": "2s", "fault": "half-answer", "on": "Lamp"},
            {"at": "3s", "fault": "drop", "on": "Door"}
            """
        )
    }
}
