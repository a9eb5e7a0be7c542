import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// When a hub writes a base, and what it does if the relay isn't where it left it.
@Suite struct WriterTests {
    private var hub: FeedHub
    private var relay = RelayMemory()
    private var device = FeedDevice()

    init() throws {
        hub = FeedHub(devices: [device.id: device.box.publicBox])
        device.join(hub)
        try hub.publish(to: &relay)
    }

    private var headers: [EntryHeader] { relay.entries.compactMap { FeedEntry($0)?.header } }

    // MARK: Bases and generations

    @Test func aFeedStartsWithABase() {
        #expect(headers.map(\.isBase) == [true])
        #expect(headers.first?.previous == .zero && headers.first?.sequence == 1 && headers.first?.generation == 1)
        #expect(!hub.writer.isBaseDue)
    }

    @Test mutating func aBaseIsDueAfterFourTimesTheBytesOfTheLastOne() throws {
        let base = relay.entries[0].count
        var bytes = 0
        while bytes < 4 * base {
            #expect(!hub.writer.isBaseDue)
            try hub.change(1, at: &relay)
            bytes += try #require(relay.entries.last).count
        }
        #expect(hub.writer.isBaseDue)
        #expect(throws: FeedError.notNow("A base is due.")) {
            var writer = hub.writer
            try writer.write(try hub.content(isBase: false), isBase: false, at: 1)
        }
        try hub.change(2, at: &relay)
        #expect(headers.last?.isBase == true)
        #expect(!hub.writer.isBaseDue)
    }

    @Test mutating func aBaseIsDueAfter128Entries() throws {
        // A large base, so that the number counts.
        hub.eventBytes = 200_000
        hub.beginGeneration(at: &relay)
        try hub.publish(to: &relay)
        hub.eventBytes = 0
        let start = relay.head.sequence
        for number in 0..<128 {
            #expect(!hub.writer.isBaseDue)
            try hub.change(number, at: &relay)
        }
        #expect(headers.dropFirst(start).allSatisfy { !$0.isBase })
        #expect(hub.writer.isBaseDue)
    }

    @Test mutating func aGenerationStartsWithItsEnvelopesAndABase() throws {
        _ = hub.writer.beginGeneration(for: hub.devices, at: hub.time)
        #expect(throws: FeedError.notNow("The keys aren't at the relay yet.")) {
            var writer = hub.writer
            try writer.write(try hub.content(isBase: true), isBase: true, at: 1)
        }
        hub.writer.envelopesStored()
        #expect(hub.writer.isBaseDue && hub.writer.state.needsBase)
        #expect(throws: FeedError.notNow("A base is due.")) {
            var writer = hub.writer
            try writer.write(try hub.content(isBase: false), isBase: false, at: 1)
        }
        try hub.publish(to: &relay)
        #expect(headers.last?.isBase == true && headers.last?.generation == 2)
    }

    @Test mutating func aGenerationLasts365Days() {
        let start = hub.writer.state.generationTime
        #expect(!hub.writer.isGenerationDue(at: start + FeedLimits.generationTime))
        #expect(hub.writer.isGenerationDue(at: start + FeedLimits.generationTime + 1))
        #expect(!hub.writer.isGenerationDue(at: 0), "without a clock, nothing is said of age")
        // A crash between the generation's start and its envelopes.
        _ = hub.writer.beginGeneration(for: hub.devices, at: start)
        hub.store()
        hub.restart()
        #expect(hub.writer.isGenerationDue(at: start))
    }

    @Test mutating func contentIsTakenUpToTheLimit() throws {
        let empty = FeedContent(seen: hub.seen, events: [[]]).bytes.count
        let event = [UInt8](repeating: 1, count: FeedLimits.maximumContentBytes - empty)
        var writer = hub.writer
        #expect(throws: FeedError.contentTooLarge) {
            try writer.write(FeedContent(seen: hub.seen, events: [event + [1]]), isBase: true, at: 1)
        }
        try writer.write(FeedContent(seen: hub.seen, events: [event]), isBase: true, at: 1)
        #expect(writer.pending.count == FeedLimits.maximumParts)
        #expect(writer.pending.last?.header.part == EntryHeader.Part(number: 64, count: 64))
        #expect(writer.pending.allSatisfy { $0.bytes.count <= FeedLimits.maximumEntryBytes })
        #expect(throws: FeedError.self, "the former content isn't at the relay") {
            try writer.write(FeedContent(seen: hub.seen, events: [[]]), isBase: true, at: 1)
        }
    }

    // MARK: The relay's memory

    @Test mutating func aRelayRestoredFromAnOlderCopyIsWrittenAgain() throws {
        for number in 0..<4 { try hub.change(number, at: &relay) }
        try device.read(relay)
        relay.entries.removeLast(2)
        try hub.change(4, at: &relay)
        #expect(headers.last?.isBase == true && headers.last?.term == 1)
        #expect(headers.last?.sequence == relay.entries.count)
        try device.read(relay)
        #expect(device.numbers == hub.numbers)
    }

    @Test mutating func aRelayThatHasLostEverythingIsWrittenAgain() throws {
        for number in 0..<4 { try hub.change(number, at: &relay) }
        try device.read(relay)
        relay.entries = []
        try hub.publish(to: &relay)
        #expect(headers.map(\.sequence) == [1] && headers.map(\.term) == [1])
        try device.read(relay)
        for number in 4..<12 {
            try hub.change(number, at: &relay)
            try device.read(relay)
            #expect(device.numbers == hub.numbers)
        }
    }

    @Test mutating func aReaderFollowsARelayThatHasGrownPastItAgain() throws {
        for number in 0..<3 { try hub.change(number, at: &relay) }
        try device.read(relay)
        relay.entries.removeLast(2)
        // The relay is longer than before when the device looks again.
        for number in 3..<9 { try hub.change(number, at: &relay) }
        #expect(relay.head.sequence > device.place.sequence)
        try device.read(relay)
        #expect(device.numbers == hub.numbers)
    }

    @Test mutating func aRelayThatSwearsByAnEntryOfAnotherHubLies() throws {
        var other = FeedHub(devices: hub.devices, address: hub.address)
        var otherRelay = RelayMemory()
        try other.publish(to: &otherRelay)
        try other.change(1, at: &otherRelay)
        #expect(try stop { try hub.reconcile(with: otherRelay) } == .relayLies)
        // It has less than it says.
        relay.entries.removeLast()
        let head = RelayHead(sequence: 9, digest: EntryDigest(of: [1]))
        #expect(try stop { try hub.writer.reconcile(with: head, []) { _ in true } } == .relayLies)
        #expect(
            try stop { try hub.writer.reconcile(with: RelayHead(sequence: 0, digest: head.digest), []) { _ in true } }
                == .relayLies
        )
    }

    // MARK: The hub's memory

    @Test(arguments: [1, 2, 3, 4])
    mutating func aCrashBeforeAnEntryIsNotedLosesNothing(steps: Int) throws {
        try device.read(relay)
        hub.eventBytes = 300_000
        hub.numbers += [1]
        try hub.publish(to: &relay, crashingAfter: steps)
        hub.eventBytes = 0
        hub.numbers += [2]
        try hub.publish(to: &relay)
        try device.read(relay)
        #expect(device.numbers == [1, 2])
        #expect(headers.map(\.term).allSatisfy { $0 == 0 }, "the hub doesn't begin again")
    }

    @Test mutating func aLostAnswerIsNoReasonToWriteAgain() throws {
        hub.numbers += [1]
        try hub.writer.write(try hub.content(isBase: false), isBase: false, at: 1)
        try relay.add(try #require(hub.writer.next))
        #expect(hub.writer.compare(with: relay.head) == .nextAppended)
        hub.writer.appended()
        #expect(hub.writer.compare(with: relay.head) == .same)
        #expect(hub.writer.state.seen == hub.seen)
    }

    @Test mutating func aCrashBeforeADeviceIsRemovedIsTakenOver() throws {
        hub.numbers += [1]
        try hub.publish(to: &relay, crashingAfter: 1)
        // While the relay is out of reach, a device is removed.
        let other = FeedDevice()
        hub.devices = [other.id: other.box.publicBox]
        hub.beginGeneration(at: &relay)
        hub.restart()
        try hub.publish(to: &relay)
        #expect(headers.map(\.generation) == [1, 1, 2])
        #expect(headers.last?.isBase == true)
    }

    @Test mutating func aHubThatWasRolledBackWritesNothing() throws {
        let copy = hub
        for number in 0..<3 { try hub.change(number, at: &relay) }
        let until = hub.time
        hub = copy
        let before = relay.entries
        var error: FeedError?
        do {
            try hub.publish(to: &relay)
        } catch let failure as FeedError {
            error = failure
        }
        #expect(error?.code == .storeRolledBack && error?.changes == 3 && error?.until == until)
        #expect(relay.entries == before)
        // Also if it has changed otherwise in the meantime.
        hub.numbers += [7, 8, 9, 10, 11]
        hub.stored.place = FeedPlace(term: 0, sequence: relay.head.sequence, head: EntryDigest(of: [1]))
        hub.restart()
        #expect(try stop { try hub.reconcile(with: relay) } == .storeRolledBack)
    }

    @Test mutating func aPersonCanLetARolledBackHubGoOn() throws {
        for number in 0..<2 { try hub.change(number, at: &relay) }
        let copy = hub
        for number in 2..<5 { try hub.change(number, at: &relay) }
        try device.read(relay)
        hub = copy
        hub.lineage = UUID()
        try hub.writer.goOn(behind: relay.head, relay.entries.last)
        hub.store()
        #expect(hub.writer.isGenerationDue(at: hub.time))
        try hub.publish(to: &relay)
        #expect(headers.last?.isBase == true && headers.last?.generation == 2 && headers.last?.term == 1)
        try device.read(relay)
        #expect(device.numbers == hub.numbers)
    }

    @Test mutating func aRestoredBackupGoesOnAtTheRelaysEnd() throws {
        let backup = hub.stored
        let keys = hub.storedKeys
        for number in 0..<3 { try hub.change(number, at: &relay) }
        hub.beginGeneration(at: &relay)
        try hub.publish(to: &relay)
        try device.read(relay)
        hub.stored = backup
        hub.storedKeys = keys
        hub.restart()
        hub.lineage = UUID()
        hub.numbers = [0]
        try hub.writer.goOn(behind: relay.head, relay.entries.last)
        hub.store()
        try hub.publish(to: &relay)
        #expect(headers.last?.generation == 3, "the relay's generation may have a device that was removed")
        try device.read(relay)
        #expect(device.numbers == [0])
    }

    @Test mutating func aFeedGoesOnAtAnotherRelay() throws {
        try hub.change(1, at: &relay)
        let address = FeedAddress(house: .random(), feed: .random())
        let state = WriterState(address, following: hub.writer.state)
        #expect(state.place == .start && state.seen == hub.writer.state.seen && state.needsBase)
    }
}
