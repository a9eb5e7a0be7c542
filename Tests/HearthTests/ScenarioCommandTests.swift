import Foundation
import PeerProcess
import Testing

@Suite struct ScenarioCommandTests {
    @Test func aScenarioThatRunsAsExpectedEndsWell() async throws {
        try await Fixture.with { fixture in
            let scenario = try PeerPython.packageRoot().appending(path: "Examples/Scenarios/garage-door.json").path()
            let outcome = try await fixture.run("sim", "run", scenario, "--transcript", "-")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("A -> PUT /characteristics"))
            #expect(outcome.output.hasSuffix("9 of 9 as expected\n"))
        }
    }

    @Test func anExpectationThatFailsIsNamedAndEndsInOne() async throws {
        try await Fixture.with { fixture in
            let lamp = try PeerPython.packageRoot().appending(path: "Examples/DemoHome/light-bridge.json").path()
            let scenario = fixture.folder.appending(path: "play.json")
            let text = """
                {"format": 1, "name": "Play", "accessories": ["\(lamp)"], "steps": [
                  {"at": "1s", "read": "Kitchen Light/On", "value": true}]}
                """
            try Data(text.utf8).write(to: scenario)
            let transcript = fixture.folder.appending(path: "transcript.txt")
            let outcome = try await fixture.run("sim", "run", scenario.path(), "--transcript", transcript.path())
            #expect(outcome.status == 1)
            #expect(
                outcome.error == """
                    error: notAsExpected: The scenario went differently than expected: 1 of 1 expectations.

                    """
            )
            #expect(
                outcome.output == """
                    failed: line 2: steps[0]: 'app' expected Kitchen Light/On to be true, but it was 0
                    Play: 0 of 1 as expected

                    """
            )
            #expect(try String(contentsOf: transcript, encoding: .utf8).contains("1.000  Light Bridge  app -> GET"))
            let json = try await fixture.run("sim", "run", scenario.path(), "--json")
            #expect(json.status == 1 && json.output.contains(#""line":2"#))
        }
    }

    @Test func aContradictionIsRefusedBeforeTheStart() async throws {
        try await Fixture.with { fixture in
            let scenario = fixture.folder.appending(path: "play.json")
            try Data(#"{"format": 1, "accessories": [], "steps": []}"#.utf8).write(to: scenario)
            let outcome = try await fixture.run("sim", "run", scenario.path())
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("play.json, line 1: accessories: There is nothing to simulate"))
        }
    }
}
