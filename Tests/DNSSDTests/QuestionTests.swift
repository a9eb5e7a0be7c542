import Testing

@testable import DNSSD

/// The times and forms of questions.
@Suite struct QuestionTests {
    private var scheduler = QuestionScheduler()
    private var jitter = Jitter(seed: 9)
    private let question = DNSQuestion(name: Samples.typeName, type: .ptr)

    /// Returns the times, in seconds, at which a question is asked until a given time.
    private mutating func times(until end: Double) -> [Double] {
        var times: [Double] = []
        while let deadline = scheduler.deadline, deadline <= Samples.seconds(end) {
            if !scheduler.advance(to: deadline).isEmpty {
                times.append(deadline.sinceStart / .seconds(1))
            }
        }
        return times
    }

    @Test mutating func aQuestionOfAnotherStandsForOursIfItComesShortlyBefore() {
        scheduler.ask(question, at: Samples.seconds(0), jitter: &jitter)
        let first = times(until: 0.2)
        scheduler.wasAskedByAnother(question, over: .ipv4, of: [.ipv4], at: Samples.seconds(first[0] + 0.9))
        // The own question was due after one second. The next one is due two seconds after the other host's.
        #expect(times(until: 2).isEmpty)
        #expect(times(until: 10).map { ($0 - first[0] * 1000).rounded() / 1000 }.count == 2)
    }

    @Test mutating func whatWasAskedOverOneOfTwoIPVersionsIsAskedByUsAsWell() {
        scheduler.ask(question, at: Samples.seconds(0), jitter: &jitter)
        let first = times(until: 0.2)[0]
        scheduler.wasAskedByAnother(question, over: .ipv6, of: [.ipv4, .ipv6], at: Samples.seconds(first + 0.9))
        #expect(times(until: first + 1.001).count == 1)
        scheduler.wasAskedByAnother(question, over: .ipv6, of: [.ipv4, .ipv6], at: Samples.seconds(first + 2.8))
        scheduler.wasAskedByAnother(question, over: .ipv4, of: [.ipv4, .ipv6], at: Samples.seconds(first + 2.801))
        #expect(times(until: first + 3.1).isEmpty)
    }

    @Test mutating func noNumberOfQuestionsOfAnotherSilencesUs() {
        scheduler.ask(question, at: Samples.seconds(0), jitter: &jitter)
        let first = times(until: 0.2)[0]
        for step in 1..<400 {
            let now = Samples.seconds(first + Double(step) / 1000)
            scheduler.wasAskedByAnother(question, over: .ipv4, of: [.ipv4], at: now)
        }
        let next = times(until: 2)
        #expect(next.count == 1 && abs(next[0] - first - 1) < 0.001)
    }

    @Test mutating func manyQuestionsAreAskedInBatchesWithPauses() throws {
        let count = QuestionTiming.maximumBatch * 2 + 1
        for number in 0..<count {
            let name = try Samples.name("\(number)", "local")
            scheduler.ask(DNSQuestion(name: name, type: .a), limit: 1, at: Samples.seconds(0), jitter: &jitter)
        }
        var batches: [(at: Instant, count: Int)] = []
        while let deadline = scheduler.deadline, batches.count < 10 {
            batches.append((deadline, scheduler.advance(to: deadline).count))
        }
        #expect(batches.map(\.count) == [QuestionTiming.maximumBatch, QuestionTiming.maximumBatch, 1])
        #expect(batches[0].at.duration(to: batches[1].at) == QuestionTiming.batchInterval)
    }

    @Test mutating func aQuestionAskedAnewStartsFromTheBeginning() {
        scheduler.ask(question, at: Samples.seconds(0), jitter: &jitter)
        #expect(times(until: 100).count == 7)
        scheduler.askAgain(question, at: Samples.seconds(100), jitter: &jitter)
        let again = times(until: 101.5)
        #expect(again.count == 2 && again[0] < 100.2)
    }

    // MARK: - Packets

    private func answers(_ count: Int, to question: DNSQuestion) throws -> [ResourceRecord] {
        try (0..<count).map { number in
            let name = try Samples.name("A lamp with a rather long name, number \(number)", "_hap", "_tcp", "local")
            return ResourceRecord(name: question.name, ttl: 4500, data: .ptr(name))
        }
    }

