import Foundation
import HubAPI
import PeerProcess
import Testing

/// `hearth diagnose NAME` on accessories that are broken on purpose, through whole processes.
struct DiagnosisTests {
    /// What is done to an accessory, and what the diagnosis is to say.
    struct FaultCase: Sendable, CustomTestStringConvertible {
        var name: String
        /// What the document says was done.
        var deed: String
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

    private static let breakages = [
        FaultCase(
            name: "Hall Lamp",
            deed: "It takes leave of multicast DNS; its port stays open.",
            fault: "mdns-silent",
            step: .advertised,
            outcome: .warning,
            trouble: .unannounced
        ),
        FaultCase(
            name: "Porch Lamp",
            deed: "Its port is closed.",
            fault: "refuse",
            step: .connection,
            trouble: .refused
        ),
        FaultCase(
            name: "Desk Lamp",
            deed: "It accepts connections and does not answer.",
            fault: "no-answer",
            step: .verification,
            trouble: .timedOut
        ),
        FaultCase(
            name: "Ceiling Lamp",
            deed: "It ends a connection with the first request.",
            fault: "drop",
            step: .verification,
            trouble: .connectionLost
        ),
        FaultCase(
            name: "Bedside Lamp",
            deed: "It forgets every controller.",
            fault: "pairing-forgotten",
            step: .verification,
            trouble: .wasReset
        ),
        FaultCase(
            name: "Reading Lamp",
            deed: "It seals its answers wrongly.",
            fault: "wrong-tag",
            step: .reading,
            trouble: .protocolViolation
        ),
        FaultCase(
            name: "Outside Socket",
            deed: "It refuses reads with the status -70402.",
            fault: "status -70402",
            step: .reading,
            trouble: .deviceUnreachable
        ),
        FaultCase(
            name: "Clock Lamp",
            deed: "It takes two and a half seconds for each answer.",
            fault: "latency 2500ms",
            step: .reading,
            outcome: .warning,
            trouble: .slow
        ),
        FaultCase(
            name: "Smoke Sensor",
            deed: "Its battery is at 10 %.",
            fault: "battery-low",
            step: .reading,
            outcome: .warning,
            trouble: .batteryLow
        ),
        FaultCase(
            name: "Garden Lamp",
            deed: "It is switched on, and does not tell.",
            fault: "event-lost",
            step: .events,
            trouble: .eventsLost
        ),
    ]

    /// Every accessory of the table is broken in one home. What `hearth diagnose` says of each is in the documentation,
    /// which is compared here, and written anew with `HEARTH_WRITE_DOCUMENTATION=1`.
    @Test func tenBrokenAccessoriesAreToldApart() async throws {
        try await FaultyHome.with { home in
            let accessories = Self.breakages.map {
                FaultyHome.Accessory($0.name, sensor: $0.name == "Smoke Sensor" ? Self.sensor : nil)
            }
            let simulator = try await home.furnish(accessories)
            let well = try await home.stage.run("diagnose", "Hall Lamp")
            #expect(well.status == 0 && well.output.hasPrefix("“Hall Lamp” works.\n"), "\(well)")
            for breakage in Self.breakages { try await home.fault(breakage.name, breakage.fault) }
            try await home.run("sim", "set", "Garden Lamp", "On", "on", "--data", home.data("simulator"))

            var document = DiagnosisDocument()
            document.add("A lamp with which nothing is the matter.", well.output)
            for breakage in Self.breakages {
                let diagnosis = try await home.diagnose(breakage.name, until: breakage.trouble)
                #expect(diagnosis.troubles(at: breakage.step) == [breakage.trouble], "\(breakage.name): \(diagnosis)")
                #expect(diagnosis.step(breakage.step)?.outcome == breakage.outcome, "\(breakage.name): \(diagnosis)")
                #expect(diagnosis.stop?.name == (breakage.outcome == .failed ? breakage.step : nil))
                #expect(diagnosis.cause?.trouble == breakage.trouble)
                let outcome = try await home.stage.run("diagnose", breakage.name)
                #expect(outcome.status == 1)
                #expect(outcome.error.hasPrefix("error: \(breakage.trouble.rawValue): "), "\(outcome.error)")
                document.add(breakage.deed, outcome.output)
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
            let read = try await home.stage.run("get", "Lamp", "On", "--json")
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
            // No goodbye: what it announced stays true for the hub, unless others ask for it in vain meanwhile.
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
            // One that had been made and ended would wait there for packets that come late.
            #expect(try Self.connections(to: port) == before)
            #expect(await simulator.terminate() == 0)
        }
    }

    /// The connections of this machine to a port, each by its own port and its state.
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
