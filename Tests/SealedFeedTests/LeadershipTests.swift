import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// Two hubs of which the one that leads writes the feed.
@Suite struct LeadershipTests {
    private var first: FeedHub
    private var second: FeedHub
    private var relay = RelayMemory()
    private var device = FeedDevice()

    init() throws {
        first = FeedHub(devices: [device.id: device.box.publicBox])
        second = FeedHub(devices: first.devices, address: first.address)
        (first.others, second.others) = (second.hubs, first.hubs)
        second.lineage = first.lineage
        device.join(first)
        first.lead(FeedLeadership(list: 2, term: 1))
        try first.change(1, at: &relay)
        try device.read(relay)
    }

    private var headers: [EntryHeader] { relay.entries.compactMap { FeedEntry($0)?.header } }

    /// Lets the second hub take over, and write.
    private mutating func takeOver() throws {
        second.numbers = first.numbers
        second.lead(FeedLeadership(list: 2, term: 2))
        try second.change(2, at: &relay)
    }

    @Test mutating func theOtherHubGoesOnBehindTheLastEntry() throws {
        try takeOver()
        try device.read(relay)
        #expect(device.numbers == [1, 2])
        let base = try #require(headers.last)
        #expect(base.hub == second.id && base.isBase && base.sequence == headers.count)
        let leadership = FeedLeadership(list: 2, term: 2)
        #expect(base.term == leadership.firstTerm && base.generation == leadership.firstTerm)
    }

    @Test mutating func aFormerLeaderWritesNothingUntilItLeadsAgain() throws {
        let before = first
        try takeOver()
        let written = relay.entries
        #expect(try stop { try first.change(3, at: &relay) } == .notNow)
        #expect(relay.entries == written)
        first = before
        first.numbers = second.numbers
        first.lead(FeedLeadership(list: 2, term: 3))
        try first.change(4, at: &relay)
        try device.read(relay)
        #expect(device.numbers == [1, 2, 4] && headers.last?.hub == first.id)
    }

    @Test mutating func whatAFormerLeaderAppendsAllTheSameIsNotRead() throws {
        first.numbers.append(9)
        try first.writer.write(try first.content(isBase: false), isBase: false, at: first.time)
        let late = try #require(first.writer.next)
        first.numbers.removeLast()
        try takeOver()
        try device.read(relay)
        #expect(try device.receive(late.bytes) == .ignored)
        #expect(device.numbers == [1, 2])
    }

    @Test mutating func anEntryThatTheFormerLeaderDidNotNoteIsLeftBehind() throws {
        first.numbers.append(2)
        first.time += 1
        try first.publish(to: &relay, crashingAfter: 1)
        try device.read(relay)
        #expect(device.numbers == [1, 2])
        try takeOver()
        try device.read(relay)
        #expect(device.numbers == second.numbers)
        // Whether it was this hub's own doesn't matter when it leads again.
        first.lead(FeedLeadership(list: 2, term: 3))
        try first.publish(to: &relay)
        try device.read(relay)
        #expect(device.numbers == first.numbers)
    }

    @Test mutating func aHubThatWasRemovedCannotGoOn() throws {
        try takeOver()
        let removed = second
        first.numbers = second.numbers
        first.lead(FeedLeadership(list: 3, term: 0))
        try first.change(3, at: &relay)
        #expect(headers.last?.hub == first.id && headers.last?.generation == FeedLeadership(list: 3, term: 0).firstTerm)
        // Between what the device has read and what follows are entries of a hub that it doesn't know any more.
        device.pin([first.id: first.key.publicKey])
        try device.read(relay)
        #expect(device.numbers == [1, 2, 3])
        second = removed
        #expect(try stop { try second.change(4, at: &relay) } == .notNow)
        second.lead(FeedLeadership(list: 4, term: 1))
        try second.change(4, at: &relay)
        #expect(try stop { try device.read(relay) } == .relayLies, "whatever it writes all the same is not believed")
    }

    @Test func laterLeadershipsHaveLaterTerms() {
        let first = FeedLeadership(list: 2, term: FeedLeadership.maximumTerm)
        let second = FeedLeadership(list: 3, term: 0)
        #expect(FeedLeadership.alone.firstTerm == 0 && FeedLeadership.alone.firstList == nil)
        #expect(first.firstTerm + FeedLeadership.terms == second.firstTerm)
        #expect(FeedLeadership(list: 2, term: FeedLeadership.maximumTerm + 1).firstTerm == first.firstTerm)
        let last = FeedLeadership(list: FeedLeadership.maximumList, term: FeedLeadership.maximumTerm)
        #expect(last.firstTerm + FeedLeadership.terms - 1 <= FeedLimits.maximumNumber)
        #expect(last.firstList.map { $0 + FeedLeadership.terms <= FeedLimits.maximumNumber } == true)
        #expect(
            FeedLeadership(list: FeedLeadership.maximumList + 1, term: 0).firstTerm < last.firstTerm
                + FeedLeadership.terms
        )
    }
}
