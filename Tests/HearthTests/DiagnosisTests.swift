import Foundation
import HubAPI
import PeerProcess
import Testing

/// `hearth diagnose NAME` on accessories with injected faults, in separate processes.
struct DiagnosisTests {
    /// A fault, and the expected diagnosis.
    struct FaultCase: Sendable, CustomTestStringConvertible {
        var name: String
        /// The fault's description in the documentation.
        var caption: String
        var fault: String
        var step: AccessoryDiagnosis.StepName
        var outcome = AccessoryDiagnosis.Outcome.failed
        var trouble: AccessoryTrouble

        var testDescription: String { name }
    }

    private static let sensor = #"""
        [{"type": "SmokeSensor", "characteristics": {"SmokeDetected": 0, "StatusFault": 0}},
         {"type": "Battery", "characteristics": {"BatteryLevel": 80, "ChargingState": 0, "StatusLowBattery": 0}}]
        """#

    private static let faultCases = [
        FaultCase(
            name: "Hall Lamp",
            caption: "It isn't advertised over multicast DNS. Its port is open.",
            fault: "mdns-silent",
            step: .advertised,
            outcome: .warning,
            trouble: .unannounced
        ),
        FaultCase(
            name: "Porch Lamp",
            caption: "Its port is closed.",
            fault: "refuse",
            step: .connection,
            trouble: .refused
        ),
        FaultCase(
            name: "Desk Lamp",
            caption: "It accepts connections but doesn't answer.",
            fault: "no-answer",
            step: .verification,
            trouble: .timedOut
        ),
        FaultCase(
            name: "Ceiling Lamp",
            caption: "It closes each connection after the first request.",
            fault: "drop",
            step: .verification,
            trouble: .connectionLost
        ),
        FaultCase(
            name: "Bedside Lamp",
            caption: "It loses its pairings.",
            fault: "pairing-forgotten",
            step: .verification,
            trouble: .wasReset
        ),
        FaultCase(
            name: "Reading Lamp",
            caption: "It encrypts its responses incorrectly.",
            fault: "wrong-tag",
            step: .reading,
            trouble: .protocolViolation
        ),
        FaultCase(
            name: "Outside Socket",
            caption: "It rejects reads with status -70402.",
            fault: "status -70402",
            step: .reading,
            trouble: .deviceUnreachable
        ),
        FaultCase(
            name: "Clock Lamp",
            caption: "It takes 2.5 seconds to answer each request.",
            fault: "latency 2500ms",
            step: .reading,
            outcome: .warning,
            trouble: .slow
        ),
        FaultCase(
            name: "Smoke Sensor",
            caption: "Its battery is at 10 %.",
            fault: "battery-low",
            step: .reading,
            outcome: .warning,
            trouble: .batteryLow
        ),
        FaultCase(
            name: "Garden Lamp",
            caption: "It is switched on, but sends no event.",
            fault: "event-lost",
            step: .events,
            trouble: .eventsLost
        ),
    ]

    /// Injects every fault of the table in one home. The documentation quotes the diagnoses; set
    /// `HEARTH_WRITE_DOCUMENTATION=1` to update it.
    @Test func tenBrokenAccessoriesAreToldApart() async throws {
        try await FaultyHome.with { home in
            let accessories = Self.faultCases.map {
                FaultyHome.Accessory($0.name, sensor: $0.name == "Smoke Sensor" ? Self.sensor : nil)
            }
            let simulator = try await home.furnish(accessories)
            let working = try await home.fixture.run("diagnose", "Hall Lamp")
            #expect(working.status == 0 && working.output.hasPrefix("“Hall Lamp” works.\n"), "\(working)")
            for faultCase in Self.faultCases { try await home.fault(faultCase.name, faultCase.fault) }
            try await home.run("sim", "set", "Garden Lamp", "On", "on", "--data", home.data("simulator"))

            var document = DiagnosisDocument()
            document.add("The lamp works.", working.output)
            for faultCase in Self.faultCases {
                let diagnosis = try await home.diagnose(faultCase.name, until: faultCase.trouble)
                #expect(
                    diagnosis.troubles(at: faultCase.step) == [faultCase.trouble],
                    "\(faultCase.name): \(diagnosis)"
                )
                #expect(diagnosis.step(faultCase.step)?.outcome == faultCase.outcome, "\(faultCase.name): \(diagnosis)")
                #expect(diagnosis.stop?.name == (faultCase.outcome == .failed ? faultCase.step : nil))
                #expect(diagnosis.cause?.trouble == faultCase.trouble)
                let outcome = try await home.fixture.run("diagnose", faultCase.name)
                #expect(outcome.status == 1)
                #expect(outcome.error.hasPrefix("error: \(faultCase.trouble.rawValue): "), "\(outcome.error)")
                document.add(faultCase.caption, outcome.output)
            }
            try document.check()
            #expect(await simulator.terminate() == 0)
        }
    }

    @Test func whatIsBehindABridgeIsToldApartFromTheBridge() async throws {
        try await FaultyHome.with { home in
            let bridge = FaultyHome.Accessory("Bridge", bridged: ["Attic Lamp", "Cellar Lamp", "Stair Lamp"])
            let simulator = try await home.furnish([bridge])
            try await home.fault("Attic Lamp", "status -70402 read")
            let attic = try await home.diagnose("Attic Lamp")
            #expect(attic.diagnosis.stop?.name == .reading && attic.status == 1)
            #expect(attic.diagnosis.cause?.trouble == .deviceUnreachable)

            try await home.run("sim", "remove", "Cellar Lamp", "--data", home.data("simulator"))
            let cellar = try await home.diagnose("Cellar Lamp", until: .missingOnBridge)
            #expect(cellar.stop?.name == .reading && cellar.cause?.trouble == .missingOnBridge)
            let list = try await home.run("accessory", "list", "--json")
            #expect(list.contains(#""trouble":"missingOnBridge""#), "\(list)")

            let stair = try await home.diagnose("Stair Lamp") { $0.cause == nil }
            #expect(stair.cause == nil, "\(stair)")
            #expect(await simulator.terminate() == 0)
        }
    }

    @Test func aBlockedAccessoryIsNotConnectedTo() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Lamp")])
            try await home.run("accessory", "block", "Lamp")
            let (diagnosis, status) = try await home.diagnose("Lamp")
            #expect(diagnosis.stop?.name == .allowed && diagnosis.cause?.trouble == .blocked && status == 1)
            #expect(diagnosis.steps.dropFirst().map(\.outcome) == Array(repeating: .skipped, count: 6))
            #expect(diagnosis.steps.map(\.name) == AccessoryDiagnosis.StepName.all)
            #expect(await simulator.terminate() == 0)
        }
    }

    @Test func anAccessoryThatIsSwitchedOffStopsWhereItWouldAnnounceItself() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Lamp")])
            #expect(await simulator.terminate() == 0)
            let diagnosis = try await home.diagnose("Lamp", until: .notAdvertised)
            #expect(diagnosis.stop?.name == .advertised && diagnosis.cause?.trouble == .notAdvertised)
            #expect(diagnosis.troubles(at: .connection) == [.refused])
            let read = try await home.fixture.run("get", "Lamp", "On", "--json")
            #expect(read.status == 1 && read.error.contains(#""trouble":""#), "\(read)")
        }
    }

    @Test func aFaultThatAnAccessoryReportsIsTold() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Sensor", sensor: Self.sensor)])
            try await home.fault("Sensor/StatusFault", "value 1")
            let (diagnosis, status) = try await home.diagnose("Sensor")
            #expect(diagnosis.stop == nil && diagnosis.troubles(at: .reading) == [.faultReported] && status == 1)
            #expect(await simulator.terminate() == 0)
        }
    }

    @Test func anAccessoryThatRefusesSubscriptionsStopsAtEvents() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Lamp")])
            try await home.fault("Lamp", "status -70406 write")
            try await home.fault("Lamp", "restart")
            let diagnosis = try await home.diagnose("Lamp", until: .notSubscribed)
            #expect(diagnosis.stop?.name == .events && diagnosis.cause?.trouble == .notSubscribed, "\(diagnosis)")
            #expect(diagnosis.step(.reading)?.outcome == .passed, "\(diagnosis)")
            #expect(await simulator.terminate() == 0)
        }
    }

    @Test func anotherAccessoryAtItsAddressIsNamedAsOne() async throws {
        try await FaultyHome.with { home in
            let lamp = FaultyHome.Accessory("Lamp")
            let simulator = try await home.furnish([lamp])
            let port = try #require(try await Self.port(of: "Lamp", in: home))
            // Without a goodbye, the hub keeps its records, unless other hosts reconfirm them.
            simulator.kill(SIGKILL)
            await simulator.exit()
            let fan = FaultyHome.Accessory("Fan")
            let other = try await home.start([fan], in: "other", ["--port", "\(port)"])
            let diagnosis = try await home.diagnose("Lamp", until: .otherAccessory)
            #expect(diagnosis.step(.verification)?.outcome == .failed, "\(diagnosis)")
            #expect(diagnosis.troubles(at: .verification) == [.otherAccessory], "\(diagnosis)")
            #expect(await other.terminate() == 0)
        }
    }

    @Test func aDiagnosisLeavesTheHubsConnectionAsItIsAndMakesNoOther() async throws {
        try await FaultyHome.with { home in
            let simulator = try await home.furnish([FaultyHome.Accessory("Lamp")])
            let port = try #require(try await Self.port(of: "Lamp", in: home))
            #expect(try await home.diagnose("Lamp") { $0.cause == nil }.cause == nil)
            let before = try Self.connections(to: port)
            for _ in 0..<3 { #expect(try await home.diagnose("Lamp").status == 0) }
            // A new connection that closed would still be listed here, in TIME_WAIT.
            #expect(try Self.connections(to: port) == before)
            #expect(await simulator.terminate() == 0)
        }
    }

    /// Returns the connections of this machine to a port: each one's own port and state.
    private static func connections(to port: Int) throws -> Set<String> {
        let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        return Set(
            rows.filter { $0[2].split(separator: ":").last.flatMap { Int($0, radix: 16) } == port }
                .map { "\($0[1]) \($0[3])" }
        )
    }

    private static func port(of name: String, in home: FaultyHome) async throws -> Int? {
        let lines = try await home.run("sim", "list", "--data", home.data("simulator"), "--json")
        let list = try JSONDecoder().decode([Fixture.Line].self, from: Data(lines.utf8))
        return list.first { $0.name == name }?.port
    }
}
