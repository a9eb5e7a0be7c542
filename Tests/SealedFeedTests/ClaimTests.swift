import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// What the relay says of a feed's end, compared with the reader's own state, the hub's beats and the hub itself.
@Suite struct ClaimTests {
    private struct Stage {
        var hub: FeedHub
        var relay = RelayMemory()
        var device = FeedDevice()

        init(changes: Int = 3) throws {
            hub = FeedHub(devices: [device.id: device.box.publicBox])
            device.join(hub)
            try hub.publish(to: &relay)
            for number in 0..<changes { try hub.change(number, at: &relay) }
            try device.read(relay)
        }

        mutating func compare(_ head: RelayHead) throws(FeedError) -> FeedReader.Comparison {
            try device.with { reader throws(FeedError) in try reader.compare(with: head) }
        }

        mutating func meet(_ place: FeedPlace) throws -> FeedError.Code? {
            try stop { try device.with { reader throws(FeedError) in try reader.met(hubAt: place) } }
        }

        mutating func receive(beat: FeedBeat) throws -> FeedError.Code? {
            try stop { try device.with { reader throws(FeedError) in try reader.receive(beat: beat.bytes) } }
        }
    }

    // MARK: The relay's head

    @Test func theRelaysHeadIsComparedWithTheReaders() throws {
        var stage = try Stage()
        #expect(try stage.compare(stage.relay.head) == .same)
        let place = stage.device.place
        #expect(
            try stage.compare(RelayHead(sequence: place.sequence + 1, digest: .zero)) == .more(after: place.sequence)
        )
        #expect(
            try stop { _ = try stage.compare(RelayHead(sequence: place.sequence - 1, digest: .zero)) }
                == .relayRolledBack
        )
        #expect(
            try stop { _ = try stage.compare(RelayHead(sequence: place.sequence, digest: .zero)) } == .relayRolledBack
        )
        // It is the relay's claim, so it stops nothing for good.
        #expect(try stage.compare(stage.relay.head) == .same)
    }

    @Test func aRelayThatHasLessThanTheHubConfirmedWasRolledBack() throws {
        var stage = try Stage()
        let old = stage.relay
        try stage.hub.change(4, at: &stage.relay)
        #expect(try stage.receive(beat: stage.hub.writer.beat(at: stage.hub.time)) == nil)
        #expect(try stop { _ = try stage.compare(old.head) } == .relayRolledBack)
        #expect(try stage.compare(stage.relay.head) == .more(after: old.head.sequence))

        // A new device has read nothing, but the hub has told it.
        var device = FeedDevice()
        device.join(stage.hub)
        stage.device = device
        #expect(try stage.compare(old.head) == .more(after: 0))
        #expect(try stage.meet(stage.hub.writer.state.place) == nil)
        #expect(try stop { _ = try stage.compare(old.head) } == .relayRolledBack)
        stage.device.restart()
        #expect(try stop { _ = try stage.compare(old.head) } == .relayRolledBack, "after a restart")
    }

    @Test func aRelayThatHidesEntriesIsFoundOut() throws {
        var stage = try Stage()
        try stage.hub.change(4, at: &stage.relay)
        let code = try stop { try stage.device.read(stage.relay) { _ in [] } }
        #expect(code == .relayLies)
    }

    // MARK: Beats

    @Test func aBeatThatTheHubHasNotSignedIsALie() throws {
        var stage = try Stage()
        let forged = FeedBeat(stage.device.place, of: stage.hub.address, at: 1, hub: stage.hub.id, by: IdentityKey())
        #expect(try stage.receive(beat: forged) == .relayLies)
        stage = try Stage()
        let address = FeedAddress(house: .random(), feed: .random())
        let beat = FeedBeat(stage.device.place, of: address, at: 1, hub: stage.hub.id, by: stage.hub.key)
        #expect(try stage.receive(beat: beat) == .relayLies)
    }

    @Test func aBeatOfAHubThatTheDeviceDoesNotKnowTellsNothing() throws {
        var stage = try Stage()
        let former = stage.device.state
        let stranger = FeedHub(devices: [:], address: stage.hub.address)
        let later = FeedBeat(
            FeedPlace(term: 9, sequence: 99, head: EntryDigest(of: [1])),
            of: stage.hub.address,
            at: stage.hub.time + 1,
            hub: stranger.id,
            by: stranger.key
        )
        #expect(try stage.receive(beat: later) == nil)
        #expect(stage.device.state == former)
    }

    @Test func aBeatOfAnotherHistoryIsAFork() throws {
        for offset in [0, -1] {
            var stage = try Stage()
            var place = stage.device.place
            place.sequence += offset
            place.head = EntryDigest(of: [1])
            let beat = FeedBeat(place, of: stage.hub.address, at: 1, hub: stage.hub.id, by: stage.hub.key)
            #expect(try stage.receive(beat: beat) == .feedForked)
            #expect(stage.device.state?.evidence.last == beat.bytes)
        }
    }

    @Test func anOlderBeatChangesNothing() throws {
        var stage = try Stage()
        let beat = stage.hub.writer.beat(at: stage.hub.time - 1)
        let state = stage.device.state
        #expect(try stage.receive(beat: beat) == nil)
        #expect(stage.device.state?.asOf == state?.asOf)
    }

    // MARK: The hub

    @Test func aReaderThatWasLiedToGoesOnAfterItMetTheHub() throws {
        var stage = try Stage()
        #expect(try stop { _ = try stage.device.receive([1, 2, 3]) } == .relayLies)
        try stage.hub.change(4, at: &stage.relay)
        #expect(try stop { try stage.device.read(stage.relay) } == .relayLies)
        #expect(try stage.meet(stage.hub.writer.state.place) == nil)
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    @Test func aDamagedEntryIsPassedOverByTheNextBase() throws {
        var stage = try Stage()
        // The writer's content has an event that this device can't read.
        let seen = stage.hub.seen
        try stage.hub.writer.write(FeedContent(seen: seen, events: [[1]]), isBase: false, at: 1)
        let damaged = try #require(stage.hub.writer.next)
        try stage.relay.add(damaged)
        stage.hub.writer.appended()
        #expect(try stop { try stage.device.read(stage.relay) } == .feedDamaged)
        #expect(try stage.meet(stage.hub.writer.state.place) == nil)
        let base = stage.relay.base
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == [0, 1, 2])
        var number = 10
        while stage.relay.base == base {
            number += 1
            try stage.hub.change(number, at: &stage.relay)
        }
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
        try stage.hub.change(99, at: &stage.relay)
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    @Test func aHubThatKnowsLessThanItHasSignedWasRolledBack() throws {
        var stage = try Stage()
        var place = stage.device.place
        place.sequence -= 1
        #expect(try stage.meet(place) == .hubRolledBack)
        #expect(try stop { _ = try stage.compare(stage.relay.head) } == .hubRolledBack)
        #expect(stage.device.numbers == [0, 1, 2])
        place = stage.device.place
        place.head = EntryDigest(of: [1])
        #expect(try stage.meet(place) == .feedForked)
    }

    @Test func aReaderOnTheOtherBranchOfAForkGoesOnAtTheHubsNextBase() throws {
        var stage = try Stage()
        let copy = stage.hub
        // The hub's data is copied, and both copies write.
        var other = copy
        var otherRelay = stage.relay
        try other.change(66, at: &otherRelay)
        try stage.device.read(otherRelay)
        try stage.hub.change(4, at: &stage.relay)
        #expect(try stop { _ = try stage.device.receive(try #require(stage.relay.entries.last)) } == .feedForked)
        try stage.hub.change(5, at: &stage.relay)
        #expect(try stage.meet(stage.hub.writer.state.place) == nil)
        stage.hub.numbers += [6, 7]
        stage.hub.beginGeneration(at: &stage.relay)
        try stage.hub.publish(to: &stage.relay)
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
    }
}
