import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HAPClient

/// Tests deviations of real accessories from the specification, over sockets.
struct LeniencyTests {
    /// Runs a closure with a session and a scripted accessory.
    private func withSession(
        configuration: SessionConfiguration = .forTests,
        answersPlain: FakeAccessory.Script? = nil,
        script: @escaping FakeAccessory.Script,
        body: (AccessorySession, FakeAccessory, EventLog) async throws -> Void
    ) async throws {
        let accessory = try await FakeAccessory.start(answersPlain: answersPlain, script: script)
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: configuration,
            onEvent: log.record
        )
        session.start()
        do {
            try await body(session, accessory, log)
        } catch {
            await session.stop()
            await accessory.stop()
            throw error
        }
        await session.stop()
        await accessory.stop()
    }

    /// Returns a script that answers `GET /accessories` normally, and other requests with another script.
    private func usual(_ script: @escaping FakeAccessory.Script) -> FakeAccessory.Script {
        { request in request.line == "GET /accessories" ? [.send(Wire.attributes)] : script(request) }
    }

    private func result(_ outcomes: [ReadOutcome]) -> Result<CharacteristicValue?, AccessoryFailure>? {
        outcomes.first?.result
    }

    private func result(_ outcomes: [WriteOutcome]) -> Result<CharacteristicValue?, AccessoryFailure>? {
        outcomes.first?.result
    }

    @Test(arguments: [1, 7, 1024, 100_000])
    func chunkedBodiesAreRead(length: Int) async throws {
        let body = String(decoding: Fixture.body, as: UTF8.self)
        try await withSession(script: { _ in [.send(Wire.chunked(body, length: length))] }) { _, _, log in
            #expect(await log.ready() == Fixture.accessories)
        }
    }

    @Test func bytesMayComeOneByOne() async throws {
        try await withSession(script: { _ in [.sendByteByByte(Wire.attributes)] }) { _, _, log in
            #expect(await log.ready() == Fixture.accessories)
        }
    }

    @Test func eventsBeforeAndAfterAResponseAreNotTakenForIt() async throws {
        let read = Wire.response("200 OK", #"{"characteristics":[{"aid":1,"iid":9,"value":0}]}"#)
        let events = (1...3).map { Wire.event(Fixture.brightness, "\($0)") }
        let script = usual { _ in
            // Send everything in one segment.
            [.send(events[0] + events[1] + read + events[2])]
        }
        try await withSession(script: script) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitRead([Fixture.on]).value
            #expect(result(outcomes) == .success(.bool(false)))
            for value in 1...3 {
                #expect(await log.values() == [Fixture.brightness: .integer(Int64(value))])
            }
        }
    }

    @Test func statusesWithoutASignAreUnderstood() async throws {
        let script = usual { _ in
            [.send(Wire.response("207 Multi-Status", #"{"characteristics":[{"aid":1,"iid":9,"status":70402}]}"#))]
        }
        try await withSession(script: script) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitRead([Fixture.on]).value
            #expect(result(outcomes) == .failure(.status(.unableToPerform)))
        }
    }

    @Test func aBadRequestWithABodyStandsForAMultiStatus() async throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"status":-70410},{"aid":1,"iid":10,"status":0}]}"#
        try await withSession(script: usual { _ in [.send(Wire.response("400 Bad Request", body))] }) {
            session,
            _,
            log in
            _ = await log.ready()
            let outcomes = await session.submitWrite([
                CharacteristicWrite(id: Fixture.on, value: .bool(true)),
                CharacteristicWrite(id: Fixture.brightness, value: .integer(5)),
            ]).value
            #expect(outcomes.map(\.result) == [.failure(.status(.invalidValue)), .success(nil)])
        }
    }

    @Test(arguments: ["470 Connection Authorization Required", "401 Unauthorized"])
    func anAccessoryThatForgotTheSessionIsVerifiedAgain(status: String) async throws {
        let script = usual { request in
            request.connection == 0
                ? [.send(Wire.response(status, #"{"status":-70411}"#))] : [.send(Wire.response("204 No Content"))]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            let outcomes = await session.submitWrite([CharacteristicWrite(id: Fixture.on, value: .bool(true))]).value
            #expect(result(outcomes) == .success(nil))
            #expect(accessory.requests.map(\.connection) == [0, 0, 1, 1])
        }
    }

    @Test func aWriteInTheMiddleOfWhichTheAccessoryGoesIsUnknownAndSentOnce() async throws {
        let script = usual { request in
            request.connection == 0 ? [.close] : [.send(Wire.response("204 No Content"))]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            let write = [CharacteristicWrite(id: Fixture.on, value: .bool(true))]
            #expect(result(await session.submitWrite(write).value) == .failure(.outcomeUnknown(.connectionLost)))
            _ = await log.ready()
            #expect(accessory.requests.filter { $0.line.hasPrefix("PUT") }.count == 1)
        }
    }

    @Test func aReadInTheMiddleOfWhichTheAccessoryGoesIsAskedAgain() async throws {
        let script = usual { request in
            request.connection == 0
                ? [.send("HTTP/1.1 200 OK\r\nContent-Le"), .close]
                : [.send(Wire.response("200 OK", #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#))]
        }
        try await withSession(script: script) { session, _, log in
            _ = await log.ready()
            #expect(result(await session.submitRead([Fixture.on]).value) == .success(.bool(true)))
        }
    }

    @Test func submissionsGoOutInTheirOrderAndWaitingOnesTogether() async throws {
        let script = usual { request in
            request.line.hasPrefix("GET")
                ? [.send(Wire.response("207 Multi-Status", #"{"characteristics":[]}"#))]
                : [.send(Wire.response("204 No Content"))]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            var submissions: [Submission<[WriteOutcome]>] = []
            for brightness in 0..<50 {
                let value = CharacteristicValue.integer(Int64(brightness))
                submissions.append(
                    session.submitWrite([CharacteristicWrite(id: Fixture.brightness, value: value)])
                )
            }
            let read = session.submitRead([Fixture.on])
            for submission in submissions { #expect(result(await submission.value) == .success(nil)) }
            _ = await read.value
            let values = accessory.requests.dropFirst().dropLast().compactMap { request in
                try? CharacteristicWriteRequest(decoding: request.bytes).entries.first?.value?.number
            }
            #expect(values == (0..<50).map(Double.init))
            #expect(accessory.requests.last?.line == "GET /characteristics?id=1.9")
        }
    }

    @Test func aLockIsPreparedOverTheWire() async throws {
        let script = usual { request in
            request.line == "PUT /prepare"
                ? [.send(Wire.response("200 OK", #"{"status":0}"#))] : [.send(Wire.response("204 No Content"))]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            let write = [CharacteristicWrite(id: Fixture.lockTarget, value: .integer(0))]
            #expect(result(await session.submitWrite(write).value) == .success(nil))
            let bodies = accessory.requests.suffix(2).map(\.bytes)
            let prepared = try PrepareRequest(decoding: try #require(bodies.first))
            #expect(try CharacteristicWriteRequest(decoding: try #require(bodies.last)).pid == prepared.pid)
        }
    }

    @Test func identifyingWritesAndTellsWhetherItWorked() async throws {
        let script = usual { _ in [.send(Wire.response("204 No Content"))] }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            try await session.submitIdentify(1).value.get()
            #expect(accessory.requests.last?.body == #"{"characteristics":[{"aid":1,"iid":2,"value":1}]}"#)
            await #expect(throws: AccessoryFailure.status(.noSuchResource)) {
                try await session.submitIdentify(2).value.get()
            }
        }
    }

    // MARK: Violations

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "SMTP\r\n",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    ])
    func whatIsNoHTTPOrAnswersNothingEndsTheConnectionAndIsNamed(text: String) async throws {
        let script = usual { request in
            request.connection == 0 ? [.send(text)] : [.send(Wire.response("204 No Content"))]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            _ = await session.submitWrite([CharacteristicWrite(id: Fixture.on, value: .bool(true))]).value
            _ = await log.ready()
            #expect(accessory.requests.last?.connection == 1)
        }
    }

    @Test(arguments: [[0xFF, 0xFF], [0, 0], [4, 0] + Array(repeating: 0, count: 20)] as [[UInt8]])
    func bytesThatAreNoFrameEndTheConnectionAndAreNamed(bytes: [UInt8]) async throws {
        try await withSession(script: { _ in [.sendPlain(bytes)] }) { _, _, log in
            guard case .protocolViolation(let reason)? = await log.unreachable() else {
                Issue.record("no violation was reported")
                return
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test func silenceIsNoticed() async throws {
        var configuration = SessionConfiguration.forTests
        configuration.probeAfter = .milliseconds(20)
        configuration.responseTimeout = .seconds(1)
        let probes = Mutex(0)
        let script = usual { _ in
            let number = probes.withLock { probes in
                probes += 1
                return probes
            }
            // The first request is never answered.
            let answer = Wire.response("200 OK", #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
            return number == 1 ? [] : [.send(answer)]
        }
        try await withSession(configuration: configuration, script: script) { _, accessory, log in
            _ = await log.ready()
            // On a slow machine, the first connection may end for another reason than the missing answer.
            repeat { _ = await log.ready() } while probes.withLock { $0 } == 0
            #expect(accessory.requests.map(\.line).contains("GET /characteristics?id=1.3"))
        }
    }

    // MARK: Pair-verify

    @Test func anAccessoryThatForgotThePairingSaysSo() async throws {
        try await withSession(script: usual { _ in [] }) { session, accessory, log in
            _ = await log.ready()
            accessory.forgetPairings()
            accessory.dropConnections()
            #expect(await log.unreachable() == .pairingForgotten)
            let outcomes = await session.submitRead([Fixture.on]).value
            #expect(result(outcomes) == .failure(.unreachable(.pairingForgotten)))
            try await session.removePairing()
            #expect(result(await session.submitRead([Fixture.on]).value) == .failure(.stopped))
        }
    }

    @Test func somebodyElseAtTheAddressIsNotTrusted() async throws {
        let accessory = try await FakeAccessory.start()
        let other = try await FakeAccessory.start()
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [other.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        #expect(await log.unreachable() == .otherAccessory)
        session.update(addresses: [accessory.address])
        #expect(await accessory.lines(1) == ["GET /accessories"])
        await session.stop()
        await accessory.stop()
        await other.stop()
    }

    @Test(arguments: [
        ("500 Internal Server Error", "httpError"), ("404 Not Found", "httpError"), ("200 OK", "verifyFailed"),
        ("503 Service Unavailable", "busy"), ("429 Too Many Requests", "busy"),
    ])
    func aPairVerifyThatIsNotAnsweredProperlyIsNamed(status: String, cause: String) async throws {
        let script: FakeAccessory.Script = { _ in [.send(Wire.response(status))] }
        try await withSession(answersPlain: script, script: script) { _, _, log in
            #expect(await log.unreachable()?.name == cause)
        }
    }

    @Test(arguments: [(PairingError.busy, "busy"), (.maxPeers, "busy"), (.backoff, "busy"), (.unknown, "verifyFailed")])
    func anAccessoryThatHasNoRoomIsNotTakenForAnImpostor(error: PairingError, cause: String) async throws {
        let m2 = TLV8([.init(.state, [2]), .init(.error, [UInt8(error.rawValue)])])
        let script: FakeAccessory.Script = { _ in [.sendPlain(Wire.pairing(m2.encoded()))] }
        try await withSession(answersPlain: script, script: script) { _, _, log in
            #expect(await log.unreachable()?.name == cause)
        }
    }

    @Test func plainBytesOnASecuredConnectionAreAViolation() async throws {
        try await withSession(script: { _ in [.sendPlain(Array(Wire.attributes.utf8))] }) { _, _, log in
            guard case .protocolViolation? = await log.unreachable() else {
                Issue.record("plain bytes were taken")
                return
            }
        }
    }

    @Test func aPlainEventBehindPairVerifyIsNotTrusted() async throws {
        let forged = Wire.event(Fixture.on, "1")
        let accessory = try await FakeAccessory.start(behindPairVerify: forged, script: usual { _ in [] })
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        guard case .unreachable(.protocolViolation)? = await log.next() else {
            Issue.record("the forged event was taken")
            return
        }
        #expect(accessory.requests.isEmpty)
        await session.stop()
        await accessory.stop()
    }

    // MARK: Addresses

    @Test func theNextAddressIsTriedWhenOneRefuses() async throws {
        let refusing = RefusingAddress()
        defer { withExtendedLifetime(refusing) {} }
        let accessory = try await FakeAccessory.start(script: usual { _ in [] })
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [refusing.address, AccessoryAddress(host: "localhost", port: accessory.address.port)],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        #expect(await log.ready() == Fixture.accessories)
        await session.stop()
        await accessory.stop()
    }

    @Test func whatRefusesAndWhatHasNoAddressIsTold() async throws {
        let refusing = RefusingAddress()
        defer { withExtendedLifetime(refusing) {} }
        let accessory = try await FakeAccessory.start()
        for (address, cause) in [
            (refusing.address, UnreachableCause.refused),
            // This is not a name for which a resolver would query the network.
            (AccessoryAddress(host: "[]", port: 5), .noRoute("no address is known for []")),
        ] {
            let log = EventLog()
            let session = AccessorySession(
                pairing: accessory.pairing,
                addresses: [address],
                configuration: .forTests,
                onEvent: log.record
            )
            session.start()
            let reported = await log.unreachable()
            #expect(reported == cause)
            let read = result(await session.submitRead([Fixture.on]).value)
            #expect(read == .failure(.unreachable(cause)))
            await session.stop()
        }
        await accessory.stop()
    }

    @Test func aConnectionThatStandsOnlyAfterTheStopIsClosed() async throws {
        let accessory = try await FakeAccessory.start()
        let closed = AsyncStream<Void>.makeStream()
        accessory.onAllClosed { closed.continuation.yield() }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        // Do this in one turn of the loop, so that the connection can't be established before the stop.
        try await eventLoop.flatSubmit { [pairing = accessory.pairing, address = accessory.address] in
            let driver = SessionDriver(
                pairing: pairing,
                machine: SessionMachine(
                    controllerID: pairing.controllerIdentity.pairingID,
                    addresses: [address],
                    configuration: .forTests,
                    generator: SystemRandomNumberGenerator()
                ),
                eventLoop: eventLoop,
                onEvent: { _ in }
            )
            driver.start()
            return driver.stop()
        }.get()
        for await _ in closed.stream { break }
        #expect(accessory.requests.isEmpty)
        await accessory.stop()
    }

    @Test func aSessionThatIsReleasedClosesItsConnection() async throws {
        let closed = AsyncStream<Void>.makeStream()
        let accessory = try await FakeAccessory.start(script: usual { _ in [] })
        let log = EventLog()
        var session: AccessorySession? = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session?.start()
        _ = await log.ready()
        accessory.onAllClosed { closed.continuation.yield() }
        session = nil
        for await _ in closed.stream { break }
        await accessory.stop()
    }
}