    @Test func knownAnswersThatDoNotFitFollowInPacketsWithoutQuestions() throws {
        let query = DNSMessage(flags: [], questions: [question], answers: try answers(100, to: question))
        let packets = query.packets()
        let messages = try packets.map { try MessageDecoder.decode($0) }
        #expect(messages.count > 2)
        #expect(messages.map { $0.flags.contains(.truncated) } == messages.indices.map { $0 < messages.count - 1 })
        #expect(messages.map(\.questions.count) == [1] + messages.dropFirst().map { _ in 0 })
        #expect(messages.flatMap(\.answers).count == 100)
        #expect(packets.filter { $0.count > DNSFormat.preferredMessageSize }.isEmpty)
    }

    @Test func questionsThatDoNotFitArePacketsOfTheirOwnAndNotTruncated() throws {
        let questions = try (0..<200).map { number in
            DNSQuestion(name: try Samples.name("A lamp with a rather long name, number \(number)", "local"), type: .srv)
        }
        let messages = try DNSMessage(flags: [], questions: questions).packets().map { try MessageDecoder.decode($0) }
        #expect(messages.count > 1 && messages.flatMap(\.questions) == questions)
        #expect(messages.filter { $0.flags.contains(.truncated) }.isEmpty)
    }

    @Test mutating func onlyAQuestionWhoseKnownAnswersDoNotFitIsTruncated() throws {
        var discovery = Discovery(link: VirtualNetwork.describe(addresses: []))
        discovery.browse(BrowseScope(.hap), at: Samples.seconds(0), jitter: &jitter)
        discovery.receive(try answers(100, to: question), at: Samples.seconds(0), jitter: &jitter)
        let deadline = try #require(discovery.deadline)
        let queries = discovery.advance(to: deadline, jitter: &jitter)
        let packets = try queries.flatMap { try $0.packets().map { try MessageDecoder.decode($0) } }
        let asked = packets.filter { !$0.questions.isEmpty }
        for packet in asked {
            let asksForList = packet.questions.contains(question)
            #expect(packet.flags.contains(.truncated) == asksForList && (asksForList || packet.answers.isEmpty))
            #expect(!asksForList || packet.questions == [question])
        }
        #expect(asked.flatMap(\.questions).count == 201)
    }

    // MARK: - Unicast responses

    @Test func theFirstQuestionAsksForAUnicastReplyWhereThatCanArrive() throws {
        var network = VirtualNetwork(seed: 1)
        network.addHost(receivesUnicast: true)
        network.addHost(receivesUnicast: true)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .milliseconds(500))
        #expect(network.services(of: .hap, on: 1).count == 1)
        let query = try #require(network.log.first { $0.host == 1 })
        #expect(query.message.questions.filter { !$0.wantsUnicast }.isEmpty)
        let reply = try #require(network.log.first { $0.host == 0 && $0.destination != .group })
        #expect(reply.message.answers.map(\.type) == [.ptr])
        // Unicast is now known to work, so it is requested again, and probes may rely on it.
        network.run(for: .seconds(10))
        _ = try network.advertise(Samples.lamp("Other"), on: 1)
        network.run(for: .seconds(1))
        let probe = try #require(network.log.last { !$0.message.authorities.isEmpty })
        #expect(probe.host == 1 && probe.message.questions.filter { !$0.wantsUnicast }.isEmpty)
    }

    @Test func aUnicastReplyThatDoesNotArriveDelaysTheAnswerByASecondAndOnlyOnce() throws {
        var network = VirtualNetwork(seed: 2)
        network.addHost()
        network.addHost(receivesUnicast: true)
        network.hosts[1].receivesUnicast = false
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .milliseconds(800))
        #expect(network.services(of: .hap, on: 1).isEmpty)
        network.run(for: .milliseconds(600))
        #expect(network.services(of: .hap, on: 1).count == 1)
        let udp = try ServiceType("_hap._udp")
        network.act(1) { $0.browse(udp, at: $1) }
        network.run(for: .seconds(1))
        let query = try #require(network.log.last { $0.host == 1 && !$0.message.isResponse })
        #expect(query.message.questions.contains { $0.name == udp.domainName && !$0.wantsUnicast })
    }

    @Test func besideAnotherProgramOnThisHostNoUnicastReplyIsAskedFor() throws {
        var network = VirtualNetwork(seed: 3)
        network.addHost(receivesUnicast: true)
        let own = Endpoint(address: network.hosts[0].address, port: 5353)
        let packet = try #require(DNSMessage(flags: [], questions: [question]).packets().first)
        network.act(0) { $0.receive(packet, from: own, on: VirtualNetwork.link, at: $1) }
        network.act(0) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(1))
        #expect(!network.log.isEmpty)
        #expect(network.log.flatMap(\.message.questions).filter(\.wantsUnicast).isEmpty)
        #expect(!network.hosts[0].node.receivesUnicast(on: VirtualNetwork.link))
    }
}
