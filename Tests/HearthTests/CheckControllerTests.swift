import Foundation
import PeerProcess
import Testing

/// `hearth check controller` as a process, with controllers in other processes.
@Suite struct CheckControllerTests {
    /// The properties of the JSON output.
    private struct Line: Decodable, Sendable {
        var event: String?
        var scenario: String?
        var host: String?
        var port: Int?
        var id: String?
        var setupCode: String?
        var setupPayload: String?
        var result: String?
        var seen: String?
        var passed: Int?
        var failed: Int?
    }

    /// A driver that asks for the accessories in the clear.
    private static let careless = #"""
        bash -c 'exec 3<>"/dev/tcp/$HEARTH_CHECK_HOST/$HEARTH_CHECK_PORT" &&
        printf "GET /accessories HTTP/1.1\r\nHost: x\r\n\r\n" >&3 && head -n 1 <&3'
        """#

    private func lines(_ outcome: Fixture.Outcome) throws -> [Line] {
        try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func ourHubPassesAtAGoodBridge() async throws {
        try await Fixture.with { fixture in
            let arguments = ["check", "controller", "--scenario", "plain", "--no-mdns", "--json", "--timeout", "600"]
            let check = try PeerProcess(Programs.hearth, arguments)
            let ready = try await check.json(Line.self, "the scenario") { $0.event == "ready" }
            #expect(ready.scenario == "plain")
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "Home").status == 0)
            let place = ["--host", try #require(ready.host), "--port", "\(try #require(ready.port))"]
            let added = try await fixture.run(
                ["accessory", "add"] + place + ["--code", try #require(ready.setupCode)]
            )
            #expect(added.status == 0, "\(added.error)")
            let set = try await fixture.run("set", "Lamp", "Brightness", "40")
            #expect(set.status == 0, "\(set.error)")
            #expect(try await fixture.run("accessory", "remove", "Hearth Check").status == 0)
            let summary = try await check.json(Line.self, "the summary") { $0.passed != nil }
            #expect(summary.failed == 0)
            #expect(await check.exit() == 0)
            await hub.terminate()
        }
    }

    @Test func aCommandDrivesTheControllerAndTheReportSaysWhatWasSeen() async throws {
        try await Fixture.with { fixture in
            let report = fixture.folder.appending(path: "checks.xml")
            let outcome = try await fixture.run(
                "check",
                "controller",
                "--scenario",
                "plain",
                "--no-mdns",
                "--json",
                "--code",
                "482-11-957",
                "--only",
                "verify.before-requests",
                "--exec",
                Self.careless,
                "--junit",
                report.path,
                "--transcript",
                fixture.folder.path
            )
            #expect(outcome.status == 1)
            #expect(outcome.error.contains(#"{"error":"checksFailed","reason":"1 check failed."}"#))
            let lines = try lines(outcome)
            #expect(lines.first?.setupCode == "482-11-957")
            #expect(lines.first?.setupPayload?.hasPrefix("X-HM://") == true)
            let result = try #require(lines.first { $0.result != nil })
            #expect(result.result == "failed")
            #expect(result.seen == "In the clear: GET /accessories (HTTP 470)")
            #expect(try String(contentsOf: report, encoding: .utf8).contains(#"classname="verify""#))
            let transcript = fixture.folder.appending(path: "plain.txt")
            #expect(try String(contentsOf: transcript, encoding: .utf8).contains("GET /accessories"))
        }
    }

    @Test func aControllerThatCrashesIsReported() async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(
                "check",
                "controller",
                "--scenario",
                "plain",
                "--no-mdns",
                "--json",
                "--only",
                "program.alive",
                "--exec",
                Self.careless + "; kill -SEGV $$"
            )
            #expect(outcome.status == 1)
            let result = try #require(try lines(outcome).first { $0.result != nil })
            #expect(result.seen == "plain: signal 11")
        }
    }

    @Test func aControllerThatNeverComesFailsTheRun() async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(
                "check",
                "controller",
                "--scenario",
                "strict",
                "--no-mdns",
                "--tap",
                "--exec",
                "true"
            )
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("error: notVisited: "))
            #expect(outcome.output.contains("ok 1 - messages.exact # SKIP The controller did not come."))
        }
    }

    @Test(arguments: [["--scenario", "nice"], ["--only", "verify.none"], ["--json", "--tap"], ["--timeout", "0"]])
    func wrongUsageIsRefused(_ arguments: [String]) async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(["check", "controller"] + arguments)
            #expect(outcome.status == 2)
        }
    }
}
