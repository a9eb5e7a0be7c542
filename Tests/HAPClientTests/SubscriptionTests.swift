import HAP
import HAPCatalog
import Testing

@testable import HAPClient

/// Tests subscriptions that the accessory rejects, or that can't be sent immediately.
@Suite struct SubscriptionTests {
    private static func body(_ ids: [CharacteristicID], _ enabled: Bool = true) -> String {
        let entries = ids.map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"ev":\#(enabled)}"# }
        return #"PUT /characteristics {"characteristics":[\#(entries.joined(separator: ","))]}"#
    }

    /// Returns a session with a subscription whose accessory was unreachable and is verified again.
    private func returning() throws -> MachineHarness {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(.subscribe(Fixture.on, enabled: true))
        session.answer(.noContent)
        session.lost()
        session.connectFailed(.refused)
        try session.advanceToDeadline()
        session.connected()
        session.verified()
        #expect(session.drain().last == Self.body([Fixture.on]))
        return session
    }

    // MARK: While nothing can be sent

    @Test func whatIsSubmittedDuringTheResubscriptionIsMadeOnThisConnection() throws {
        var session = try returning()
        session.submit(.subscribe(Fixture.brightness, enabled: true))
        #expect(session.drain() == ["finish 1: unreachable refused"])
        session.answer(.noContent)
        session.answer(.noContent)
        #expect(session.drain() == [Self.body([Fixture.brightness]), "GET /accessories"])
    }

    @Test func whatIsSubmittedDuringTheReadingIsMadeOnceTheConnectionIsReady() throws {
        var session = try returning()
        session.answer(.noContent)
        session.submit(.subscribe(Fixture.brightness, enabled: true), .subscribe(Fixture.on, enabled: false))
        _ = session.drain()
        session.answerAttributes()
        let entries = #"{"aid":1,"iid":9,"ev":false},{"aid":1,"iid":10,"ev":true}"#
        #expect(session.drain() == ["ready", #"PUT /characteristics {"characteristics":[\#(entries)]}"#])
        session.answer(.noContent)
        #expect(session.drain().isEmpty)
        #expect(session.machine.subscriptions == [Fixture.brightness])
    }

    @Test func whatIsGivenUpBeforeItWasMadeIsNotMade() throws {
        var session = try returning()
        session.submit(.subscribe(Fixture.brightness, enabled: true))
        session.submit(.subscribe(Fixture.brightness, enabled: false))
        _ = session.drain()
        session.answer(.noContent)
        session.answerAttributes()
        #expect(session.drain() == ["GET /accessories", "ready"])
    }

    @Test func aSubmissionThatExpiresBeforeItIsSentIsMadeUpFor() throws {
        var configuration = SessionConfiguration()
        configuration.requestDeadline = .seconds(5)
        var session = try MachineHarness(configuration: configuration)
        session.makeReady()
        session.submit(.read(Fixture.name))
        session.submit(.subscribe(Fixture.on, enabled: true))
        session.advance(.seconds(6))
        _ = session.drain()
        session.answer(.ok, #"{"characteristics":[{"aid":1,"iid":3,"value":"Fake"}]}"#)
        #expect(session.drain() == [Self.body([Fixture.on])])
    }

    // MARK: Refusals

    @Test(arguments: [
        (-70401, true), (-70406, true), (-70409, true), (-70402, false), (-70403, false), (-70407, false),
    ])
    func onlyARefusalForGoodEndsASubscription(status: Int, isForGood: Bool) throws {
        let one = #"{"characteristics":[{"aid":1,"iid":9,"status":\#(status)}]}"#
        for (http, body) in [(HTTPStatus.multiStatus, one), (.badRequest, #"{"status":\#(status)}"#)] {
            var session = try MachineHarness()
            session.makeReady()
            session.submit(.subscribe(Fixture.on, enabled: true))
            session.answer(http, body)
            #expect(session.drain().last == "finish 0: status \(status)")
            #expect(session.machine.subscriptions.isEmpty == isForGood)

            session = try returning()
            session.answer(http, body)
            #expect(session.drain() == ["GET /accessories"])
            #expect(session.machine.subscriptions.isEmpty == isForGood)
        }
    }

    @Test(arguments: [
        (HTTPStatus.badRequest, #"{"status":-70409}"#), (.contentTooLarge, ""), (.ok, #"{"status":-70402}"#),
    ])
    func aResubscriptionThatIsRefusedAsAWholeIsMadeInHalves(status: HTTPStatus, body: String) throws {
        let ids = (1...3).map { CharacteristicID(aid: 2, iid: $0) }
        var session = try MachineHarness()
        session.makeReady()
        session.machine.subscriptions = Set(ids)
        session.lost()
        session.connected()
        session.verified()
        _ = session.drain()
        session.answer(status, body)
        session.answer(status, body)
        session.answer(.noContent)
        session.answer(status, body)
        session.answer(.noContent)
        #expect(
            session.drain() == [
                Self.body([ids[0], ids[1]]), Self.body([ids[0]]), Self.body([ids[1]]), Self.body([ids[2]]),
                "GET /accessories",
            ]
        )
        let isForGood = body.contains("-70409")
        #expect(session.machine.subscriptions == (isForGood ? [ids[0], ids[2]] : Set(ids)))
    }

    @Test func aSubmissionThatIsRefusedAsAWholeIsToldSoAndMadeInHalves() throws {
        var session = try MachineHarness()
        session.makeReady()
        session.submit(
            .subscribe(Fixture.on, enabled: true),
            .subscribe(Fixture.name, enabled: true)
        )
        _ = session.drain()
        session.answer(.badRequest, #"{"status":-70406}"#)
        #expect(session.drain() == [Self.body([Fixture.on]), "finish 0: status -70406, status -70406"])
        session.answer(.noContent)
        session.answer(.badRequest, #"{"status":-70406}"#)
        #expect(session.drain() == [Self.body([Fixture.name])])
        #expect(session.machine.subscriptions == [Fixture.on])
    }
}
