import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// What a reader takes, and with which error it stops.
@Suite struct ReaderTests {
    /// A hub, an honest relay with some entries, and a device that has read them.
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

        /// Publishes a change and returns its entry.
        mutating func next() throws -> [UInt8] {
            try hub.change(Int.random(in: 0..<1_000), at: &relay)
            return try #require(relay.entries.last)
        }

        /// Returns an entry that the hub signs, with another header or another key.
        func signed(
            key: GenerationKey? = nil,
            _ bytes: [UInt8]? = nil,
            events: [String] = [],
            change: (inout EntryHeader) -> Void = { _ in }
        ) throws -> [UInt8] {
            let place = hub.writer.state.place
            var header = EntryHeader(
                address: hub.address,
                hub: hub.id,
                isBase: false,
                generation: hub.writer.state.generation,
                term: place.term,
                sequence: place.sequence + 1,
                previous: place.head,
                part: EntryHeader.Part(number: 1, count: 1),
                salt: [UInt8](repeating: 9, count: 16),
                time: hub.time
            )
            change(&header)
            let content = FeedContent(seen: hub.seen, events: events.map { Array($0.utf8) })
            let key = try #require(key ?? hub.writer.key)
            return FeedEntry(bytes ?? content.bytes, header: header, key: key, by: hub.key).bytes
        }

