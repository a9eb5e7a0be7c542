import HAP
import HAPCatalog
import NIOCore
import Synchronization
import Testing

@testable import HAPClient

@Suite struct SessionRequestTests {
    private func ready() throws -> MachineHarness {
        var session = try MachineHarness()
        session.makeReady()
        return session
    }

    private func write(_ id: CharacteristicID, _ value: CharacteristicValue) -> QueuedRequest.Kind {
        .write(CharacteristicWrite(id: id, value: value))
    }

    // MARK: Order and batches

    @Test func waitingReadsShareOneRequest() throws {
        var session = try ready()
        session.submit(.read(Fixture.name))
        session.submit(.read(Fixture.on), .read(Fixture.brightness))
        session.submit(.read(Fixture.brightness))
        #expect(session.drain() == ["GET /characteristics?id=1.3"])
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
        #expect(session.drain() == ["GET /characteristics?id=1.9,1.10", "finish 0: Fake"])
        session.answer(
            .ok,
            #"{"characteristics":[{"aid":1,"iid":10,"value":40},{"aid":1,"iid":9,"value":true}]}"#
        )
        #expect(session.drain() == ["finish 1: true, 40", "finish 2: 40"])
    }

    @Test func writesShareOneRequestUntilACharacteristicRepeats() throws {
        var session = try ready()
        session.submit(.read(Fixture.name))
        session.submit(write(Fixture.on, .bool(true)))
        session.submit(write(Fixture.brightness, .integer(10)))
        session.submit(write(Fixture.on, .bool(false)))
        session.submit(.read(Fixture.on))
        session.submit(write(Fixture.brightness, .integer(20)))
        _ = session.drain()
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
        session.answer(.noContent)
        session.answer(.noContent)
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":0}]}"#)
        session.answer(.noContent)
        #expect(
            session.drain() == [
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"value":10}]}"#,
                "finish 0: Fake",
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":0}]}"#,
                "finish 1: done", "finish 2: done",
                "GET /characteristics?id=1.9",
                "finish 3: done",
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":10,"value":20}]}"#,
                "finish 4: false",
                "finish 5: done",
            ]
        )
    }

    @Test(arguments: [(48, 1), (49, 2), (96, 2), (97, 3)])
    func aRequestReadsFortyEightCharacteristics(count: UInt64, requests: Int) throws {
        #expect(try self.requests(for: count) { .read($0) } == requests)
    }

    @Test(arguments: [(300, 1), (301, 2), (600, 2), (601, 3)])
    func aRequestWritesThreeHundredValues(count: UInt64, requests: Int) throws {
        #expect(try self.requests(for: count) { write($0, .integer(1)) } == requests)
    }

    /// Returns the number of requests in which a submission is sent.
    private func requests(for count: UInt64, _ kind: (CharacteristicID) -> QueuedRequest.Kind) throws -> Int {
        var session = try ready()
        let kinds = (0..<count).map { kind(CharacteristicID(aid: 2, iid: $0 + 100)) }
        let actions = session.machine.submit(kinds, at: session.now).1
        #expect(actions.count == 1)
        var sent = 1
        while session.machine.exchange != nil {
            session.answer(.badRequest)
            sent += session.drain().filter { !$0.hasPrefix("finish") }.count
        }
        return sent
    }

    @Test func aReadsTargetStaysWithinItsLength() throws {
        var session = try ready()
        let ids = (0..<48).map { CharacteristicID(aid: .max - 1, iid: .max - $0) }
        let kinds = ids.map { QueuedRequest.Kind.read($0) }
        guard case .send(let first)? = session.machine.submit(kinds, at: session.now).1.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(first.target.utf8.count <= 900)
        #expect(first.target.utf8.count > 900 - ids[0].description.utf8.count - 1)
    }

    @Test func anEmptySubmissionIsDoneAtOnce() throws {
        var session = try ready()
        session.submit()
        #expect(session.drain() == ["finish 0: "])
    }

    // MARK: Values

    @Test func valuesTakeTheFormOfTheirFormatBothWays() throws {
        var session = try ready()
        session.submit(
            write(Fixture.on, .integer(1)),
            write(Fixture.brightness, .double(50)),
            write(Fixture.unknown, .double(1.5))
        )
        #expect(
            session.drain() == [
                """
                PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"value":50},\
                {"aid":1,"iid":99,"value":1.5}]}
                """
            ]
        )
        session.answer(.noContent)
        session.submit(.read(Fixture.on), .read(Fixture.brightness))
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"value":null}]}"#)
        #expect(session.drain().last == "finish 1: true, done")
    }

    @Test func identifyWritesTheCharacteristicOfThatName() throws {
        var session = try ready()
        session.submit(.identify(aid: 1))
        #expect(session.drain() == [#"PUT /characteristics {"characteristics":[{"aid":1,"iid":2,"value":1}]}"#])
        session.answer(.noContent)
        session.submit(.identify(aid: 7))
        #expect(session.drain() == ["finish 0: done", "finish 1: status -70409"])
    }

    @Test func aWriteResponseIsHandedOn() throws {
        var session = try ready()
        session.submit(.write(CharacteristicWrite(id: Fixture.on, value: .bool(true), wantsResponse: true)))
        session.answer(.multiStatus, #"{"characteristics":[{"aid":1,"iid":9,"status":0,"value":1}]}"#)
        #expect(session.drain().last == "finish 0: true")
    }

    // MARK: Timed writes

    @Test func whatHasToBeTimedIsPreparedApartFromPlainWrites() throws {
        var session = try ready()
        session.submit(
            write(Fixture.on, .bool(true)),
            write(Fixture.timed, .integer(1)),
            write(Fixture.on, .bool(false))
        )
        session.answer(.noContent)
        session.answer(.ok, #"{"status":0}"#)
        session.answer(.noContent)
        session.answer(.noContent)
        #expect(
            session.drain() == [
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1}]}"#,
                #"PUT /prepare {"ttl":5000,"pid":4294967295}"#,
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":13,"value":1}],"pid":4294967295}"#,
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":0}]}"#,
                "finish 0: done, done, done",
            ]
        )
    }

    @Test func aLockIsPreparedAndWrittenAllTheSameWhereThatIsUnknown() throws {
        var session = try ready()
        session.submit(write(Fixture.lockTarget, .integer(0)))
        session.answer(.notFound)
        session.answer(.noContent)
        #expect(
            session.drain() == [
                #"PUT /prepare {"ttl":5000,"pid":4294967295}"#,
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":12,"value":0}]}"#,
                "finish 0: done",
            ]
        )
    }

    @Test func aWriteThatAsksForItIsPreparedForItsTime() throws {
        var session = try ready()
        let preparation = Duration.milliseconds(2_500)
        session.submit(.write(CharacteristicWrite(id: Fixture.on, value: .bool(true), preparation: preparation)))
        session.answer(.ok, #"{"status":0}"#)
        session.answer(.noContent)
        #expect(!session.machine.cannotPrepare)
        session.submit(.write(CharacteristicWrite(id: Fixture.on, value: .bool(false), preparation: preparation)))
        session.answer(.notFound)
        session.answer(.noContent)
        #expect(session.machine.cannotPrepare)
        #expect(
            session.drain() == [
                #"PUT /prepare {"ttl":2500,"pid":4294967295}"#,
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1}],"pid":4294967295}"#,
                "finish 0: done",
                #"PUT /prepare {"ttl":2500,"pid":4294967295}"#,
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":0}]}"#,
                "finish 1: done",
            ]
        )
    }

    @Test(arguments: [
        (HTTPStatus.ok, #"{"status":-70403}"#, "status -70403"),
        (.multiStatus, #"{"status":-70407}"#, "status -70407"),
        (.serviceUnavailable, "", "\(AccessoryFailure.refused(httpStatus: 503))"),
    ])
    func aWriteThatAsksForItIsNotSentIfTheAccessoryCannotPrepareItNow(
        _ status: HTTPStatus,
        _ body: String,
        _ outcome: String
    ) throws {
        var session = try ready()
        let write = CharacteristicWrite(id: Fixture.on, value: .bool(true), preparation: .milliseconds(2_500))
        session.submit(.write(write))
        session.answer(status, body)
        #expect(session.drain() == [#"PUT /prepare {"ttl":2500,"pid":4294967295}"#, "finish 0: \(outcome)"])
        #expect(session.machine.exchange == nil && !session.machine.cannotPrepare)
    }

    @Test func aWriteWhoseTimeIsOverOnceItIsPreparedIsNotSent() throws {
        var session = try ready()
        let isOver = Mutex(false)
        let write = CharacteristicWrite(
            id: Fixture.on,
            value: .bool(true),
            preparation: .milliseconds(2_500),
            withdrawal: WriteWithdrawal { isOver.withLock { $0 } }
        )
        session.submit(.write(write))
        isOver.withLock { $0 = true }
        session.answer(.ok, #"{"status":0}"#)
        let lines = session.drain()
        #expect(lines.count == 2 && lines.first == #"PUT /prepare {"ttl":2500,"pid":4294967295}"#)
        #expect(lines.last?.hasPrefix("finish 0: ") == true && lines.last != "finish 0: done")
    }

    @Test func aWriteThatMustBeTimedFailsIfItCannotBePrepared() throws {
        var session = try ready()
        session.submit(write(Fixture.timed, .integer(1)))
        session.answer(.ok, #"{"status":70410}"#)
        #expect(session.drain().last == "finish 0: status -70410")
        #expect(session.machine.exchange == nil)
    }

    // MARK: Answers

    @Test func statusesWithoutASignAndFourHundredForAMultiStatusAreUnderstood() throws {
        var session = try ready()
        session.submit(.read(Fixture.on), .read(Fixture.brightness))
        session.answer(
            .multiStatus,
            #"{"characteristics":[{"aid":1,"iid":9,"status":0,"value":1},{"aid":1,"iid":10,"status":70402}]}"#
        )
        session.submit(write(Fixture.on, .bool(true)), write(Fixture.brightness, .integer(1)))
        session.answer(
            .badRequest,
            #"{"characteristics":[{"aid":1,"iid":9,"status":70410},{"aid":1,"iid":10,"status":0}]}"#
        )
        #expect(
            session.drain().filter { $0.hasPrefix("finish") } == [
                "finish 0: true, status -70402", "finish 1: status -70410, done",
            ]
        )
    }

    @Test(arguments: [
        (HTTPStatus.badRequest, #"{"status":-70410}"#, "status -70410"),
        (.internalServerError, #"{"status":70402}"#, "status -70402"),
        (.internalServerError, "", "\(AccessoryFailure.refused(httpStatus: 500))"),
        (.unprocessableContent, #"{"characteristics":[]}"#, "\(AccessoryFailure.refused(httpStatus: 422))"),
        (.ok, #"{"status":-70407}"#, "status -70407"),
        (.ok, "", "done"),
        (.noContent, "", "done"),
        (.multiStatus, #"{"characteristics":[]}"#, "done"),
        (.ok, #"{"status":0}"#, "done"),
    ])
    func anAnswerForTheWholeWriteCountsForEachPart(status: HTTPStatus, body: String, outcome: String) throws {
        var session = try ready()
        session.submit(write(Fixture.on, .bool(true)), write(Fixture.brightness, .integer(5)))
        session.answer(status, body)
        #expect(session.drain().last == "finish 0: \(outcome), \(outcome)")
    }

    @Test func aReadWhoseAnswerMakesNoSenseFails() throws {
        for body in ["", "[", #"{"characteristics":[{"aid":1,"iid":10,"value":1}]}"#] {
            var session = try ready()
            session.submit(.read(Fixture.on))
            session.answer(.ok, body)
            let line = try #require(session.drain().last)
            #expect(line.hasPrefix("finish 0: The accessory's answer can't be understood"), "\(line)")
            #expect(session.machine.phase == .ready)
        }
    }

    @Test(arguments: [HTTPStatus.connectionAuthorizationRequired, .unauthorized])
    func aSessionThatTheAccessoryForgotIsVerifiedAgainAndTheRequestRepeatedOnce(status: HTTPStatus) throws {
        var session = try ready()
        session.submit(write(Fixture.on, .bool(true)))
        _ = session.drain()
        session.answer(status)
        #expect(session.drain() == ["disconnect", "connect 127.0.0.1:7"])
        session.reconnect()
        #expect(session.drain().last == #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1}]}"#)
        session.answer(status)
        #expect(session.drain() == ["disconnect", "unreachable verifyFailed", "finish 0: status -70411"])
    }

    // MARK: Loss

    @Test func aWriteThatWasSentWhenTheConnectionBrokeIsUnknownAndNotRepeated() throws {
        var session = try ready()
        session.submit(write(Fixture.on, .bool(true)))
        session.submit(.read(Fixture.on))
        session.submit(write(Fixture.brightness, .integer(5)))
        _ = session.drain()
        session.lost()
        #expect(session.drain() == ["connect 127.0.0.1:7", "finish 0: unknown connectionLost"])
        session.reconnect()
        #expect(session.drain().last == "GET /characteristics?id=1.9")
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#)
        #expect(
            session.drain() == [
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":10,"value":5}]}"#, "finish 1: true",
            ]
        )
    }

    @Test func aReadThatWasSentWhenTheConnectionBrokeIsRepeatedOnce() throws {
        var session = try ready()
        session.submit(.read(Fixture.on))
        session.lost()
        session.reconnect()
        #expect(session.drain().last == "GET /characteristics?id=1.9")
        session.lost()
        #expect(session.drain() == ["unreachable connectionLost", "finish 0: unreachable connectionLost"])
    }

    @Test func whatIsRepeatedKeepsItsPlaceBeforeWhatWaited() throws {
        var session = try ready()
        session.submit(.read(Fixture.on), .read(Fixture.brightness))
        session.submit(write(Fixture.on, .bool(true)))
        session.lost()
        session.reconnect()
        #expect(session.drain().last == "GET /characteristics?id=1.9,1.10")
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":0},{"aid":1,"iid":10,"value":1}]}"#)
        #expect(
            session.drain() == [
                #"PUT /characteristics {"characteristics":[{"aid":1,"iid":9,"value":1}]}"#, "finish 0: false, 1",
            ]
        )
    }

    @Test func aWriteThatTheAccessoryDidNotTakeAndThatIsNotRepeatedInTimeTimedOut() throws {
        var session = try ready()
        session.submit(write(Fixture.on, .bool(true)))
        session.answer(.connectionAuthorizationRequired)
        _ = session.drain()
        session.advance(.seconds(10))
        #expect(session.drain() == ["finish 0: \(AccessoryFailure.timedOut)"])
    }

    @Test func aPreparedWriteThatWasNotSentIsRepeated() throws {
        var session = try ready()
        session.submit(write(Fixture.timed, .integer(1)))
        session.lost()
        session.reconnect()
        #expect(session.drain().last == #"PUT /prepare {"ttl":5000,"pid":4294967295}"#)
    }

    @Test func whatWaitsFailsOnceTheAccessoryIsUnreachableAndWhatComesLaterAtOnce() throws {
        var session = try MachineHarness()
        session.start()
        session.submit(.read(Fixture.on))
        session.submit(write(Fixture.on, .bool(true)))
        #expect(session.drain() == ["connect 127.0.0.1:7"])
        session.connectFailed(.refused)
        #expect(
            session.drain() == [
                "unreachable refused", "finish 0: unreachable refused", "finish 1: unreachable refused",
            ]
        )
        session.submit(.read(Fixture.on))
        #expect(session.drain() == ["finish 2: unreachable refused"])
        try session.advanceToDeadline()
        session.submit(.read(Fixture.on))
        #expect(session.drain() == ["connect 127.0.0.1:7", "finish 3: unreachable refused"])
    }

    // MARK: Deadlines

    @Test func whatWasNotSentInTimeTimesOutAndIsNotSentLater() throws {
        var session = try ready()
        session.submit(.read(Fixture.name))
        session.advance(.seconds(1))
        session.submit(write(Fixture.on, .bool(true)))
        session.advance(.seconds(9))
        let lines = session.drain()
        #expect(lines.contains("finish 0: \(AccessoryFailure.timedOut)"))
        #expect(lines.contains("connect 127.0.0.1:7"))
        session.advance(.seconds(1))
        #expect(session.drain() == ["finish 1: \(AccessoryFailure.timedOut)"])
        session.reconnect()
        #expect(session.drain() == ["verify", "GET /accessories", "ready"])
    }

    @Test func aWriteThatIsNotAnsweredInTimeIsUnknown() throws {
        var session = try ready()
        session.submit(write(Fixture.on, .bool(true)))
        session.advance(.milliseconds(9_999))
        #expect(session.machine.exchange != nil)
        session.advance(.milliseconds(1))
        #expect(session.drain().contains("finish 0: unknown timedOut"))
        #expect(session.machine.phase == .connecting)
    }

    @Test func aSlowAnswerToAnEarlierRequestDoesNotCostTheConnection() throws {
        var configuration = SessionConfiguration()
        configuration.requestDeadline = .seconds(5)
        var session = try MachineHarness(configuration: configuration)
        session.makeReady()
        session.submit(.read(Fixture.on))
        session.advance(.seconds(6))
        #expect(session.drain().last == "finish 0: \(AccessoryFailure.timedOut)")
        session.submit(.read(Fixture.brightness))
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#)
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":10,"value":3}]}"#)
        #expect(session.drain() == ["GET /characteristics?id=1.10", "finish 1: 3"])
    }

    // MARK: Pairings

    private func pairings(_ response: PairingsResponse) -> HTTPResponse {
        HTTPResponse(status: .ok, body: response.encoded())
    }

    @Test func afterItsOwnPairingIsRemovedTheSessionEnds() throws {
        var session = try ready()
        let id = try #require(MachineHarness.controllerID)
        session.submit(.pairings(.remove(id)))
        session.submit(.read(Fixture.on))
        _ = session.drain()
        session.answer(pairings(.done))
        #expect(session.drain() == ["disconnect", "finish 0: done", "finish 1: \(AccessoryFailure.stopped)"])
        #expect(session.machine.phase == .stopped)
    }

    @Test func aRemovalWhoseAnswerWasLostIsSettledByPairVerify() throws {
        var session = try ready()
        let id = try #require(MachineHarness.controllerID)
        session.submit(.pairings(.remove(id)))
        session.lost()
        session.connected()
        _ = session.drain()
        session.verifyFailed(.pairingForgotten)
        #expect(session.drain() == ["disconnect", "disconnect", "finish 0: done"])
        #expect(session.machine.phase == .stopped)
    }

    @Test func aPairingThatTheAccessoryForgotIsRemovedAlready() throws {
        var session = try MachineHarness()
        let id = try #require(MachineHarness.controllerID)
        session.start()
        session.connected()
        session.verifyFailed(.pairingForgotten)
        _ = session.drain()
        session.submit(.pairings(.list))
        session.submit(.pairings(.remove(id)))
        #expect(session.drain() == ["finish 0: unreachable pairingForgotten", "disconnect", "finish 1: done"])
        #expect(session.machine.phase == .stopped)
    }

    @Test func aRemovalIsNotSettledByARefusalWithoutAProof() throws {
        var session = try ready()
        let id = try #require(MachineHarness.controllerID)
        session.submit(.pairings(.remove(id)))
        session.lost()
        session.connected()
        _ = session.drain()
        session.verifyFailed(.pairingRefused)
        #expect(
            session.drain() == ["disconnect", "unreachable pairingRefused", "finish 0: unreachable pairingRefused"]
        )
        session.submit(.pairings(.remove(id)))
        #expect(session.drain() == ["finish 1: unreachable pairingRefused"])
        #expect(session.machine.phase != .stopped)
    }

    @Test func aRemovalWhoseRequestWasLostIsRepeated() throws {
        var session = try ready()
        let id = try #require(MachineHarness.controllerID)
        session.submit(.pairings(.remove(id)))
        session.lost()
        session.reconnect()
        #expect(session.drain().last?.hasPrefix("POST /pairings") == true)
        session.answer(pairings(.done))
        #expect(session.drain() == ["disconnect", "finish 0: done"])
    }

    @Test func anotherControllersRemovalLeavesTheSession() throws {
        var session = try ready()
        session.submit(.pairings(.remove(try #require(PairingID("OTHER")))))
        session.answer(pairings(.done))
        #expect(session.machine.phase == .ready)
        session.submit(.pairings(.list))
        session.answer(pairings(.refused(.authentication)))
        let line = try #require(session.drain().last)
        #expect(line.contains("finish 1: The accessory's pairings could not be changed"))
    }
}
