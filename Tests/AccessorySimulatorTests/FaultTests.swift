import HAP
import HAPCatalog
import HAPClient
import class HomeKitTesting.ManualClock
import NIOCore
import NIOPosix
import PeerProcess
import Testing

@testable import AccessorySimulator
@testable import HAPServer

/// The effects of faults on the network, as a controller sees them.
struct FaultTests {
    // MARK: Responses

    @Test func latencyHoldsRequestsBack() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let on = try await fixture.id("On")
            try await fixture.simulator.inject(Fault("latency 200ms jitter 50ms once"), into: "Lamp")
            let begin = ContinuousClock.now
            #expect(try await line.get([on]).status == .ok)
            #expect(ContinuousClock.now - begin >= .milliseconds(150))
            #expect(await fixture.simulator.injectedFaults.isEmpty)
        }
    }

    @Test func aRequestWithoutAnswerIsNotCarriedOut() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let (line, other) = (try await fixture.session(pairing), try await fixture.session(pairing))
            let on = try await fixture.id("On")
            try await fixture.simulator.inject(Fault("no-answer once"), into: "Lamp")
            let unanswered = Task { try await line.write(on, .bool(true)) }
            while await !fixture.simulator.injectedFaults.isEmpty { await Task.yield() }
            #expect(try await other.get([on]).text.contains(#""value":0"#))
            line.connection.abandon()
            await #expect(throws: UnreachableCause.timedOut) { _ = try await unanswered.value }
        }
    }

    @Test func anAccessoryWithoutTimedWritesPreparesNothing() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let fault = try await fixture.simulator.inject(Fault("no-timed-writes"), into: "Lamp")
            let preparation = PrepareRequest(timeToLive: 1_000, pid: 7).request(host: line.connection.host)
            #expect(try await line.connection.ask(preparation).status == .notFound)
            #expect(try await line.write(try await fixture.id("On"), .bool(true)).status == .noContent)
            await fixture.simulator.clearFault(try #require(fault))
            #expect(try await line.connection.ask(preparation).status == .ok)
        }
    }

    @Test func aDroppedRequestEndsTheConnection() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let line = try await fixture.session(pairing)
            let on = try await fixture.id("On")
            try await fixture.simulator.inject(Fault("drop once"), into: "Lamp")
            await #expect(throws: UnreachableCause.connectionLost) { _ = try await line.write(on, .bool(true)) }
            let answer = try await fixture.session(pairing).get([on])
            #expect(answer.text.contains(#""value":0"#))
        }
    }

    @Test func aRefusedConnectionIsAcceptedOnceTheFaultIsCleared() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.connect()
            let address = try await fixture.address
            let fault = try await fixture.simulator.inject(Fault("refuse"), into: "Lamp")
            #expect(await line.end() == .connectionLost)
            await #expect(throws: UnreachableCause.refused) { _ = try await Line(to: address) }
            await fixture.simulator.clearFault(try #require(fault))
            #expect(try await fixture.address == address)
            _ = try await Line(to: address)
        }
    }

    @Test func halfAnAnswerIsNone() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let on = try await fixture.id("On")
            let line = try await fixture.session(pairing)
            try await fixture.simulator.inject(Fault("half-answer once"), into: "Lamp")
            await #expect(throws: UnreachableCause.connectionLost) { _ = try await line.write(on, .bool(true)) }
            // The write was executed.
            #expect(try await fixture.session(pairing).get([on]).text.contains(#""value":1"#))
            // The same applies to unencrypted connections.
            try await fixture.simulator.inject(Fault("half-answer once"), into: "Lamp")
            await #expect(throws: UnreachableCause.self) { _ = try await fixture.session(pairing) }
        }
    }

    @Test func aWrongTagEndsTheSession() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let on = try await fixture.id("On")
            try await fixture.simulator.inject(Fault("wrong-tag once"), into: "Lamp")
            // Pair verify has no encrypted frames.
            let line = try await fixture.session(pairing)
            await #expect(throws: UnreachableCause.protocolViolation("it sent a frame that can't be read")) {
                _ = try await line.get([on])
            }
            #expect(try await fixture.session(pairing).get([on]).status == .ok)
        }
    }

    @Test func aStatusRefusesReadsOrWrites() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let (on, brightness) = (try await fixture.id("On"), try await fixture.id("Brightness"))
            try await fixture.simulator.inject(Fault("status -70402 read"), into: "Lamp", characteristic: "Brightness")
            let read = try await line.get([on, brightness])
            #expect(read.status == .multiStatus)
            #expect(read.text.contains(#""iid":\#(brightness.iid),"status":-70402"#))
            #expect(read.text.contains(#""iid":\#(on.iid),"status":0,"value":0"#), "\(read.text)")
            #expect(try await line.write(brightness, .integer(3)).status == .noContent)
            try await fixture.simulator.clearFaults()
            try await fixture.simulator.inject(Fault("status -70410 write"), into: "Lamp")
            let write = try await line.write(brightness, .integer(4))
            #expect(write.status == .badRequest || write.status == .multiStatus)
            #expect(write.text.contains("-70410"))
            #expect(try await line.get([brightness]).text.contains(#""value":3"#))
        }
    }

    @Test func aValueThatCannotBeIsToldUntilTheFaultIsCleared() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let brightness = try await fixture.id("Brightness")
            try await line.subscribe(brightness)
            let fault = try await fixture.simulator.inject(
                Fault("value 250"),
                into: "Lamp",
                characteristic: "Brightness"
            )
            #expect(await line.events(1).first?.contains(#""value":250"#) == true)
            #expect(try await line.get([brightness]).text.contains(#""value":250"#))
            await fixture.simulator.clearFault(try #require(fault))
            #expect(try await line.get([brightness]).text.contains(#""value":40"#))
        }
    }

    // MARK: Events

    @Test func aLostEventNeverComes() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let (on, brightness) = (try await fixture.id("On"), try await fixture.id("Brightness"))
            try await line.subscribe(on)
            try await line.subscribe(brightness)
            try await fixture.simulator.inject(Fault("event-lost"), into: "Lamp", characteristic: "Brightness")
            try await fixture.simulator.set(.integer(50), of: fixture.simulator.find("Lamp", "Brightness"))
            try await fixture.simulator.set(.bool(true), of: fixture.simulator.find("Lamp", "On"))
            let event = try #require(await line.events(1).first)
            #expect(event.contains(#""iid":\#(on.iid)"#) && !event.contains(#""iid":\#(brightness.iid)"#))
            #expect(try await line.get([brightness]).text.contains(#""value":50"#))
        }
    }

    @Test func aDoubledEventComesTwice() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let brightness = try await fixture.id("Brightness")
            try await line.subscribe(brightness)
            try await fixture.simulator.inject(Fault("event-doubled once"), into: "Lamp")
            try await fixture.simulator.set(.integer(50), of: fixture.simulator.find("Lamp", "Brightness"))
            try await fixture.simulator.set(.integer(51), of: fixture.simulator.find("Lamp", "Brightness"))
            let values = await line.events(3).map { $0.suffix(6) }
            #expect(values == [":50}]}", ":50}]}", ":51}]}"])
        }
    }

    @Test func aLateEventComesAfterWhatHappensLater() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let (on, brightness) = (try await fixture.id("On"), try await fixture.id("Brightness"))
            try await line.subscribe(on)
            try await line.subscribe(brightness)
            try await fixture.simulator.inject(Fault("event-late 1s once"), into: "Lamp", characteristic: "Brightness")
            try await fixture.simulator.set(.integer(50), of: fixture.simulator.find("Lamp", "Brightness"))
            try await fixture.simulator.set(.bool(true), of: fixture.simulator.find("Lamp", "On"))
            let events = await line.events(2)
            #expect(events.first?.contains(#""iid":\#(on.iid)"#) == true)
            #expect(events.last?.contains(#""iid":\#(brightness.iid),"value":50"#) == true)
        }
    }

    // MARK: The accessory

    @Test func aChangedPortIsAnotherAndThePairingStays() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let line = try await fixture.session(pairing)
            let previous = try await fixture.address
            try await fixture.simulator.inject(Fault("port-changed"), into: "Lamp")
            #expect(await line.end() == .connectionLost)
            #expect(try await fixture.address != previous)
            await #expect(throws: UnreachableCause.refused) { _ = try await Line(to: previous) }
            #expect(try await fixture.session(pairing).get([fixture.id("On")]).status == .ok)
        }
    }

    @Test func aHigherConfigurationNumberChangesNothingElse() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let (previous, on) = (await fixture.simulator.servers[0].configurationNumber, try await fixture.id("On"))
            try await fixture.simulator.inject(Fault("configuration-changed"), into: "Lamp")
            #expect(await fixture.simulator.servers[0].configurationNumber == previous + 1)
            #expect(try await fixture.id("On") == on)
            #expect(try await fixture.session(pairing).get([on]).status == .ok)
        }
    }

    @Test func changedIdsLeadNowhereUntilTheyAreReadAgain() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let previous = try await fixture.id("On")
            try await fixture.simulator.inject(Fault("ids-changed"), into: "Lamp")
            #expect(await fixture.simulator.servers[0].configurationNumber == 2)
            let line = try await fixture.session(pairing)
            #expect(try await line.get([previous]).text.contains("-70409"))
            #expect(try await line.get([fixture.id("On")]).status == .ok)
        }
    }

    @Test func aRestartKeepsPairingsPortAndValues() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let line = try await fixture.session(pairing)
            let (address, brightness) = (try await fixture.address, try await fixture.id("Brightness"))
            #expect(try await line.write(brightness, .integer(7)).status == .noContent)
            try await fixture.simulator.inject(Fault("restart"), into: "Lamp")
            #expect(await line.end() == .connectionLost)
            #expect(try await fixture.address == address)
            #expect(try await fixture.session(pairing).get([brightness]).text.contains(#""value":7"#))
        }
    }

    /// Returns an address that no other test has. While an accessory is away, its port is free.
    private static func ownAddress() -> String {
        "127.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)).2"
    }

    /// The operations that replace a slot's server while a fault lasts.
    private static let replacements = ["restart", "ids-changed", "edit", "reset"]

    private func replace(_ replacement: String, _ fixture: FaultFixture) async throws {
        switch replacement {
        case "edit": try await fixture.simulator.edit("Lamp", category: .outlet)
        case "reset": try await fixture.simulator.reset("Lamp")
        default: try await fixture.simulator.inject(Fault(replacement), into: "Lamp")
        }
    }

    @Test(arguments: replacements, [60, 250])
    func aForcedValueOutlastsARestartAndEndsWithItsFault(_ replacement: String, _ forced: Int) async throws {
        try await FaultFixture.run { fixture in
            let brightness = try fixture.simulator.find("Lamp", "Brightness")
            func value() async throws -> CharacteristicValue? {
                try await fixture.simulator.servers[0].value(of: brightness)
            }
            let fault = try #require(
                try await fixture.simulator.inject(
                    Fault("value \(forced)"),
                    into: "Lamp",
                    characteristic: "Brightness"
                )
            )
            try await replace(replacement, fixture)
            #expect(try await value() == .integer(Int64(forced)))
            await fixture.simulator.clearFault(fault)
            #expect(try await value() == .integer(40))
        }
    }

    @Test(arguments: replacements)
    func aRefusalOutlastsARestartAndEndsWithItsFault(_ replacement: String) async throws {
        try await FaultFixture.run(host: Self.ownAddress()) { fixture in
            let address = try await fixture.address
            let fault = try #require(try await fixture.simulator.inject(Fault("refuse"), into: "Lamp"))
            try await replace(replacement, fixture)
            await #expect(throws: UnreachableCause.refused) { _ = try await Line(to: address) }
            #expect(await fixture.simulator.servers[0].port == nil)
            await fixture.simulator.clearFault(fault)
            #expect(try await fixture.address == address)
            _ = try await Line(to: address)
        }
    }

    /// A program that takes an accessory's port while the accessory is away.
    @Test(arguments: ["refuse", "restart 5s"])
    func anAccessoryWhosePortIsTakenReturnsOnAnother(_ absence: String) async throws {
        let clock = ManualClock()
        try await FaultFixture.run(clock: clock, host: Self.ownAddress()) { fixture in
            let pairing = try await fixture.pair()
            let address = try await fixture.address
            let fault = try await fixture.simulator.inject(Fault(absence), into: "Lamp")
            let taker = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: address.host, port: address.port).get()
            if let fault {
                await fixture.simulator.clearFault(fault)
            } else {
                await clock.waitForSleepers(1)
                clock.move(by: .seconds(5))
                while await fixture.simulator.servers[0].port == nil { await Task.yield() }
            }
            #expect(try await fixture.address.port != address.port)
            _ = try await fixture.session(pairing)
            try await taker.close()
        }
    }

    @Test func aSilenceOutlastsARestart() async throws {
        let name = "Lamp \(UInt64.random(in: 0 ... .max))"
        try await FaultFixture.run(interfaces: ["127.0.0.1"], name: name) { fixture in
            func isAdvertised() async -> Bool { await fixture.simulator.servers[0].published != nil }
            let fault = try #require(try await fixture.simulator.inject(Fault("mdns-silent"), into: name))
            try await fixture.simulator.inject(Fault("restart"), into: name)
            #expect(await !isAdvertised())
            await fixture.simulator.clearFault(fault)
            #expect(await isAdvertised())
        }
    }

    @Test func idsThatAreUsedUpLeaveTheAccessoryAsItWas() async throws {
        try await FaultFixture.run { fixture in
            var last = try await fixture.simulator.description(of: "Lamp", identity: true)
            last.accessories[0].identifiers?.lastIID = UInt64(Int64.max) - 2
            last.accessories[0].key = "L-2"
            last.accessories[0].information.name = "Last"
            last.accessories[0].information.serialNumber = "L-2"
            last.deviceID = nil
            _ = try await fixture.simulator.add(last)
            let error = await #expect(throws: SimulatorError.self) {
                try await fixture.simulator.inject(Fault("ids-changed"), into: "Last")
            }
            #expect(error?.reason.contains("iids left") == true, "\(String(describing: error))")
            #expect(await fixture.simulator.servers[1].port != nil)
        }
    }

    @Test func aRestartTakesItsTime() async throws {
        let clock = ManualClock()
        try await FaultFixture.run(clock: clock) { fixture in
            let address = try await fixture.address
            try await fixture.simulator.inject(Fault("restart 5s"), into: "Lamp")
            await #expect(throws: UnreachableCause.refused) { _ = try await Line(to: address) }
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(5))
            while await fixture.simulator.servers[0].port == nil { await Task.yield() }
            _ = try await Line(to: address)
        }
    }

    /// Cuts and restores the power while a controller pairs.
    private func cutPower(_ fault: String, _ body: (FaultFixture, PairerError?) async throws -> Void) async throws {
        let clock = ManualClock()
        try await FaultFixture.run(clock: clock) { fixture in
            let address = try await fixture.address
            try await fixture.simulator.inject(Fault(fault), into: "Lamp")
            let error = await #expect(throws: PairerError.self) { _ = try await fixture.pair() }
            // The power cut, then the restart.
            await clock.waitForSleepers(2)
            await #expect(throws: UnreachableCause.refused) { _ = try await Line(to: address) }
            clock.move(by: Fault.powerCutTime)
            while await fixture.simulator.servers[0].port == nil { await Task.yield() }
            #expect(try await fixture.address == address)
            try await body(fixture, error)
        }
    }

    @Test func aPowerCutBeforeTheLastMessageLeavesAPairingThatTheControllerLacks() async throws {
        try await cutPower("power-cut M6 once") { fixture, error in
            guard case .outcomeUnknown = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(await fixture.simulator.servers[0].isPaired)
        }
    }

    @Test(arguments: ["power-cut M2 once", "power-cut M4 once"])
    func aPowerCutInTheMiddleOfPairingLeavesNothing(_ fault: String) async throws {
        try await cutPower(fault) { fixture, error in
            guard case .unreachable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let answer = try await fixture.session(fixture.pair()).get([fixture.id("On")])
            #expect(answer.status == .ok)
        }
    }

    @Test func aForgottenPairingEndsTheSessionAndOpensTheAccessory() async throws {
        try await FaultFixture.run { fixture in
            let pairing = try await fixture.pair()
            let line = try await fixture.session(pairing)
            try await fixture.simulator.inject(Fault("pairing-forgotten"), into: "Lamp")
            #expect(await line.end() == .connectionLost)
            await #expect(throws: UnreachableCause.self) { _ = try await fixture.session(pairing) }
            _ = try await fixture.pair()
        }
    }

    @Test func aLowBatterySaysSo() async throws {
        try await FaultFixture.run { fixture in
            let line = try await fixture.session(fixture.pair())
            let (level, isLow) = (try await fixture.id("BatteryLevel"), try await fixture.id("StatusLowBattery"))
            try await line.subscribe(level)
            try await line.subscribe(isLow)
            try await fixture.simulator.inject(Fault("battery-low 9"), into: "Lamp")
            #expect(await line.events(1).count == 1)
            let read = try await line.get([level, isLow]).text
            #expect(read.contains(#""value":9"#) && read.contains(#""value":1"#))
        }
    }

    // MARK: Multicast DNS

    private struct BrowseResult: Decodable, Sendable {
        let event: String
        let name: String?
    }

    @Test(arguments: [("mdns-silent", 1), ("mdns-flapping 100ms", 2)])
    func anAccessoryLeavesMulticastDNSAndComesBack(_ line: String, _ times: Int) async throws {
        let name = "Lamp \(UInt64.random(in: 0 ... .max))"
        let peer = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
        _ = try await peer.json(BrowseResult.self, "the browser") { $0.event == "ready" }
        try await FaultFixture.run(interfaces: ["127.0.0.1"], name: name) { fixture in
            func see(_ event: String) async throws {
                _ = try await peer.json(BrowseResult.self, "\(event) of \(name)") {
                    $0.event == event && $0.name == name
                }
            }
            try await see("add")
            let fault = try await fixture.simulator.inject(Fault(line), into: name)
            for _ in 1..<times {
                try await see("remove")
                try await see("add")
            }
            try await see("remove")
            // The port stays open.
            _ = try await fixture.connect()
            await fixture.simulator.clearFault(try #require(fault))
            try await see("add")
        }
        await peer.terminate()
    }

    // MARK: Injecting faults

    @Test func aFaultThatAnotherHidesIsRefused() async throws {
        try await FaultFixture.run { fixture in
            try await fixture.simulator.inject(Fault("no-answer"), into: "Lamp")
            let error = await #expect(throws: SimulatorError.self) {
                try await fixture.simulator.inject(Fault("drop"), into: "Lamp")
            }
            #expect(error?.code == .invalidFault)
            #expect(error?.reason.contains("'no-answer'") == true)
            // A fault of another target isn't affected.
            try await fixture.simulator.inject(Fault("drop"), into: "Lamp", characteristic: "On")
            try await fixture.simulator.inject(Fault("event-lost"), into: "Lamp")
            #expect(
                await fixture.simulator.injectedFaults.map(\.fault.description) == ["no-answer", "drop", "event-lost"]
            )
        }
    }

    @Test(arguments: [
        ("value 3", nil as String?, "requires a characteristic"), ("restart", "On", "applies to a whole accessory"),
        ("drop", "Hue", "There is no characteristic"),
    ])
    func aFaultThatFitsNowhereIsRefused(_ line: String, _ characteristic: String?, _ reason: String) async throws {
        try await FaultFixture.run { fixture in
            let error = await #expect(throws: SimulatorError.self) {
                try await fixture.simulator.inject(Fault(line), into: "Lamp", characteristic: characteristic)
            }
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
            #expect(await fixture.simulator.injectedFaults.isEmpty)
        }
    }

    @Test func aFaultForATimeEndsByItself() async throws {
        let clock = ManualClock()
        try await FaultFixture.run(clock: clock) { fixture in
            try await fixture.simulator.inject(Fault("status -70402 for 10s"), into: "Lamp")
            await clock.waitForSleepers(1)
            clock.move(by: .milliseconds(9999))
            #expect(await fixture.simulator.injectedFaults.count == 1)
            clock.move(by: .milliseconds(1))
            while await !fixture.simulator.injectedFaults.isEmpty { await Task.yield() }
        }
    }
}
