import HAPCatalog
import Testing

@testable import AccessorySimulator

@Suite struct FaultTextTests {
    @Test(arguments: [
        "latency 200ms", "latency 200ms jitter 50ms for 10s", "no-answer", "drop once", "refuse for 5s", "half-answer",
        "wrong-tag times 3", "status -70402", "status -70410 read", "status -70402 write for 1500ms", "value 250",
        "no-timed-writes for 10s", "value -3.5", "value true", "event-lost", "event-doubled", "event-late 3s",
        "mdns-silent", "mdns-flapping 2s", "port-changed", "configuration-changed", "ids-changed", "restart",
        "restart 5s", "power-cut M6 once", "pairing-forgotten", "battery-low 10",
    ])
    func aFaultIsWrittenAsItWasRead(_ line: String) throws {
        #expect(try Fault(line).description == line)
    }

    @Test func timesAreReadInAllTheirUnits() throws {
        #expect(try Fault("latency 1.5s").kind == .latency(.milliseconds(1500), jitter: .zero))
        #expect(try Fault("no-answer for 5min").span == .time(.seconds(300)))
        #expect(try Fault("no-answer for 2h").span == .time(.seconds(7200)))
        #expect(try Fault("battery-low").kind == .batteryLow(10))
    }

    @Test(arguments: [
        ("", "a fault is missing"), ("delay 3s", "'delay' is not a fault; use latency"),
        ("latency", "a time such as 200ms or 3s is missing"), ("latency 3", "'3' is not a time"),
        ("latency -1s", "'-1s' is not a time"), ("latency 25h", "'25h' is not between 0s and 86400s"),
        ("latency 1s jitter 2s", "the jitter is more than the latency"), ("drop now", "unexpected 'now'"),
        ("drop times 0", "'0' is not a number from 1 to 1000000"), ("drop times 1000001", "from 1 to 1000000"),
        ("status 5", "'5' is not a number from -70499 to -70401"), ("restart 2s for 5s", "can't last"),
        ("refuse once", "can't be counted"), ("power-cut M5", "'M5' is not M2, M4 or M6"),
        ("battery-low 101", "'101' is not a number from 0 to 100"), ("mdns-flapping 10ms", "is not between 100ms"),
        ("value", "a value is missing"), ("drop for 0s", "'0s' is not between 1ms"),
    ])
    func whatIsWrongWithALineIsNamed(_ line: String, _ reason: String) {
        let error = #expect(throws: SimulatorError.self) { _ = try Fault(line) }
        #expect(error?.code == .invalidFault)
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func timesAtTheLimitsAreTaken() throws {
        #expect(try Fault("latency 24h").kind == .latency(Fault.maximumTime, jitter: .zero))
        #expect(try Fault("drop times 1000000").span == .times(Fault.maximumTimes))
    }
}