        mutating func code(of entry: [UInt8]) throws -> FeedError.Code? {
            try stop { _ = try device.receive(entry) }
        }
    }

    @Test func aDeviceReadsWhatTheHubWrites() throws {
        var stage = try Stage()
        #expect(stage.device.numbers == [0, 1, 2])
        #expect(stage.device.state?.seen == stage.hub.seen)
        #expect(stage.device.state?.asOf == stage.hub.time)
        let entry = try stage.next()
        #expect(try stage.device.receive(entry) == .update(try #require(stage.device.lastUpdate)))
        #expect(stage.device.numbers == stage.hub.numbers)
        #expect(try stage.device.receive(entry) == .ignored, "the same entry again")
        #expect(try stage.device.receive(stage.relay.entries[0]) == .ignored, "an older entry")
        stage.device.restart()
        #expect(try stage.device.receive(entry) == .ignored, "after a restart")
    }

    @Test func aNewDeviceBeginsAtTheLastBase() throws {
        var stage = try Stage(changes: 12)
        #expect(stage.relay.base > 1)
        var device = FeedDevice()
        stage.hub.devices[device.id] = device.box.publicBox
        stage.relay.envelopes.append(try stage.hub.writer.envelope(for: device.id, device.box.publicBox))
        device.join(stage.hub)
        let base = stage.relay.base
        try device.read(stage.relay) { stage.relay.entries(after: max($0, base - 1)) }
        #expect(device.numbers == stage.hub.numbers)
    }

    // MARK: Place

    @Test func anEntryOfAnotherFeedIsALie() throws {
        var stage = try Stage()
        #expect(try stage.code(of: stage.signed { $0.address.house = .random() }) == .relayLies)
        stage = try Stage()
        #expect(try stage.code(of: stage.signed { $0.address.feed = .random() }) == .relayLies)
    }

    @Test func theHubsOtherEntryAtAPlaceIsAFork() throws {
        for (offset, name) in [(0, "the last place"), (-1, "an earlier place")] {
            var stage = try Stage()
            let number = stage.hub.writer.state.place.sequence + offset
            let other = try stage.signed { $0.sequence = number }
            #expect(try stage.code(of: other) == .feedForked, "\(name)")
            let evidence = try #require(stage.device.state?.evidence)
            #expect(evidence.last == other)
            #expect(offset < 0 || evidence.first == stage.relay.entries.last)
        }
        var stage = try Stage()
        let other = try stage.signed { $0.previous = EntryDigest(of: [1]) }
        #expect(try stage.code(of: other) == .feedForked, "another predecessor")
        #expect(stage.device.state?.evidence == [try #require(stage.relay.entries.last), other])
    }

    @Test func anotherEntryThatTheHubHasNotSignedIsALie() throws {
        var stage = try Stage()
        var other = try #require(stage.relay.entries.last)
        other[other.count - 1] ^= 1
        #expect(try stage.code(of: other) == .relayLies)
    }

    @Test func aGapIsAskedForOnceAndThenALie() throws {
        var stage = try Stage()
        _ = try stage.next()
        let later = try stage.signed { $0.sequence += 1 }
        let last = stage.device.place.sequence
        #expect(try stage.device.receive(later) == .askAgain(after: last))
        #expect(try stage.code(of: later) == .relayLies)

        stage = try Stage()
        let missing = try stage.next()
        #expect(try stage.device.receive(try stage.signed()) == .askAgain(after: last))
        #expect(try stage.device.receive(missing) == .update(try #require(stage.device.lastUpdate)))
        #expect(try stage.device.receive(try stage.signed { $0.sequence += 1 }) == .askAgain(after: last + 1))
    }

    @Test func aLaterBaseIsTakenWithoutWhatIsBetween() throws {
        var stage = try Stage()
        let last = stage.relay.head.sequence
        while stage.relay.base <= last { _ = try stage.next() }
        for entry in stage.relay.entries(after: stage.relay.base - 1) { _ = try stage.device.receive(entry) }
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    // MARK: Signature and version

    @Test func anEntryOfAnUnknownHubIsALieUnlessAListNamesItOrABaseFollows() throws {
        var stage = try Stage()
        let generation = stage.hub.writer.state.generation
        let unknown = try stage.signed { $0.hub = UUID() }
        #expect(try stage.device.receive(unknown) == .fetchHubs(generation: generation))
        let step = try stage.device.with { reader throws(FeedError) in try reader.hubIsUnknown() }
        #expect(step == .readFromBase)
        #expect(try stage.device.receive(unknown) == .fetchHubs(generation: generation))
        let code = try stop { _ = try stage.device.with { reader throws(FeedError) in try reader.hubIsUnknown() } }
        #expect(code == .relayLies)
        #expect(stage.device.numbers == [0, 1, 2], "nothing of it is taken")
        // A hub that is lost can't be met, so the relay may show later what the hub that is known has written, or a list.
        #expect(stage.device.state?.stop == nil)
        stage.device.restart()
        #expect(try stage.code(of: try stage.next()) == nil)
        #expect(stage.device.numbers.count == 4)
    }

    @Test func aLaterVersionIsKeptForAnUpdateIfTheHubHasSignedIt() throws {
        var stage = try Stage()
        let text = String(decoding: try stage.signed().prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let line = Array(text.replacing(#""version":1"#, with: #""version":2,"more":true"#).utf8)
        let later = SignedLine(line, rest: [1, 2, 3], by: stage.hub.key, for: .feedEntry).bytes
        let place = stage.device.place
        #expect(try stage.code(of: later) == .updateNeeded)
        #expect(stage.device.place == place && stage.device.state?.stop == nil)
        let forged = SignedLine(line, rest: [1, 2, 3], by: IdentityKey(), for: .feedEntry).bytes
        #expect(try stage.code(of: forged) == .relayLies)
    }

    // MARK: Generations

    @Test func aNewGenerationNeedsAnEnvelope() throws {
        var stage = try Stage()
        stage.hub.beginGeneration(at: &stage.relay)
        let base = try stage.next()
        #expect(try stage.device.receive(base) == .fetchEnvelope(generation: 2))
        let envelope = try #require(stage.relay.envelope(of: 2, to: stage.device.id))
        try stage.device.with { reader throws(FeedError) in try reader.receive(envelope: envelope.bytes) }
        guard case .update(let update) = try stage.device.receive(base) else {
            Issue.record("the base isn't taken")
            return
        }
        #expect(update.isBase && stage.device.numbers == stage.hub.numbers)
        #expect(stage.device.state?.keys.count == 1, "the former key is forgotten")
    }

    @Test func aRemovedDeviceReadsNothingMore() throws {
        var stage = try Stage()
        let removed = stage.device
        let other = FeedDevice()
        stage.hub.devices = [other.id: other.box.publicBox]
        stage.hub.beginGeneration(at: &stage.relay)
        let base = try stage.next()
        #expect(try stop { try stage.device.read(stage.relay) } == .notAddressed)
        #expect(stage.device.numbers == removed.numbers)
        // With all its old keys, and the other device's envelope.
        let entry = try #require(FeedEntry(base))
        #expect(try #require(removed.state).keys.values.allSatisfy { entry.open(with: $0) == nil })
        let envelope = try #require(stage.relay.envelope(of: 2, to: other.id))
        #expect(envelope.open(with: removed.box, from: stage.hub.key.publicKey) == nil)
        let code = try stop {
            try stage.device.with { reader throws(FeedError) in try reader.receive(envelope: envelope.bytes) }
        }
        #expect(code == .notAddressed)
        // If the device is added again, it goes on.
        stage.relay.envelopes.append(try stage.hub.writer.envelope(for: removed.id, removed.box.publicBox))
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    @Test func anEnvelopeThatTheHubHasNotSignedIsALie() throws {
        var stage = try Stage()
        var bytes = try #require(stage.relay.envelopes.first).bytes
        bytes[10] ^= 1
        #expect(
            try stop { try stage.device.with { reader throws(FeedError) in try reader.receive(envelope: bytes) } }
                == .relayLies
        )
    }

    @Test func anEntryOfAnotherGenerationThatIsNoBaseIsDamaged() throws {
        var stage = try Stage()
        #expect(try stage.code(of: stage.signed { $0.generation += 1 }) == .feedDamaged)
    }

    // MARK: Content

    @Test func contentThatCannotBeReadIsDamaged() throws {
        let key = GenerationKey()
        let damages: [(String, (Stage) throws -> [UInt8])] = [
            ("another key", { try $0.signed(key: key) }),
            ("no position", { try $0.signed(Array("{}\n".utf8)) }),
            ("not lines", { try $0.signed([1, 2, 3]) }),
            ("an unreadable event", { try $0.signed(events: ["nonsense"]) }),
            ("a base without an event", { try $0.signed { $0.isBase = true } }),
            ("a second part", { try $0.signed { $0.part = EntryHeader.Part(number: 2, count: 2) } }),
        ]
        for (name, damage) in damages {
            var stage = try Stage()
            let numbers = stage.device.numbers
            #expect(try stage.code(of: damage(stage)) == .feedDamaged, "\(name)")
            #expect(stage.device.numbers == numbers, "\(name)")
        }
    }

    @Test func contentDoesNotGoBackWithinALineage() throws {
        var stage = try Stage()
        stage.hub.numbers.removeLast()
        #expect(try stage.code(of: stage.signed()) == .feedDamaged)
        stage = try Stage()
        stage.hub.numbers.removeLast()
        stage.hub.lineage = UUID()
        let step = try stage.device.receive(stage.signed())
        #expect(step == .update(try #require(stage.device.lastUpdate)), "in another lineage")
    }

    @Test func aContentOfSeveralPartsIsTakenWhole() throws {
        var stage = try Stage()
        stage.hub.eventBytes = 300_000
        let before = stage.device.numbers
        let start = stage.relay.head.sequence
        _ = try stage.next()
        let parts = stage.relay.entries(after: start)
        #expect(parts.count >= 2)
        #expect(try stage.device.receive(parts[0]) == .partial)
        #expect(stage.device.numbers == before)
        // A restart forgets the first part, and reads it again.
        stage.device.restart()
        #expect(try stage.device.receive(parts[1]) == .askAgain(after: start))
        for part in parts { _ = try stage.device.receive(part) }
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    @Test func aContentThatWasCutOffIsDroppedForTheBaseAfterIt() throws {
        var stage = try Stage()
        stage.hub.eventBytes = 300_000
        stage.hub.numbers.append(77)
        try stage.hub.publish(to: &stage.relay, crashingAfter: 1)
        stage.hub.eventBytes = 0
        let cut = stage.relay.head.sequence
        try stage.hub.publish(to: &stage.relay)
        #expect(FeedEntry(try #require(stage.relay.entries.dropFirst(cut).first))?.header.isBase == true)
        try stage.device.read(stage.relay)
        #expect(stage.device.numbers == stage.hub.numbers)
    }

    @Test func aContentThatWasCutOffAndGoesOnOtherwiseIsDamaged() throws {
        var stage = try Stage()
        let first = try stage.signed { $0.part = EntryHeader.Part(number: 1, count: 3) }
        #expect(try stage.device.receive(first) == .partial)
        let place = FeedPlace(term: 0, sequence: stage.device.place.sequence + 1, head: EntryDigest(of: first))
        let other = try stage.signed {
            $0.sequence = place.sequence + 1
            $0.previous = place.head
        }
        #expect(try stage.code(of: other) == .feedDamaged)
    }

    // MARK: Age

    @Test func aHubThatIsNotHeardOfFor25HoursIsSilent() throws {
        let stage = try Stage()
        let state = try #require(stage.device.state)
        #expect(!state.isHubSilent(at: stage.hub.time + FeedLimits.silenceTime))
        #expect(state.isHubSilent(at: stage.hub.time + FeedLimits.silenceTime + 1))
        #expect(!state.isHubSilent(at: stage.hub.time - 1_000_000))
        #expect(!KeptFeed(state.address, device: state.device).isHubSilent(at: .max))
    }

    @Test func anEntryWithoutATimeKeepsTheFormerAge() throws {
        var stage = try Stage()
        let asOf = stage.device.state?.asOf
        _ = try stage.device.receive(try stage.signed { $0.time = 0 })
        #expect(stage.device.state?.asOf == asOf)
    }

    @Test func aBeatMakesTheCopyYounger() throws {
        var stage = try Stage()
        let time = stage.hub.time + FeedLimits.beatTime
        let beat = stage.hub.writer.beat(at: time)
        try stage.device.with { reader throws(FeedError) in try reader.receive(beat: beat.bytes) }
        #expect(stage.device.state?.asOf == time)
        // One for entries that the device doesn't have doesn't.
        _ = try stage.next()
        let later = stage.hub.writer.beat(at: time + 1)
        try stage.device.with { reader throws(FeedError) in try reader.receive(beat: later.bytes) }
        #expect(stage.device.state?.asOf == time)
    }
}
