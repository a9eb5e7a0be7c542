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

    @Test mutating func aTypeIsDeniedByTheListOfTypesThatAreThere() throws {
        let name = try Samples.name("lamp", "local")
        _ = insert(ResourceRecord(name: name, isUnique: true, ttl: 120, data: .nsec(next: name, types: [.a])), at: 0)
        #expect(cache.isDenied(name, .aaaa) && !cache.isDenied(name, .a))
        #expect(!cache.isDenied(Samples.typeName, .aaaa))
    }
}
