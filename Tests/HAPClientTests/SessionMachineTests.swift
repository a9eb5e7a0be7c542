import HAP
import HAPCatalog
import NIOCore
import Testing

@testable import HAPClient

@Suite struct SessionMachineTests {
    // MARK: Connecting

    @Test func goesFromConnectingOverVerifyingToReady() throws {
        var session = try MachineHarness()
        #expect(session.machine.phase == .idle)
        session.start()
        #expect(session.machine.phase == .connecting)
        #expect(session.drain() == ["connect 127.0.0.1:7"])
        session.connected()
        #expect(session.drain() == ["verify"])
        session.verified()
        #expect(session.machine.phase == .readingAttributes)
        #expect(session.drain() == ["GET /accessories"])
        session.answerAttributes()
        #expect(session.machine.phase == .ready)
        #expect(session.drain() == ["ready"])
    }

    @Test func startsOnlyOnce() throws {
        var session = try MachineHarness()
        session.start()
        session.start()
        #expect(session.drain() == ["connect 127.0.0.1:7"])
    }

    @Test func subscribesAgainBeforeItReadsTheAttributes() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.subscribe(Fixture.on, enabled: true), .subscribe(Fixture.brightness, enabled: true))
        session.answer(.noContent)
        _ = session.drain()
        session.lost()
        session.connected()
        session.verified()
        #expect(session.machine.phase == .resubscribing)
        session.answer(.noContent)
        session.answerAttributes()
        #expect(
            session.drain() == [
                "connect 127.0.0.1:7",
                "verify",
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"ev":true},{"aid":1,"iid":10,"ev":true}]}"#,
                "GET /accessories",
                "ready",
            ]
        )
    }

    @Test func manySubscriptionsAreMadeInSeveralRequests() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.machine.subscriptions = Set((1...97).map { CharacteristicID(aid: 2, iid: $0) })
        session.lost()
        session.connected()
        session.verified()
        session.answer(.noContent)
        session.answer(.noContent)
        session.answer(.noContent)
        let lines = session.drain()
        #expect(lines.filter { $0.hasPrefix("PUT") }.count == 3)
        #expect(lines.last == "GET /accessories")
    }

    @Test func aSubscriptionThatTheAccessoryRefusesOrThatWasGivenUpIsNotMadeAgain() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(
            .subscribe(Fixture.on, enabled: true),
            .subscribe(Fixture.name, enabled: true),
            .subscribe(Fixture.brightness, enabled: true)
        )
        session.answer(
            .multiStatus,
            #"""
            {"characteristics":[{"aid":1,"iid":9,"status":0},{"aid":1,"iid":3,"status":-70406},
            {"aid":1,"iid":10,"status":0}]}
            """#
        )
        session.submit(.subscribe(Fixture.brightness, enabled: false))
        session.answer(.noContent)
        #expect(session.drain().contains("finish 0: done, status -70406, done"))
        #expect(session.machine.subscriptions == [Fixture.on])
    }

    @Test func aSubscriptionIsRememberedWhileTheAccessoryIsUnreachable() throws {
        var session = try MachineHarness()
        session.start()
        session.connectFailed(.refused)
        session.submit(.subscribe(Fixture.on, enabled: true))
        #expect(session.drain().last == "finish 0: unreachable refused")
        #expect(session.machine.subscriptions == [Fixture.on])
    }

    // MARK: Failing and reconnecting

    @Test func waitsDoubleUpToTheBoundAndACauseIsToldOnce() throws {
        var session = try MachineHarness()
        session.start()
        var waits: [Int64] = []
        for _ in 0..<8 {
            session.connectFailed(.refused)
            let before = session.now
            try session.advanceToDeadline()
            waits.append((session.now - before).nanoseconds / 1_000_000_000)
        }
        #expect(waits == [2, 4, 8, 16, 32, 60, 60, 60])
        #expect(session.drain().filter { $0.hasPrefix("unreachable") } == ["unreachable refused"])
        session.connectFailed(.timedOut)
        #expect(session.drain() == ["unreachable timedOut"])
    }

    @Test func withoutAnAddressItWaitsForOne() throws {
        var session = try MachineHarness(addresses: [])
        session.start()
        #expect(session.drain() == ["unreachable notAdvertised"])
        #expect(session.machine.deadline == nil)
        session.update([])
        #expect(session.drain().isEmpty)
        session.update([MachineHarness.address])
        #expect(session.drain() == ["connect 127.0.0.1:7"])
    }

    @Test func aFreshAddressEndsTheWaitButNotWithinTheShortestOne() throws {
        var session = try MachineHarness()
        session.start()
        for _ in 0..<5 {
            session.connectFailed(.timedOut)
            try session.advanceToDeadline()
        }
        session.connectFailed(.timedOut)
        _ = session.drain()
        let fresh = AccessoryAddress(host: "127.0.0.2", port: 8)
        session.update([fresh])
        #expect(session.drain().isEmpty)
        session.advance(.seconds(1))
        #expect(session.drain() == ["connect 127.0.0.2:8"])
        session.connectFailed(.timedOut)
        session.advance(.seconds(5))
        session.update([fresh])
        #expect(session.drain() == ["connect 127.0.0.2:8"])
    }

    @Test func aFreshAddressThatIsHeardDuringATryFollowsIt() throws {
        var session = try MachineHarness()
        session.start()
        for _ in 0..<5 {
            session.connectFailed(.timedOut)
            try session.advanceToDeadline()
        }
        let fresh = AccessoryAddress(host: "127.0.0.2", port: 8)
        session.update([fresh])
        _ = session.drain()
        session.connectFailed(.timedOut)
        session.advance(.milliseconds(999))
        #expect(session.drain().isEmpty)
        session.advance(.milliseconds(1))
        #expect(session.drain() == ["connect 127.0.0.2:8"])
        session.connected(to: fresh)
        session.update([MachineHarness.address])
        session.advance(.seconds(10))
        #expect(session.drain() == ["verify", "disconnect", "connect 127.0.0.1:7"])
        session.update([MachineHarness.address])
        session.connectFailed(.timedOut)
        session.advance(.seconds(59))
        #expect(session.drain().isEmpty)
    }

    @Test func aFreshAddressLeavesAConnectionAlone() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.update([AccessoryAddress(host: "127.0.0.2", port: 8)])
        #expect(session.drain().isEmpty)
        session.lost()
        #expect(session.drain() == ["connect 127.0.0.2:8 127.0.0.1:7"])
    }

    // MARK: Addresses

    @Test func anAddressThatIsOfNoUseIsFollowedByTheNextBeforeAnythingIsTold() throws {
        let addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]
            .map { AccessoryAddress(host: $0, port: 8) }
        var session = try MachineHarness(addresses: addresses)
        session.start()
        #expect(session.drain() == ["connect 127.0.0.2:8 127.0.0.3:8 127.0.0.4:8 127.0.0.5:8"])
        session.connected(to: addresses[1])
        session.verifyFailed(.otherAccessory)
        #expect(session.drain() == ["verify", "disconnect", "connect 127.0.0.4:8 127.0.0.5:8"])
        session.connected(to: addresses[2])
        session.advance(.seconds(10))
        #expect(session.drain() == ["verify", "disconnect", "connect 127.0.0.5:8"])
        session.connected(to: addresses[3])
        session.lost()
        #expect(session.drain() == ["verify", "unreachable otherAccessory"])
        try session.advanceToDeadline()
        #expect(session.drain() == ["connect 127.0.0.2:8 127.0.0.3:8 127.0.0.4:8 127.0.0.5:8"])
        session.connected(to: addresses[0])
        session.verifyFailed(.otherAccessory)
        session.connected(to: addresses[1])
        session.verifyFailed(.pairingForgotten)
        session.connectFailed(.refused)
        #expect(session.drain().last == "unreachable pairingForgotten")
    }

    @Test func theAddressThatHasProvedItselfIsTriedAfterThoseThatAreHeardOf() throws {
        var session = try MachineHarness()
        session.makeReady()
        let false1 = AccessoryAddress(host: "127.0.0.6", port: 1)
        session.update([false1])
        session.lost()
        session.connected(to: false1)
        session.verifyFailed(.otherAccessory)
        #expect(session.drain() == ["connect 127.0.0.6:1 127.0.0.1:7", "verify", "disconnect", "connect 127.0.0.1:7"])
        session.reconnect()
        #expect(session.drain() == ["verify", "GET /accessories", "ready"])
        #expect(session.machine.provenAddress == MachineHarness.address)
    }

    @Test(arguments: [8, 9])
    func eightAddressesAreTriedAtMost(count: Int) throws {
        let addresses = (0..<count).map { AccessoryAddress(host: "127.0.1.\($0)", port: 1) }
        var session = try MachineHarness(addresses: addresses)
        session.start()
        #expect(session.drain().first?.split(separator: " ").count == 9)
    }

    @Test func aConnectionIsKeptWhateverIsHeardOfTheAccessory() throws {
        var session = try MachineHarness()
        session.makeReady()
        for number in 0..<100 {
            session.didReceiveGoodbye()
            session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
            session.update([AccessoryAddress(host: "127.0.0.\(number)", port: 9)])
        }
        #expect(session.machine.phase == .ready)
        #expect(Set(session.drain()) == ["GET /characteristics?id=1.3"])
    }

    @Test func ipv4IsTriedFirst() throws {
        let addresses = [
            AccessoryAddress(host: "fe80::1%eth0", port: 5), AccessoryAddress(host: "lamp.local", port: 5),
            AccessoryAddress(host: "10.0.0.9", port: 5), AccessoryAddress(host: "10.0.0.9", port: 5),
        ]
        var session = try MachineHarness(addresses: addresses)
        session.start()
        #expect(session.drain() == ["connect 10.0.0.9:5 [fe80::1%eth0]:5 lamp.local:5"])
    }

    @Test func aLossIsTriedAtOnceAndOnlyThenTold() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.lost()
        #expect(session.drain() == ["connect 127.0.0.1:7"])
        session.connectFailed(.refused)
        #expect(session.drain() == ["unreachable refused"])
        try session.advanceToDeadline()
        session.reconnect()
        #expect(session.drain() == ["connect 127.0.0.1:7", "verify", "GET /accessories", "ready"])
    }

    @Test func aConnectionThatBreaksAgainAndAgainIsNotTriedAtOnce() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.lost()
        session.reconnect()
        _ = session.drain()
        session.lost()
        #expect(session.drain() == ["unreachable connectionLost"])
        try session.advanceToDeadline()
        session.reconnect()
        session.advance(.seconds(30))
        _ = session.drain()
        session.lost()
        #expect(session.drain() == ["connect 127.0.0.1:7"])
    }

    @Test func aPairVerifyThatFailsIsNamedAndTriedAgainLater() throws {
        var session = try MachineHarness()
        session.start()
        session.connected()
        session.verifyFailed(.pairingForgotten)
        #expect(session.drain().suffix(2) == ["disconnect", "unreachable pairingForgotten"])
        try session.advanceToDeadline()
        #expect(session.machine.phase == .connecting)
    }

    @Test func aPairVerifyThatNeverEndsIsGivenUp() throws {
        var session = try MachineHarness()
        session.start()
        session.connected()
        _ = session.drain()
        session.advance(.seconds(9))
        #expect(session.drain().isEmpty)
        session.advance(.seconds(1))
        #expect(session.drain() == ["disconnect", "unreachable timedOut"])
    }

    @Test func aDescriptionThatCannotBeReadIsAViolation() throws {
        var session = try MachineHarness()
        session.start()
        session.connected()
        session.verified()
        _ = session.drain()
        session.answer(.ok, #"{"accessories":[{"aid":"one"}]}"#)
        #expect(session.drain() == ["disconnect", "unreachable protocolViolation"])
    }

    @Test func anAccessoryThatTakesLeaveIsProbedAndThenCalledNotAdvertised() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.didReceiveGoodbye()
        #expect(session.drain() == ["GET /characteristics?id=1.3"])
        session.lost()
        session.connectFailed(.refused)
        #expect(session.drain() == ["connect 127.0.0.1:7", "unreachable notAdvertised"])
        try session.advanceToDeadline()
        session.connectFailed(.refused)
        #expect(session.drain() == ["connect 127.0.0.1:7"])
        session.update([MachineHarness.address])
        session.advance(.seconds(1))
        session.connectFailed(.refused)
        #expect(session.drain() == ["connect 127.0.0.1:7", "unreachable refused"])
        session.didReceiveGoodbye()
        #expect(session.drain() == ["unreachable notAdvertised"])
    }

    // MARK: Probing

    @Test func aSilentAccessoryIsProbedAndGivenUpWithoutAnAnswer() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.advance(.seconds(59))
        #expect(session.drain().isEmpty)
        session.advance(.seconds(1))
        #expect(session.drain() == ["GET /characteristics?id=1.3"])
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
        session.advance(.seconds(60))
        #expect(session.drain() == ["GET /characteristics?id=1.3"])
        session.advance(.seconds(10))
        #expect(session.drain() == ["disconnect", "connect 127.0.0.1:7"])
    }

    @Test func whatIsHeardPutsTheProbeOff() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.advance(.seconds(50))
        session.event(#"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#)
        session.advance(.seconds(50))
        #expect(session.drain() == ["values 1.9=true"])
    }

    // MARK: Configuration

    @Test func aNewConfigurationNumberReadsTheAttributesAgain() throws {
        var session = try MachineHarness()
        session.configurationDidChange(number: 4)
        session.makeReady()
        session.configurationDidChange(number: 4)
        #expect(session.drain().isEmpty)
        session.configurationDidChange(number: 5)
        #expect(session.drain() == ["GET /accessories"])
        session.answerAttributes()
        #expect(session.drain() == ["ready"])
        session.configurationDidChange(number: 5)
        #expect(session.drain().isEmpty)
    }

    @Test func aNumberThatChangesDuringTheReadingReadsAgain() throws {
        var session = try MachineHarness()
        session.start()
        session.connected()
        session.verified()
        session.configurationDidChange(number: 2)
        _ = session.drain()
        session.answerAttributes()
        #expect(session.drain() == ["ready", "GET /accessories"])
        session.answerAttributes()
        #expect(session.drain() == ["ready"])
    }

    @Test func numbersThatChangeQuicklyReadOnceInAWhileUnderTheNewest() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.configurationDidChange(number: 2)
        session.answerAttributes()
        #expect(session.drain() == ["GET /accessories", "ready"])
        for number in 3...100 {
            session.configurationDidChange(number: number)
            session.advance(.milliseconds(20))
        }
        #expect(session.drain().isEmpty)
        session.submit(.read(Fixture.on))
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#)
        #expect(session.drain() == ["GET /characteristics?id=1.9", "finish 0: true"])
        session.advance(.seconds(1))
        #expect(session.drain().isEmpty)
        session.advance(.milliseconds(40))
        #expect(session.drain() == ["GET /accessories"])
        session.answerAttributes()
        session.advance(.seconds(50))
        #expect(session.drain() == ["ready"])
        #expect(session.machine.knownNumber == 100)
    }

    @Test func aNumberThatComesBackIsNotReadAgain() throws {
        var session = try MachineHarness()
        session.configurationDidChange(number: 1)
        session.makeReady()
        session.configurationDidChange(number: 2)
        session.answerAttributes()
        session.configurationDidChange(number: 3)
        session.configurationDidChange(number: 2)
        _ = session.drain()
        session.advance(.seconds(3))
        #expect(session.drain().isEmpty)
    }

    @Test func aNewNumberWaitsForTheAnswerThatIsDue() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.read(Fixture.on))
        session.submit(.read(Fixture.brightness))
        session.configurationDidChange(number: 2)
        _ = session.drain()
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":0}]}"#)
        #expect(session.drain() == ["GET /accessories", "finish 0: false"])
        session.answerAttributes()
        #expect(session.drain() == ["ready", "GET /characteristics?id=1.10"])
    }

    @Test func whatWaitsIsNotSentToAnotherCharacteristicThatHasTakenTheID() throws {
        var accessories = Fixture.accessories
        accessories[0].services[1].characteristics[1].type = .Characteristic.hue
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.read(Fixture.on))
        session.submit(.write(CharacteristicWrite(id: Fixture.brightness, value: .integer(70))))
        session.submit(.read(Fixture.on))
        session.configurationDidChange(number: 2)
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":0}]}"#)
        _ = session.drain()
        session.answer(HTTPResponse(status: .ok, json: AttributeDatabase(accessories: accessories).encoded()))
        #expect(session.drain() == ["ready", "GET /characteristics?id=1.9", "finish 1: status -70409"])
    }

    // MARK: Events

    @Test func eventsComeInTheFormOfTheirFormats() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.event(
            #"{"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"value":7},{"aid":1,"iid":3,"value":null}]}"#
        )
        session.event("nonsense")
        session.event(#"{"characteristics":[]}"#)
        #expect(session.drain() == ["values 1.9=true 1.10=7 1.3=nil"])
    }

    @Test func aFloodOfEventsEndsTheConnection() throws {
        var session = try MachineHarness()
        session.makeReady()
        let event = #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#
        for _ in 0..<2 {
            for _ in 0..<1_000 { session.event(event) }
            #expect(session.drain().filter { $0 != "values 1.9=true" }.isEmpty)
            session.advance(.seconds(1))
        }
        for _ in 0..<1_001 { session.event(event) }
        let lines = session.drain()
        #expect(lines.filter { $0 == "values 1.9=true" }.count == 1_000)
        #expect(lines.suffix(2) == ["disconnect", "unreachable protocolViolation"])
    }

    @Test func aFloodDuringARequestEndsTheRequestToo() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.write(CharacteristicWrite(id: CharacteristicID(aid: 1, iid: 9), value: .bool(true))))
        let event = #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#
        for _ in 0..<1_001 { session.event(event) }
        let lines = session.drain()
        #expect(lines.contains { $0.hasPrefix("finish") && $0.hasSuffix("unknown protocolViolation") })
        try session.advanceToDeadline()
        session.reconnect()
        #expect(session.drain() == ["connect 127.0.0.1:7", "verify", "GET /accessories", "ready"])
    }

    @Test func fewEventsOfManyBytesAreAFloodToo() throws {
        var session = try MachineHarness()
        session.makeReady()
        let event = #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#
        let padded = event + String(repeating: " ", count: 262_144 - event.utf8.count)
        for _ in 0..<2 {
            for _ in 0..<4 { session.event(padded) }
            #expect(session.drain().filter { $0 != "values 1.9=true" }.isEmpty)
            session.advance(.seconds(1))
        }
        for _ in 0..<4 { session.event(padded) }
        _ = session.drain()
        session.event(event)
        #expect(session.drain() == ["disconnect", "unreachable protocolViolation"])
    }

    // MARK: Stopping

    @Test func stoppingFailsWhatWaitsAndEndsEverything() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.read(Fixture.on))
        session.submit(.write(CharacteristicWrite(id: Fixture.on, value: .bool(true))))
        _ = session.drain()
        session.stop()
        #expect(
            session.drain() == [
                "disconnect", "finish 0: \(AccessoryFailure.stopped)", "finish 1: \(AccessoryFailure.stopped)",
            ]
        )
        session.update([MachineHarness.address])
        session.lost()
        session.submit(.read(Fixture.on))
        session.stop()
        #expect(session.drain() == ["finish 2: \(AccessoryFailure.stopped)"])
        #expect(session.machine.deadline == nil)
    }

    @Test func beforeItsStartNothingIsTaken() throws {
        var session = try MachineHarness()
        session.submit(.read(Fixture.on))
        #expect(session.drain() == ["finish 0: \(AccessoryFailure.stopped)"])
    }
}
