import Foundation
import HubAPI
import Testing

@testable import Journal

/// Samples, thinned to one a minute.
struct SampleTests {
    private let fixture: JournalFixture
    private let source: JournalSample.Source
    private let start = Date(timeIntervalSince1970: 60 * 30_000_000)

    init() throws {
        fixture = try JournalFixture(at: start)
        source = JournalSample.Source(home: fixture.home, accessory: fixture.lamp.id, iid: 9)
    }

    private func sample(_ seconds: Double, _ value: Double) -> JournalSample {
        JournalSample(source, time: start + seconds, value: value)
    }

    @Test func theLastValueOfAMinuteIsKept() async throws {
        let journal = try await fixture.open()
        journal.record([], samples: [sample(0, 20), sample(20, 25), sample(59.5, 21), sample(60, 22), sample(120, 22)])
        let samples = try await journal.samples(of: source.accessory, in: source.home, since: start, limit: 10)
        #expect(samples == [sample(59.5, 21), sample(60, 22), sample(120, 22)])
        await journal.close()
    }

    @Test func aMinuteThatIsReadInBetweenHasOneSample() async throws {
        let journal = try await fixture.open()
        for (seconds, value) in [(0.0, 20.0), (10, 21), (20, 22)] {
            journal.record([], samples: [sample(seconds, value)])
            let samples = try await journal.samples(of: source.accessory, in: source.home, since: start, limit: 10)
            #expect(samples == [sample(seconds, value)])
        }
        await journal.close()
    }

    @Test func whatIsHeldInMemoryIsWrittenWhenTheJournalCloses() async throws {
        let journal = try await fixture.open()
        journal.record([], samples: [sample(0, 20), sample(10, 21)])
        await journal.close()
        let again = try await fixture.open()
        let samples = try await again.samples(of: source.accessory, in: source.home, since: start, limit: 10)
        #expect(samples == [sample(10, 21)])
        await again.close()
    }

    @Test func aMinuteCostsAtMostTwoWrites() {
        var thinner = SampleThinner()
        var written: [JournalSample] = []
        for second in 0..<180 {
            thinner.add(sample(Double(second), Double(second)))
            written += thinner.takeDue()
        }
        #expect(thinner.isHolding)
        thinner.end()
        written += thinner.takeDue()
        #expect(!thinner.isHolding)
        #expect(written.map(\.value) == [0, 59, 60, 119, 120, 179])
    }

    @Test func samplesThatCouldNotBeWrittenAreBounded() {
        var thinner = SampleThinner()
        for minute in 0..<3 { thinner.add(sample(Double(minute * 60), Double(minute))) }
        let due = thinner.takeDue()
        thinner.add(sample(180, 3))
        thinner.putBack(due, limit: 3)
        #expect(thinner.takeDue().map(\.value) == [1, 2, 3])
    }

    @Test func moreSamplesThanTheLimitAreReadInSeveralCalls() async throws {
        let journal = try await fixture.open()
        let other = JournalSample.Source(home: fixture.home, accessory: fixture.lamp.id, iid: 10)
        for minute in 0..<10 {
            let second = Double(minute * 60)
            let opposite = JournalSample(other, time: start + second, value: -second)
            journal.record([], samples: [sample(second, second), opposite])
        }
        var read: [JournalSample] = []
        var since = start
        while true {
            let page = try await journal.samples(of: source.accessory, in: source.home, since: since, limit: 6)
            read += page
            guard page.count == 6, let last = page.map(\.time).max() else { break }
            since = last + 0.001
        }
        #expect(read.count == 20)
        #expect(Set(read).count == 20)
        await journal.close()
    }

    @Test func samplesOfAnotherHomeAreNotRead() async throws {
        let journal = try await fixture.open()
        journal.record([], samples: [sample(0, 20)])
        #expect(try await journal.samples(of: source.accessory, in: UUID(), since: start, limit: 10).isEmpty)
        await journal.close()
    }
}
