import Testing

@testable import DNSSD

@Suite struct CacheTests {
    private var cache = RecordCache()
    private var jitter = Jitter(seed: 3)

    private func text(_ text: String, ttl: UInt32 = 100, isUnique: Bool = true) throws -> ResourceRecord {
        ResourceRecord(
            name: try Samples.name("Lamp", "_hap", "_tcp", "local"),
            isUnique: isUnique,
            ttl: ttl,
            data: .txt([UInt8(text.utf8.count)] + text.utf8)
        )
    }

    private func pointer(_ name: String, ttl: UInt32 = 100, isUnique: Bool = false) throws -> ResourceRecord {
        ResourceRecord(
            name: Samples.typeName,
            isUnique: isUnique,
            ttl: ttl,
            data: .ptr(try Samples.name(name, "_hap", "_tcp", "local"))
        )
    }

    private mutating func insert(_ record: ResourceRecord, at seconds: Double) -> RecordCache.Change {
        cache.insert(record, at: Samples.seconds(seconds), jitter: &jitter)
    }

    private mutating func advance(
        to seconds: Double,
        wanted: Bool = true
    ) -> (expired: [ResourceRecord], refreshes: Set<DNSQuestion>) {
        cache.advance(to: Samples.seconds(seconds)) { _, _ in wanted }
    }

    @Test mutating func aRecordLivesAsLongAsItSaid() throws {
        let record = try text("a=1")
        #expect(insert(record, at: 0) == .added)
        #expect(advance(to: 99.999).expired.isEmpty && cache.count == 1)
        #expect(advance(to: 100).expired == [record])
        #expect(cache.count == 0 && cache.deadline == nil)
    }

    @Test mutating func aRecordHeardAgainLivesAnew() throws {
        _ = insert(try text("a=1"), at: 0)
        #expect(insert(try text("a=1"), at: 60) == .none)
        #expect(advance(to: 159).expired.isEmpty)
        #expect(advance(to: 160).expired.count == 1)
    }

    @Test mutating func aWantedRecordIsAskedForAt80To97PercentOfItsLifetime() throws {
        _ = insert(try text("a=1"), at: 0)
        var asked: [Double] = []
        while let deadline = cache.deadline, deadline < Samples.seconds(100) {
            let seconds = deadline.sinceStart / .seconds(1)
            #expect(advance(to: seconds + 0.001).refreshes.count == 1)
            asked.append(seconds)
        }
        #expect(asked.count == 4)
        for (seconds, percentage) in zip(asked, QuestionTiming.refreshPercentages) {
            #expect((Double(percentage)...Double(percentage + 2)).contains(seconds))
        }
    }

    @Test mutating func anUnwantedRecordIsNotAskedFor() throws {
        _ = insert(try text("a=1"), at: 0)
        for seconds in stride(from: 80.0, to: 100, by: 1) {
            #expect(advance(to: seconds, wanted: false).refreshes.isEmpty)
        }
    }

    @Test mutating func aGoodbyeLeavesOneSecond() throws {
        _ = insert(try text("a=1"), at: 0)
        _ = insert(try text("a=1", ttl: 0), at: 10)
        #expect(advance(to: 10.999).expired.isEmpty)
        #expect(advance(to: 11).expired.count == 1)
    }

    @Test mutating func aGoodbyeForWhatIsUnknownChangesNothing() throws {
        #expect(insert(try text("a=1", ttl: 0), at: 0) == .none)
        #expect(cache.count == 0 && cache.deadline == nil)
    }

    @Test mutating func aUniqueRecordReplacesWhatIsOlderThanASecond() throws {
        _ = insert(try text("old"), at: 0)
        _ = insert(try text("new"), at: 5)
        #expect(cache.records(try text("").name, .txt).map(\.data) == [try text("old").data, try text("new").data])
        #expect(advance(to: 6).expired == [try text("old")])
    }

    @Test mutating func uniqueRecordsOfTheSameSecondStandBesideEachOther() throws {
        _ = insert(try text("one"), at: 0)
        _ = insert(try text("two"), at: 1)
        #expect(advance(to: 50).expired.isEmpty && cache.count == 2)
    }

    @Test mutating func aFlagOnASharedRecordDoesNotWipeOutTheOthers() throws {
        _ = insert(try pointer("One"), at: 0)
        _ = insert(try pointer("Two", isUnique: true), at: 50)
        #expect(advance(to: 60).expired.isEmpty && cache.count == 2)
    }

    @Test mutating func knownAnswersHaveHalfTheirLifetimeLeftAndSayHowMuch() throws {
        _ = insert(try pointer("One"), at: 0)
        let question = DNSQuestion(name: Samples.typeName, type: .ptr)
        #expect(cache.knownAnswers(to: question, at: Samples.seconds(50)).map(\.ttl) == [50])
        #expect(cache.knownAnswers(to: question, at: Samples.seconds(50.001)).isEmpty)
    }

