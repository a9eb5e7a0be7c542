import Foundation
import PeerProcess
import Testing

/// `hearth diagnose` without a name, which reports each problem of a home once.
struct HomeDiagnosisTests {
    private struct Report: Decodable, Sendable {
        struct Finding: Decodable, Sendable {
            var code: String
            var isProblem: Bool
            var text: String
            var advice: String
            var accessories: [String]
        }

        struct Accessory: Decodable, Sendable {
            var name: String
            var isReachable: Bool
            var trouble: String?
            var remarks: [String]
        }

        var findings: [Finding]
        var accessories: [Accessory]

        var problems: [String] { findings.filter(\.isProblem).map(\.code) }
    }

    private struct Listed: Decodable {
        var trouble: String?
    }

    private static let sensor = #"""
        [{"type": "ContactSensor", "characteristics": {"ContactSensorState": 0}},
         {"type": "Battery", "characteristics": {"BatteryLevel": 80, "ChargingState": 0, "StatusLowBattery": 0}}]
        """#

    /// Repeats the report until it meets a condition. Returns the last one after a timeout.
    private static func report(
        on home: FaultyHome,
        interface: String = "127.0.0.1",
        until condition: (Report) -> Bool = { _ in true }
    ) async throws -> (report: Report, status: Int32) {
        try await Wait.value {
            condition($0.report)
        } of: {
            let words = ["diagnose", "--mdns-interface", interface, "--seconds", "1", "--json"]
            let outcome = try await home.fixture.run(words)
            return (try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)), outcome.status)
        }
    }

    @Test func whatAccessoriesHaveInCommonIsSaidOnceAndFirst() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([
                FaultyHome.Accessory("Bridge", bridged: ["One", "Two"]), FaultyHome.Accessory("Lamp"),
                FaultyHome.Accessory("Contact", sensor: Self.sensor), FaultyHome.Accessory("Camera"),
            ])
            // A command that is held up doesn't hear its own packets.
            let working = try await Self.report(on: home) {
                $0.problems.isEmpty && $0.accessories.filter { !$0.isReachable }.isEmpty
            }
            #expect(working.report.problems == [] && working.status == 0, "\(working)")
            #expect(working.report.accessories.count == 6)

            // A bridge implies its bridged accessories. A low battery and a blocked accessory are notes.
            try await home.run("accessory", "block", "Camera")
            try await home.fault("Bridge", "refuse")
            try await home.fault("Contact", "battery-low")
            let bridge = try await Self.report(on: home) { report in
                report.problems == ["refused"] && report.findings.contains { $0.code == "batteryLow" }
            }
            #expect(bridge.report.problems == ["refused"] && bridge.status == 1, "\(bridge)")
            let named = Dictionary(bridge.report.findings.map { ($0.code, $0.accessories) }) { first, _ in first }
            #expect(named["refused"] == ["Bridge with 2 bridged accessories"])
            #expect(named["batteryLow"] == ["Contact"] && named["blocked"] == ["Camera"])
            #expect(
                bridge.report.accessories.filter { $0.trouble == "refused" }.map(\.name) == ["Bridge", "One", "Two"]
            )

            // If no accessory answers, the network is the problem.
            #expect(await simulator.terminate() == 0)
            let silent = try await Self.report(on: home) { $0.problems == ["networkSilent"] }
            #expect(silent.report.problems == ["networkSilent"] && silent.status == 1, "\(silent)")
            #expect(silent.report.findings[0].accessories == ["Bridge with 2 bridged accessories", "Lamp", "Contact"])

            // Problems of the host's network come first.
            let isolated = try await Self.report(on: home, interface: "wlan7")
            #expect(isolated.report.problems == ["unknownInterface", "networkSilent"], "\(isolated)")
            let text = try await home.fixture.run("diagnose", "--mdns-interface", "wlan7", "--seconds", "1")
            #expect(text.output.hasPrefix("Findings:\n  problem: unknownInterface: "), "\(text)")
            #expect(text.output.contains("  Camera   Default Room  doesn't answer: blocked\n"), "\(text)")
        }
    }

    @Test func theDiagnosisLooksOnTheHubsInterfaces() async throws {
        struct Checked: Decodable {
            struct Discovery: Decodable {
                struct Interface: Decodable {
                    struct Traffic: Decodable {}
                    var isLoopback: Bool
                    var traffic: Traffic?
                }
                var interfaces: [Interface]
            }
            var discovery: Discovery
        }
        try await FaultyHome.with { home in
            // The hub of the tests finds accessories on the loopback interface only, which no check of all uses.
            let outcome = try await home.fixture.run("diagnose", "--seconds", "1", "--json")
            let interfaces = try JSONDecoder().decode(Checked.self, from: Data(outcome.output.utf8)).discovery
                .interfaces
            #expect(interfaces.contains { $0.isLoopback && $0.traffic != nil }, "\(outcome)")
            #expect(!interfaces.contains { !$0.isLoopback && $0.traffic != nil }, "\(outcome)")
        }
    }

    @Test func anAccessoryThatCrashesIsSoonNotAdvertised() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Lamp")])
            // The lamp sends no goodbye, and its records live for more than an hour. Listing doesn't query the network,
            // so the hub itself must notice.
            simulator.kill(SIGKILL)
            let causes: [String?] = try await Wait.value(where: { $0 == ["notAdvertised"] }) {
                let list = try await home.run("accessory", "list", "--json")
                return try JSONDecoder().decode([Listed].self, from: Data(list.utf8)).map(\.trouble)
            }
            #expect(causes == ["notAdvertised"])
        }
    }

    @Test func withoutAHubTheCommandSaysSo() async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run("diagnose", "--seconds", "1")
            #expect(outcome.status == 3 && outcome.error.hasPrefix("error: noHub: "), "\(outcome)")
        }
    }
}
