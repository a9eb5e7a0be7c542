import Foundation
import HubAPI
import PeerProcess
import Testing

@testable import hearth

/// `hearth why`, `hearth log`, and the journal in `hearth watch`.
struct JournalCommandTests {
    /// An entry as `--json` prints it.
    private struct Row: Decodable {
        var id: UUID
        var kind: String
        var text: String
        var cause: String
        var app: String?
        var characteristic: String?
        var value: Bool?
        var verb: String?
        var objects: [String]?
        var time: String
    }

    private struct Explanation: Decodable {
        var name: String
        var text: String?
        var entries: [Row]
    }

    private static func rows(_ output: String) throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: Data(output.utf8))
    }

    @Test func aSwitchedLampIsExplainedLoggedAndWatched() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.add(id, "--code", Fixture.lampCode).status == 0)
            #expect(try await fixture.run("why", "Lamp").output == "Nothing has been recorded about “Lamp” yet.\n")

            let environment = ["HEARTH_SOCKET": fixture.socket]
            let watch = try PeerProcess(Programs.hearth, ["watch"], environment: environment)
            _ = try await watch.line("the start") { $0.hasPrefix("Watching") }
            let lines = try PeerProcess(Programs.hearth, ["watch", "--json"], environment: environment)
            _ = try await lines.json(Fixture.Line.self, "the start") { $0.event == "watching" }
            #expect(try await fixture.run("set", "Lamp", "On", "on").status == 0)
            _ = try await watch.line("the lamp") {
                $0.contains("  Lamp turned on (") && $0.hasSuffix(" on the command line)")
            }
            _ = try await lines.json(Fixture.Line.self, "the value") {
                $0.event == "value" && $0.characteristic == "On"
            }
            _ = try await lines.json(Fixture.Line.self, "the entry") { $0.event == "journal" }

            let why = try await fixture.run("why", "lamp")
            #expect(why.status == 0)
            #expect(why.output.hasPrefix("Lamp turned on at "), "\(why)")
            #expect(why.output.hasSuffix(" on the command line asked for it.\n"), "\(why)")
            let json = try await fixture.run("why", "Lamp", "--json").output
            let explanation = try JSONDecoder().decode(Explanation.self, from: Data(json.utf8))
            #expect(explanation.name == "Lamp" && explanation.text.map { "\($0)\n" } == why.output)
            #expect(explanation.entries.map(\.kind) == ["value"])
            #expect(explanation.entries.first?.value == true && explanation.entries.first?.characteristic == "On")
            #expect(explanation.entries.first?.app == "hearth" && explanation.entries.first?.cause == "person")

            #expect(try await fixture.run("set", "Lamp", "On", "off").status == 0)
            let log = try Self.rows(try await fixture.run("log", "--json").output)
            #expect(log.first?.verb == "homeCreated" && log.first?.objects == ["My Home"])
            #expect(log.suffix(2).map(\.value) == [true, false], "the newest is last")
            let last = try Self.rows(try await fixture.run("log", "Lamp", "--limit", "1", "--json").output)
            #expect(last.map(\.id) == log.suffix(1).map(\.id))
            let recent = try Self.rows(
                try await fixture.run("log", "--accessory", "Lamp", "--since", "1h", "--json").output
            )
            #expect(recent.map(\.id).suffix(2) == log.map(\.id).suffix(2))
            #expect(!recent.contains { $0.verb == "homeCreated" })
            let text = try await fixture.run("log", "--limit", "2").output.split(separator: "\n")
            #expect(text.count == 2 && text.last?.contains("  Lamp turned off (") == true, "\(text)")

            for process in [watch, lines, lamp, hub] { _ = await process.terminate() }
        }
    }

    @Test func whatIsWrongIsRefusedByName() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            for command in [["why", "Nobody"], ["log", "Nobody"], ["log", "Nobody", "--plot"]] {
                let refused = try await fixture.run(command)
                #expect(refused.status == 1)
                #expect(refused.error.hasPrefix("error: notFound: "), "\(refused)")
            }
            let time = try await fixture.run("log", "--since", "soon")
            #expect(time.status == 1 && time.error.hasPrefix("error: invalidTime: "), "\(time)")
            for arguments in [
                ["log", "--plot"], ["log", "--limit", "0"], ["log", "A", "--accessory", "B"],
                ["log", "A", "--plot", "--csv"],
                ["log", "A", "--csv", "--limit", "1"], ["why"],
            ] {
                #expect(try await fixture.run(arguments).status == 2, "\(arguments)")
            }
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aSensorsValuesAreDrawnAndPrinted() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let id = Fixture.newDeviceID()
            let description = #"""
                {"format": 1, "name": "Sensor", "serialNumber": "S-1", "category": "Sensor", "deviceID": "\#(id)",
                 "setupCode": "\#(Fixture.lampCode)", "services": [
                   {"type": "TemperatureSensor", "characteristics": {"CurrentTemperature": 21.5}}]}
                """#
            let sensor = try await fixture.startSimulator("sensor", describedBy: description)
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.add(id, "--code", Fixture.lampCode).status == 0)
            let printed = try await Wait.value(where: { $0.status == 0 }) {
                try await fixture.run("log", "Sensor", "--csv")
            }
            let csv = printed.output.split(separator: "\n")
            #expect(csv.first == "time,characteristic,value")
            #expect(csv.dropFirst().allSatisfy { $0.hasSuffix(",CurrentTemperature,21.5") } && csv.count >= 2, "\(csv)")
            let plot = try await fixture.run("log", "Sensor", "--plot").output.split(separator: "\n")
            #expect(plot.first == "Sensor CurrentTemperature")
            #expect(plot.dropFirst().first?.hasPrefix("21.5 °C ┤") == true)
            #expect(plot.count == 1 + SamplePlot.height + 1)
            let log = try await fixture.run("log", "Sensor", "--json").output
            #expect(try !Self.rows(log).contains { $0.kind == "value" })
            for process in [sensor, hub] { _ = await process.terminate() }
        }
    }

    // MARK: Without processes

    private func plot(_ points: [(Double, Double)], width: Int = 26) -> [String] {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let series = JournalSamples.Series(
            iid: 1,
            times: points.map { Int64((1_000_000 + $0.0) * 1_000) },
            values: points.map(\.1)
        )
        let plot = SamplePlot(series, from: start, to: start + 20, width: width)
        return plot.lines(value: { "\(Int($0))" }, time: { "\(Int($0.timeIntervalSince(start)))s" })
    }

    @Test func aDrawingHoldsAValueUntilTheNextOne() {
        let lines = plot([(5, 10), (10, 20), (15, 20)], width: 24)
        #expect(lines.count == SamplePlot.height + 1)
        #expect(lines[0] == "20 ┤          ██████████")
        #expect(lines[9] == "10 ┤     ▁▁▁▁▁██████████")
        #expect(lines[10] == "    0s               20s")
    }

    @Test func equalValuesAreInTheMiddle() {
        let lines = plot([(0, 7)], width: 23)
        #expect(lines.prefix(5).map(\.count) == [3, 3, 3, 3, 3], "\(lines)")
        #expect(lines[5] == "  ┤████████████████████")
    }

    @Test(arguments: [
        ("2h", "2026-11-22T17:02:00Z"), ("7d", "2026-11-15T19:02:00Z"), ("18:00", "2026-11-22T18:00:00Z"),
        ("19:30", "2026-11-21T19:30:00Z"), ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("2026-11-20 08:15", "2026-11-20T08:15:00Z"), ("2026-11-20T08:15:30Z", "2026-11-20T08:15:30Z"),
    ])
    func aTimeIsADurationATimeOfDayOrADate(text: String, expected: String) throws {
        let now = try Date("2026-11-22T19:02:00Z", strategy: .iso8601)
        let time = HubTime(
            ClockTime(milliseconds: Int64(now.timeIntervalSince1970 * 1_000), isManual: true, timeZone: "UTC")
        )
        #expect(try SinceTime.date(of: text, at: time).formatted(.iso8601) == expected)
    }

    @Test(arguments: ["", "soon", "25:00", "12:60", "2026-13-01", "-5m"])
    func whatIsNotATimeIsRefused(text: String) {
        let time = HubTime(ClockTime(milliseconds: 0, isManual: true, timeZone: "UTC"))
        let error = #expect(throws: CommandFailure.self) { try SinceTime.date(of: text, at: time) }
        #expect(error?.name == "invalidTime")
    }
}
