import Testing

@testable import DNSSD

@Suite struct ResponderTests {
    private var responder = Responder()
    private var jitter = Jitter(seed: 1)
    private let zone: Zone
    private let instance: DomainName
    private let host: DomainName
    private let querier: Endpoint
    private let pointer: ResourceRecord

    init() throws {
        instance = try Samples.name("Lamp", "_hap", "_tcp", "local")
        host = try Samples.name("lamp", "local")
        pointer = ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(instance))
        zone = Zone([
            pointer,
            ResourceRecord(name: WellKnownName.typeEnumeration, ttl: 4500, data: .ptr(Samples.typeName)),
            ResourceRecord(
                name: instance,
                isUnique: true,
                ttl: 120,
                data: .srv(priority: 0, weight: 0, port: 80, host: host)
            ),
            ResourceRecord(name: instance, isUnique: true, ttl: 4500, data: .txt([0])),
            ResourceRecord(name: host, isUnique: true, ttl: 120, data: .a(try #require(IPAddress("10.0.0.1")))),
        ])
        querier = Endpoint(address: try #require(IPAddress("10.0.0.2")), port: MulticastEndpoint.port)
    }

    private mutating func ask(
        _ name: DomainName,
        _ type: RecordType,
        unicast: Bool = false,
        known: [ResourceRecord] = [],
        from source: Endpoint? = nil,
        isUnicastPossible: Bool = true,
        flags: DNSMessage.Flags = [],
        at now: Instant = Samples.seconds(10)
    ) -> [Outgoing] {
        let question = DNSQuestion(name: name, type: type, wantsUnicast: unicast)
        return responder.receive(
            DNSMessage(id: 99, flags: flags, questions: [question], answers: known),
            from: source ?? querier,
            isUnicastPossible: isUnicastPossible,
            zone: zone,
            at: now,
            jitter: &jitter
        )
    }

    private mutating func flush(at now: Instant) -> [Outgoing] {
        responder.advance(to: now, zone: zone, jitter: &jitter)
    }

    @Test mutating func aSharedAnswerWaits20To120MillisecondsAndBringsWhatFollowsFromIt() throws {
        #expect(ask(Samples.typeName, .ptr).isEmpty)
        let due = try #require(responder.deadline)
        #expect((.milliseconds(20) ... .milliseconds(120)).contains(Samples.seconds(10).duration(to: due)))
        let answer = try #require(flush(at: due).first)
        #expect(answer.destination == .group && answer.message.id == 0 && answer.message.questions.isEmpty)
        #expect(answer.message.answers == [pointer])
        #expect(answer.message.additionals.map(\.type) == [.srv, .txt, .a, .nsec])
        #expect(responder.deadline == nil)
    }

    @Test(arguments: [RecordType.srv, .txt, .any])
    mutating func aUniqueAnswerDoesNotWait(type: RecordType) throws {
        _ = ask(instance, type)
        let answer = try #require(flush(at: Samples.seconds(10)).first)
        #expect(answer.message.answers.map(\.type) == (type == .any ? [.srv, .txt] : [type]))
        #expect(answer.message.answers.allSatisfy { $0.isUnique })
    }

    @Test mutating func theTypesOnTheLinkAreListed() throws {
        _ = ask(WellKnownName.typeEnumeration, .ptr)
        let answer = try #require(flush(at: Samples.seconds(11)).first)
        #expect(answer.message.answers.map(\.data) == [.ptr(Samples.typeName)])
        #expect(answer.message.additionals.isEmpty)
    }

    @Test mutating func aTypeThatOurNameLacksIsDenied() throws {
        _ = ask(host, .aaaa)
        let answer = try #require(flush(at: Samples.seconds(10)).first)
        #expect(answer.message.answers.map(\.data) == [.nsec(next: host, types: [.a])])
    }

    @Test mutating func whatIsNotOursIsNotAnswered() throws {
        #expect(ask(try Samples.name("other", "local"), .any).isEmpty)
        #expect(ask(Samples.typeName, .txt).isEmpty)
        #expect(responder.deadline == nil)
    }

    @Test(arguments: [(UInt32(2250), true), (2249, false)])
    mutating func aKnownAnswerWithHalfItsLifetimeLeftIsNotRepeated(ttl: UInt32, isSuppressed: Bool) {
        var known = pointer
        known.ttl = ttl
        _ = ask(Samples.typeName, .ptr, known: [known])
        #expect((responder.deadline == nil) == isSuppressed)
    }

    @Test mutating func aKnownAnswerThatSaysSomethingElseSuppressesNothing() throws {
        let other = ResourceRecord(
            name: Samples.typeName,
            ttl: 4500,
            data: .ptr(try Samples.name("Other", "_hap", "_tcp", "local"))
        )
        _ = ask(Samples.typeName, .ptr, known: [other])
        #expect(responder.deadline != nil)
    }

    @Test mutating func knownAnswersMayGoOnInTheNextPacket() {
        _ = ask(Samples.typeName, .ptr, flags: .truncated)
        #expect(flush(at: Samples.seconds(10.399)).isEmpty)
        let rest = DNSMessage(flags: [], answers: [pointer])
        _ = responder.receive(
            rest,
            from: querier,
            isUnicastPossible: true,
            zone: zone,
            at: Samples.seconds(10.4),
            jitter: &jitter
        )
        #expect(responder.deadline == nil)
    }

    @Test mutating func aTruncatedQuestionIsAnsweredIfNothingFollows() throws {
        _ = ask(Samples.typeName, .ptr, flags: .truncated)
        let due = try #require(responder.deadline)
        #expect((.milliseconds(400) ... .milliseconds(500)).contains(Samples.seconds(10).duration(to: due)))
        _ = flush(at: due)
        #expect(flush(at: due.advanced(by: .milliseconds(120))).count == 1)
    }

    @Test mutating func questionsOfTooManyHostsAreNotKeptWaiting() throws {
        for number in 0...ResponseTiming.maximumAwaited.hosts {
            let address = try #require(IPAddress(bytes: [10, 0, 1, UInt8(number)]))
            _ = ask(instance, .srv, from: Endpoint(address: address, port: 5353), flags: .truncated)
        }
        #expect(flush(at: Samples.seconds(10)).count == 1)
    }

    @Test mutating func unicastIsAnsweredByUnicastIfTheRecordWasMulticastLately() throws {
        // It was never multicast before, so all hosts must receive it.
        #expect(ask(instance, .srv, unicast: true).isEmpty)
        #expect(flush(at: Samples.seconds(10)).map(\.destination) == [.group])
        // A quarter of 120 seconds is 30.
        let reply = ask(instance, .srv, unicast: true, at: Samples.seconds(39.9))
        #expect(reply.map(\.destination) == [.unicast(querier)])
        #expect(reply.first?.message.answers.map(\.type) == [.srv] && reply.first?.isLegacy == false)
        #expect(responder.deadline == nil)
        #expect(ask(instance, .srv, unicast: true, at: Samples.seconds(40)).isEmpty)
        #expect(flush(at: Samples.seconds(40)).map(\.destination) == [.group])
    }

    @Test mutating func unicastToOurOwnHostIsMulticastBecauseThePortIsShared() {
        _ = ask(instance, .srv)
        _ = flush(at: Samples.seconds(10))
        #expect(ask(instance, .srv, unicast: true, isUnicastPossible: false, at: Samples.seconds(12)).isEmpty)
        #expect(flush(at: Samples.seconds(12)).map(\.destination) == [.group])
    }

    @Test mutating func aPlainQuerierGetsItsQuestionAndNumberBackByUnicast() throws {
        let plain = Endpoint(address: querier.address, port: 40_000)
        let reply = try #require(ask(Samples.typeName, .ptr, from: plain).first)
        #expect(reply.destination == .unicast(plain) && reply.isLegacy)
        #expect(reply.message.id == 99 && reply.message.questions.map(\.type) == [.ptr])
        #expect(reply.message.answers == [pointer] && !reply.message.additionals.isEmpty)
        #expect(responder.deadline == nil)
    }

    @Test mutating func aProbeIsAnsweredAtOnceAndAgainAfterAQuarterOfASecond() {
        func probe(at now: Instant, _ test: inout ResponderTests) {
            let claim = ResourceRecord(name: test.instance, ttl: 120, data: .txt([1, 0x61]))
            _ = test.responder.receive(
                DNSMessage(
                    flags: [],
                    questions: [DNSQuestion(name: test.instance, type: .any)],
                    authorities: [claim]
                ),
                from: test.querier,
                isUnicastPossible: true,
                zone: test.zone,
                at: now,
                jitter: &test.jitter
            )
        }
        probe(at: Samples.seconds(10), &self)
        #expect(flush(at: Samples.seconds(10)).count == 1)
        probe(at: Samples.seconds(10.1), &self)
        #expect(flush(at: Samples.seconds(10.249)).isEmpty)
        #expect(flush(at: Samples.seconds(10.25)).count == 1)
    }

    @Test mutating func theSameRecordIsNotMulticastAgainWithinASecond() {
        _ = ask(instance, .srv)
        _ = flush(at: Samples.seconds(10))
        _ = ask(instance, .srv, at: Samples.seconds(10.5))
        #expect(responder.deadline == Samples.seconds(11))
        #expect(flush(at: Samples.seconds(10.999)).isEmpty)
        #expect(flush(at: Samples.seconds(11)).count == 1)
    }

    @Test mutating func anAnswerThatAnotherHostGivesIsNotRepeated() {
        _ = ask(Samples.typeName, .ptr)
        responder.receive([pointer], zone: zone, at: Samples.seconds(10))
        #expect(responder.deadline == nil)
    }

    @Test(arguments: [(UInt32(0), true), (2249, true), (2250, false)])
    mutating func aRecordOfOursWithTooShortALifetimeIsPutRight(ttl: UInt32, isCorrected: Bool) {
        var wrong = pointer
        wrong.ttl = ttl
        responder.receive([wrong], zone: zone, at: Samples.seconds(10))
        #expect((flush(at: Samples.seconds(10)).first?.message.answers == [pointer]) == isCorrected)
    }

    @Test mutating func manyQuestionsOfOneQueryAreAnsweredOnce() throws {
        let question = DNSQuestion(name: instance, type: .srv)
        let query = DNSMessage(flags: [], questions: Array(repeating: question, count: 1000))
        _ = responder.receive(
            query,
            from: querier,
            isUnicastPossible: true,
            zone: zone,
            at: Samples.seconds(10),
            jitter: &jitter
        )
        #expect(flush(at: Samples.seconds(10)).map(\.message.answers.count) == [1])
    }
}