    @Test mutating func aLifetimeOfYearsIsCutToADay() throws {
        _ = insert(try text("a=1", ttl: .max), at: 0)
        #expect(advance(to: 86_400).expired.count == 1)
    }

    @Test mutating func aFullCacheRefusesWhatIsNewAndKeepsWhatItHas() throws {
        for number in 0..<CacheTiming.maximumRecords {
            _ = insert(try pointer("Lamp \(number)"), at: 0)
        }
        #expect(insert(try pointer("One more"), at: 1) == .refused)
        #expect(insert(try pointer("Lamp 0"), at: 1) == .none)
        _ = advance(to: 100)
        #expect(insert(try pointer("One more"), at: 100) == .added)
    }

    // MARK: - Limits

    private func address(_ number: Int, ttl: UInt32 = 100) throws -> ResourceRecord {
        ResourceRecord(
            name: try Samples.name("lamp", "local"),
            ttl: ttl,
            data: .a(try #require(IPAddress(bytes: [10, 0, UInt8(number >> 8), UInt8(number & 0xFF)])))
        )
    }

    private mutating func fill(_ count: Int, from source: IPAddress?, prefix: String = "Lamp") throws {
        for number in 0..<count {
            let record = try pointer("\(prefix) \(number)")
            #expect(cache.insert(record, from: source, at: Samples.seconds(0), jitter: &jitter) == .added)
        }
    }

    @Test mutating func oneSenderDoesNotGetAllTheRoom() throws {
        let (flooder, other) = try (#require(IPAddress("10.0.0.1")), #require(IPAddress("10.0.0.2")))
        try fill(CacheTiming.maximumRecordsOfSource, from: flooder)
        let next = try pointer("Next")
        #expect(cache.insert(next, from: flooder, at: Samples.seconds(1), jitter: &jitter) == .refused)
        #expect(cache.insert(next, from: other, at: Samples.seconds(1), jitter: &jitter) == .added)
        // Expired records make room.
        _ = advance(to: 100)
        #expect(cache.count == 1)
        #expect(
            cache.insert(try pointer("Again"), from: flooder, at: Samples.seconds(100), jitter: &jitter) == .added
        )
    }

    @Test mutating func whatIsFollowedByNameHasAReserve() throws {
        try fill(CacheTiming.maximumRecords, from: nil)
        #expect(insert(try pointer("Next"), at: 1) == .refused)
        for number in 0..<CacheTiming.followedReserve {
            let record = try pointer("Followed \(number)")
            #expect(cache.insert(record, isFollowed: true, at: Samples.seconds(1), jitter: &jitter) == .added)
        }
        let last = try pointer("One too many")
        #expect(cache.insert(last, isFollowed: true, at: Samples.seconds(1), jitter: &jitter) == .refused)
    }

    @Test mutating func aNameHas32AddressesAndNotOneMore() throws {
        for number in 0..<CacheTiming.maximumSetSize {
            #expect(insert(try address(number), at: 0) == .added)
        }
        #expect(insert(try address(1000), at: 0) == .refused)
        #expect(insert(try address(0), at: 1) == .none)
    }

    @Test mutating func theBytesAreLimitedAsWell() throws {
        func bomb(_ number: Int, size: Int) throws -> ResourceRecord {
            let name = try Samples.name("\(1000 + number)", "_hap", "_tcp", "local")
            return ResourceRecord(name: name, ttl: 100, data: .txt([UInt8](repeating: 0, count: size)))
        }
        let nameSize = try bomb(0, size: 0).name.wire.count
        let (fitting, rest) = CacheTiming.maximumBytes.quotientAndRemainder(dividingBy: 8192)
        for number in 0..<fitting {
            #expect(insert(try bomb(number, size: 8192 - nameSize), at: 0) == .added)
        }
        #expect(rest == 0 && cache.bytes == CacheTiming.maximumBytes)
        #expect(insert(try bomb(fitting, size: 0), at: 0) == .refused)
        _ = advance(to: 100)
        #expect(cache.bytes == 0)
    }

    @Test mutating func comingAndGoingAgainAndAgainDoesNotMakeTheQueueGrow() throws {
        for second in 0..<2000 {
            _ = insert(try text("a=1", ttl: 86_400), at: Double(second) * 1.5)
            _ = insert(try text("a=1", ttl: 0), at: Double(second) * 1.5)
            _ = advance(to: Double(second) * 1.5 + 0.9)
        }
        #expect(cache.queueLength <= CacheTiming.queueFactor * CacheTiming.maximumSetSize)
        _ = advance(to: 3000)
        #expect(cache.count == 0 && cache.deadline == nil)
    }

    // MARK: - Reconfirmation

    @Test mutating func aRecordInDoubtIsForgottenAfterTenSecondsUnlessItIsHeard() throws {
        let record = try text("a=1")
        _ = insert(record, at: 0)
        cache.reconfirm(record.name, .txt, at: Samples.seconds(10))
        #expect(!cache.isConfirmed(record.name, .txt) && cache.records(record.name, .txt).count == 1)
        #expect(cache.knownAnswers(to: DNSQuestion(name: record.name, type: .txt), at: Samples.seconds(10)).isEmpty)
        #expect(advance(to: 19.999).expired.isEmpty)
        _ = insert(record, at: 19.999)
        #expect(cache.isConfirmed(record.name, .txt))
        #expect(advance(to: 60).expired.isEmpty)
        cache.reconfirm(record.name, record.data, at: Samples.seconds(60))
        cache.reconfirm(record.name, record.data, at: Samples.seconds(69))
        let (expired, refreshes) = advance(to: 70)
        #expect(expired == [record] && refreshes.isEmpty)
    }

    private mutating func receive(_ record: ResourceRecord, from source: String, at seconds: Double) throws {
        let source = try #require(IPAddress(source))
        _ = cache.insert(record, from: source, at: Samples.seconds(seconds), jitter: &jitter)
    }

    @Test mutating func whatOthersAskForTwiceInVainIsForgottenTenSecondsLater() throws {
        let question = DNSQuestion(name: Samples.typeName, type: .ptr)
        let (one, two) = try (pointer("One"), pointer("Two"))
        try receive(one, from: "10.0.0.1", at: 0)
        try receive(two, from: "10.0.0.1", at: 0)
        // Questions in quick succession count as one, and a host that knows the answer expects none.
        cache.wasAskedByAnother(question, known: [two.identity], over: .ipv4, at: Samples.seconds(10))
        cache.wasAskedByAnother(question, known: [two.identity], over: .ipv4, at: Samples.seconds(10.1))
        #expect(advance(to: 20.1).expired.isEmpty)
        cache.wasAskedByAnother(question, known: [two.identity], over: .ipv4, at: Samples.seconds(21))
        #expect(advance(to: 30.999).expired.isEmpty)
        let (expired, refreshes) = advance(to: 31)
        #expect(expired == [one] && refreshes.isEmpty && cache.count == 1)
    }

    @Test mutating func whoDoesNotSpeakIPv6IsNotExpectedToAnswerOverIt() throws {
        let question = DNSQuestion(name: Samples.typeName, type: .ptr)
        try receive(try pointer("One"), from: "10.0.0.1", at: 0)
        try receive(try pointer("Two"), from: "fe80::1", at: 0)
        for second in [1.0, 3, 5, 7] {
            cache.wasAskedByAnother(question, known: [], over: .ipv6, at: Samples.seconds(second))
        }
        #expect(advance(to: 60).expired == [try pointer("Two")])
    }

    @Test mutating func anAnswerMakesUnansweredQuestionsForgotten() throws {
        let question = DNSQuestion(name: Samples.typeName, type: .ptr)
        try receive(try pointer("One"), from: "10.0.0.1", at: 0)
        for second in [10.0, 20, 30] {
            cache.wasAskedByAnother(question, known: [], over: .ipv4, at: Samples.seconds(second))
            try receive(try pointer("One"), from: "10.0.0.1", at: second + 0.1)
        }
        #expect(advance(to: 60).expired.isEmpty)
    }

    @Test mutating func whatWasHeardTogetherIsAskedForTogether() throws {
        let name = try Samples.name("lamp", "local")
        var discovery = Discovery(link: VirtualNetwork.describe(addresses: []))
        discovery.browse(BrowseScope(.hap), at: Samples.seconds(0), jitter: &jitter)
        let instance = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let addresses = try ["10.0.0.1", "10.0.0.2", "fe80::1"].map { try #require(IPAddress($0)) }
        let records =
            [
                ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(instance)),
                ResourceRecord(name: instance, ttl: 120, data: .srv(priority: 0, weight: 0, port: 80, host: name)),
                ResourceRecord(name: instance, ttl: 4500, data: .txt([0])),
            ] + addresses.map { ResourceRecord(name: name, ttl: 120, data: .address($0)) }
        discovery.receive(records, at: Samples.seconds(1), jitter: &jitter)
        var queries: [DNSMessage] = []
        while let deadline = discovery.deadline, deadline < Samples.seconds(110) {
            queries += discovery.advance(to: deadline, jitter: &jitter)
        }
        let refreshes = queries.filter { $0.questions.contains { $0.type == .srv } }
        #expect(refreshes.count == 3)
        #expect(refreshes.filter { Set($0.questions.map(\.type)) != [.srv, .a, .aaaa] }.isEmpty)
    }

    @Test mutating func aTypeIsDeniedByTheListOfTypesThatAreThere() throws {
        let name = try Samples.name("lamp", "local")
        _ = insert(ResourceRecord(name: name, isUnique: true, ttl: 120, data: .nsec(next: name, types: [.a])), at: 0)
        #expect(cache.isDenied(name, .aaaa) && !cache.isDenied(name, .a))
        #expect(!cache.isDenied(Samples.typeName, .aaaa))
    }
}
