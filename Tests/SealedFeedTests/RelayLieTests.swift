import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// What a relay can do, and what comes of it: the table in `Documentation/Sync.md`.
@Suite struct RelayLieTests {
    private var hub: FeedHub
    private var relay = RelayMemory()
    private var device = FeedDevice()

    init() throws {
        hub = FeedHub(devices: [device.id: device.box.publicBox])
        device.join(hub)
        try hub.publish(to: &relay)
        for number in 0..<3 { try hub.change(number, at: &relay) }
        try device.read(relay)
        for number in 3..<6 { try hub.change(number, at: &relay) }
    }

    /// Reads what a relay serves instead of its entries. Nothing wrong may come of it.
    private mutating func read(_ serve: (Int) -> [[UInt8]]) throws -> FeedError.Code? {
        let code = try stop { try device.read(relay, serve: serve) }
        #expect(device.numbers == Array(hub.numbers.prefix(device.numbers.count)), "a wrong picture")
        return code
    }

    @Test mutating func aRelayThatReordersEntriesLies() throws {
        let all = relay
        #expect(try read { all.entries(after: $0).reversed() } == .relayLies)
        #expect(device.numbers == [0, 1, 2])
    }

    @Test mutating func aRelayThatReplaysEntriesLies() throws {
        let all = relay
        #expect(try read { _ in Array(all.entries.prefix(3)) } == .relayLies)
        #expect(device.numbers == [0, 1, 2])
    }

    @Test mutating func aRelayThatDropsAnEntryLies() throws {
        let all = relay
        // Without the next entry; the one after it is not a base.
        #expect(
            try read { Array(all.entries(after: $0).dropFirst()).filter { FeedEntry($0)?.header.isBase == false } }
                == .relayLies
        )
    }

    @Test mutating func aRelayThatSwapsFeedsLies() throws {
        var other = FeedHub(devices: hub.devices, key: hub.key)
        var otherRelay = RelayMemory()
        try other.publish(to: &otherRelay)
        for number in 0..<6 { try other.change(number, at: &otherRelay) }
        let all = otherRelay
        #expect(try read { all.entries(after: $0) } == .relayLies)
    }

    @Test mutating func aRelayThatFlipsAByteLies() throws {
        let all = relay
        let next = try #require(all.entries(after: device.place.sequence).first)
        for offset in stride(from: 0, to: next.count, by: 13) {
            var device = device
            var altered = next
            altered[offset] ^= 4
            let code = try stop { try device.read(all) { _ in [altered] } }
            #expect(code == .relayLies, "byte \(offset)")
            #expect(device.numbers == [0, 1, 2])
        }
    }

    @Test mutating func aRelayThatForgesEntriesLies() throws {
        // It knows an old key, as a removed person does, and signs itself.
        var forger = FeedHub(devices: hub.devices, address: hub.address)
        forger.writer = EntryWriter(hub.stored, keys: hub.storedKeys, hub: hub.id, hubKey: IdentityKey())
        var forged = relay
        forger.numbers = hub.numbers
        forger.lineage = hub.lineage
        try forger.writer.write(try forger.content(isBase: true), isBase: true, at: hub.time)
        try forged.add(try #require(forger.writer.next))
        relay = forged
        let all = forged
        #expect(try read { all.entries(after: $0) } == .relayLies)
    }

    @Test mutating func aRelayThatFreezesOnlyMakesTheCopyOld() throws {
        var frozen = relay
        frozen.entries = Array(relay.entries.prefix(device.place.sequence))
        try device.read(frozen)
        #expect(device.numbers == [0, 1, 2])
        #expect(device.state?.isHubSilent(at: hub.time + FeedLimits.silenceTime) == true)
    }

    @Test mutating func aRelayThatShowsAnOldHistoryIsFoundOut() throws {
        try device.read(relay)
        var old = relay
        old.entries.removeLast(2)
        let code = try stop { try device.read(old) }
        #expect(code == .relayRolledBack)
        #expect(device.numbers == hub.numbers)
        try hub.change(6, at: &relay)
        try device.read(relay)
        #expect(device.numbers == hub.numbers, "and when it shows all again, the reader goes on")
    }

    @Test mutating func aRelayThatShowsTheHubAnOldHeadMakesNoSecondHistory() throws {
        try device.read(relay)
        let all = relay
        relay.entries.removeLast(2)
        try hub.change(6, at: &relay)
        #expect(hub.writer.state.place.term == 1, "the hub begins again")
        // The reader goes on, whether it sees the old entries in between or not.
        var other = device
        try other.read(relay)
        #expect(other.numbers == hub.numbers)
        try device.read(all)
        try device.read(relay)
        #expect(device.numbers == hub.numbers)
        // The former history has a later number, but nothing in it is later.
        let code = try stop { try device.read(all) }
        #expect(code == .relayLies)
        #expect(device.numbers == hub.numbers)
    }

    @Test mutating func aHubThatWasRolledBackAndIsShownAnOldHeadForksItsFeed() throws {
        let copy = hub
        let old = relay
        try hub.change(6, at: &relay)
        try device.read(relay)
        // Neither the hub nor the relay knows of the last entry any longer.
        hub = copy
        relay = old
        try hub.change(7, at: &relay)
        try hub.change(8, at: &relay)
        #expect(try stop { try device.read(relay) } == .feedForked)
        #expect(device.numbers.last == 6)
        #expect(device.state?.evidence.count == 2)
    }

    @Test mutating func aRelayThatServesARemovedDeviceGivesItNothing() throws {
        try device.read(relay)
        let other = FeedDevice()
        hub.devices = [other.id: other.box.publicBox]
        hub.beginGeneration(at: &relay)
        try hub.publish(to: &relay)
        try hub.change(6, at: &relay)
        let code = try stop { try device.read(relay) }
        #expect(code == .notAddressed)
        let keys = try #require(device.state).keys.values
        for entry in relay.entries(after: device.place.sequence) {
            #expect(keys.allSatisfy { FeedEntry(entry)?.open(with: $0) == nil })
        }
    }
}
