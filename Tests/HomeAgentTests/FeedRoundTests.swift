import Foundation
import HomeIdentity
import HubAPI
import RelayAPI
import RelayClient
import SealedFeed
import Testing

@testable import HomeAgent

/// A device that catches up with a feed, as a value: what it asks the relay for, and how it ends.
@Suite struct FeedRoundTests {
    /// What the relay does instead of what is asked; `nil` for an honest answer.
    private typealias Lie = (FeedRound.Action, inout FeedRound) -> FeedRound.Action?

    /// A device that reads a feed.
    private struct Device {
        var reader: FeedReader
        var updates = 0
        var asked: [FeedRound.Action] = []

        mutating func read(_ feed: WrittenFeed, _ status: FeedStatus? = nil, _ lie: Lie = { _, _ in nil })
            -> FeedRound.Outcome
        {
            var round = FeedRound(reader)
            var action = round.begin()
            while true {
                if case .end(let outcome) = action {
                    reader = round.reader
                    return outcome
                }
                asked.append(action)
                if let next = lie(action, &round) {
                    action = next
                    continue
                }
                switch action {
                case .askStatus: action = round.received(status ?? feed.status)
                case .askEntries(let number): action = round.received(Array(feed.entries.dropFirst(number)))
                case .askEnvelope(let generation): action = round.received(envelope: feed.envelopes[generation])
                case .askHubs: action = round.received(hubLists: nil)
                case .takeHubs: action = round.refused(.notMember)
                case .store:
                    updates += 1
                    action = round.stored(true)
                case .end: break
                }
            }
        }
    }

    private func code(_ outcome: FeedRound.Outcome) -> FeedError.Code? {
        if case .refused(let error) = outcome { error.code } else { nil }
    }

    @Test func aDeviceReadsAllThatTheRelayHas() throws {
        var feed = try WrittenFeed()
        try feed.change(3)
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        #expect(device.updates == 4 && device.reader.lastSequence == 4)
        #expect(device.asked.first == .askStatus && device.asked.contains(.askEnvelope(generation: 1)))
        // With nothing new, one question is enough.
        device.asked = []
        #expect(device.read(feed) == .current)
        #expect(device.asked == [.askStatus])
    }

    @Test func entriesThatComeWhileADeviceReadsAreNoLie() throws {
        var feed = try WrittenFeed()
        try feed.change()
        let status = feed.status
        try feed.change(2)
        var device = Device(reader: feed.reader)
        #expect(device.read(feed, status) == .current)
        #expect(device.reader.lastSequence == 4)
    }

    @Test func aBeatMakesACopyYounger() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        let before = try #require(device.reader.kept.asOf)
        var status = feed.status
        status.beat = Data(feed.beat(after: 60_000).bytes)
        #expect(device.read(feed, status) == .current)
        #expect(device.reader.kept.asOf == before + 60_000)
        // A beat for entries that the relay then doesn't show is a contradiction.
        try feed.change()
        var frozen = status
        frozen.beat = Data(feed.beat().bytes)
        let hiding = device.read(feed, frozen) { action, round in
            if case .askEntries(let number) = action {
                round.received(Array(feed.entries.prefix(1).dropFirst(number)))
            } else {
                nil
            }
        }
        #expect(code(hiding) == .relayRolledBack)
        #expect(device.reader.kept.stop == nil, "the relay may show it later")
        #expect(device.read(feed) == .current)
    }

    @Test func nothingCountsThatCannotBeStored() throws {
        var feed = try WrittenFeed()
        try feed.change(2)
        var device = Device(reader: feed.reader)
        var isFirst = true
        let outcome = device.read(feed) { action, round in
            guard case .store = action else { return nil }
            defer { isFirst = false }
            return isFirst ? nil : round.stored(false)
        }
        #expect(outcome == .interrupted)
        #expect(device.reader.lastSequence == 1, "the first update was stored")
        #expect(device.read(feed) == .current)
        #expect(device.updates == 3)
    }

    @Test func entriesThatAreGoneAreReplacedByTheBase() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        try feed.change(2)
        try feed.writeBase()
        try feed.change()
        let base = feed.base
        let dropped = device.read(feed) { action, round in
            guard case .askEntries(let number) = action, number < base - 1 else { return nil }
            let position = FeedPosition(seq: 5, head: feed.status.head, base: Int64(base), term: 0)
            return round.failed(.refused(RelayError(.dropped, "Gone.", position: position)))
        }
        #expect(dropped == .current && device.reader.lastSequence == 5)
    }

    @Test(arguments: [RelayError.Code.dropped, .conflict])
    func aRelayThatHasNotWhatItHasClaimedLies(refusal: RelayError.Code) throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        try feed.change()
        let outcome = device.read(feed) { action, round in
            guard case .askEntries = action else { return nil }
            let position = FeedPosition(seq: 9, head: .zero, base: 9, term: 0)
            return round.failed(.refused(RelayError(refusal, "No.", position: position)))
        }
        #expect(code(outcome) == .relayLies)
        #expect(device.asked.count < 10)
    }

    @Test func aRelayThatAnswersWithNothingLies() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        try feed.change()
        let outcome = device.read(feed) { action, round in
            if case .askEntries = action { round.received([Data]()) } else { nil }
        }
        #expect(code(outcome) == .relayLies)
        #expect(code(device.read(feed)) == .relayLies, "until the hub is met")
    }

    @Test func anotherGenerationsEnvelopeIsALie() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        let old = try #require(feed.envelopes[1])
        try feed.beginGeneration()
        let outcome = device.read(feed) { action, round in
            if case .askEnvelope = action { round.received(envelope: old) } else { nil }
        }
        #expect(code(outcome) == .relayLies)
    }

    @Test func aDeviceWithoutAnEnvelopeReadsNothingMore() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        try feed.beginGeneration(isAddressed: false)
        try feed.change()
        #expect(code(device.read(feed)) == .notAddressed)
        #expect(device.reader.lastSequence == 1)
        // It may get one later.
        try feed.beginGeneration()
        #expect(device.read(feed) == .current)
        #expect(device.reader.lastSequence == feed.entries.count)
    }

    @Test func aRelayThatWentBackIsNamedUnlessTheHubHasBegunAgain() throws {
        var feed = try WrittenFeed()
        try feed.change(3)
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        var old = feed.status
        old.seq = 2
        old.head = EntryDigest(of: Array(feed.entries[1]))
        let outcome = device.read(feed, old) { action, round in
            if case .askEntries(let number) = action {
                round.received(Array(feed.entries.prefix(2).dropFirst(number)))
            } else {
                nil
            }
        }
        #expect(code(outcome) == .relayRolledBack)
        #expect(device.reader.lastSequence == 4 && device.reader.kept.stop == nil)
    }

    @Test func aRelayThatCannotBeAskedIsNoLiar() throws {
        let feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        let errors: [RelayClientError] = [
            .unreachable("gone"), .invalidAnswer("cut"), .refused(RelayError(.tooManyRequests, "Wait.", retryAfter: 7)),
        ]
        for error in errors {
            let outcome = device.read(feed) { action, round in
                if case .askEntries = action { round.failed(error) } else { nil }
            }
            guard case .unavailable(let trouble) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(trouble.retryAfter == (error == errors[2] ? 7 : nil))
        }
        let refused = device.read(feed) { _, round in round.failed(.refused(.notFound)) }
        #expect(code(refused) == .notAddressed)
        #expect(device.read(feed) == .current)
    }

    @Test func aRoundEndsWhateverTheRelayClaims() throws {
        var feed = try WrittenFeed()
        var status = feed.status
        status.seq = RelayLimits.maximumNumber - 1
        var device = Device(reader: feed.reader)
        // One entry at a time, of a feed that grows while it is read.
        let outcome = device.read(feed, status) { action, round in
            guard case .askEntries(let number) = action else { return nil }
            while feed.entries.count <= number { try? feed.change() }
            return round.received([feed.entries[number]])
        }
        #expect(outcome == .unavailable(.tooManyRequests))
        #expect(device.asked.count <= 3 * AgentLimits.feedRequests)
    }

    @Test func aHubWithAnUnreadableEventIsNotShown() throws {
        let feed = try WrittenFeed()
        var writer = feed.writer
        let seen = FeedCursors(account: .init(lineage: UUID(), revision: 0), homes: [:])
        try writer.write(FeedContent(seen: seen, events: [Array("{}".utf8)]), isBase: true, at: 1)
        var device = Device(reader: feed.reader)
        let entry = try #require(writer.next)
        var status = feed.status
        status.seq = 2
        status.head = entry.digest
        let outcome = device.read(feed, status) { action, round in
            if case .askEntries(1) = action { round.received([Data(entry.bytes)]) } else { nil }
        }
        #expect(code(outcome) == .feedDamaged)
        #expect(device.reader.lastSequence == 1)
    }

    @Test func noAlteredByteIsBelieved() throws {
        var feed = try WrittenFeed()
        var device = Device(reader: feed.reader)
        #expect(device.read(feed) == .current)
        try feed.change()
        let entry = try #require(feed.entries.last)
        var status = feed.status
        status.beat = Data(feed.beat().bytes)
        for place in stride(from: 0, to: entry.count, by: 5) {
            var (other, altered) = (device, entry)
            altered[place] ^= 1 << UInt8(place % 8)
            let outcome = other.read(feed) { action, round in
                if case .askEntries = action { round.received([altered]) } else { nil }
            }
            #expect(code(outcome) == .relayLies && other.updates == 1, "byte \(place) of an entry")
        }
        let beat = try #require(status.beat)
        for place in stride(from: 0, to: beat.count, by: 5) {
            var (other, altered) = (device, status)
            altered.beat?[place] ^= 1 << UInt8(place % 8)
            let named = altered.beat.flatMap { FeedBeat(Array($0)) }?.hub
            let outcome = other.read(feed, altered)
            if let named, named != feed.hub {
                // One that names another hub tells nothing.
                #expect(outcome == .current && other.reader.kept.asOf != feed.beat().time, "byte \(place) of a beat")
            } else {
                #expect(code(outcome) == .relayLies, "byte \(place) of a beat")
            }
        }
        try feed.beginGeneration()
        let envelope = try #require(feed.envelopes[2])
        for place in stride(from: 0, to: envelope.count, by: 11) {
            var (other, altered) = (device, envelope)
            altered[place] ^= 1 << UInt8(place % 8)
            let outcome = other.read(feed) { action, round in
                if case .askEnvelope = action { round.received(envelope: altered) } else { nil }
            }
            #expect(code(outcome) == .relayLies, "byte \(place) of an envelope")
        }
    }

    // MARK: Hubs that the device doesn't know

    /// A feed whose later generation another hub has written, with the lists that lead to it.
    private struct TakenOver {
        var feed: WrittenFeed
        let box = BoxKey()
        let second = IdentityKey()
        let secondID = UUID()
        let pair: SignedHubList
        let founder: HubMember
        /// A device that has read everything of the first hub.
        let device: Device

        init() throws {
            feed = try WrittenFeed()
            try feed.change(2)
            var device = Device(reader: feed.reader)
            #expect(device.read(feed) == .current)
            self.device = device
            founder = HubMember(id: feed.hub, key: feed.hubKey.publicKey, box: box.publicBox)
            let joined = HubMember(id: secondID, key: second.publicKey, box: BoxKey().publicBox)
            pair = SignedHubList(try HubList(founder: founder).adding(joined), by: feed.hubKey)
            try feed.takeOver(as: secondID, by: second)
            try feed.change()
        }

        var generation: Int { feed.envelopes.keys.max() ?? 0 }

        func sealed(_ lists: HubListChain, of generation: Int? = nil, in address: FeedAddress? = nil) throws -> Data {
            let sealed = SealedHubLists(
                lists,
                generation: generation ?? self.generation,
                of: address ?? feed.address,
                to: feed.device,
                feed.box.publicBox
            )
            return Data(try #require(sealed).bytes)
        }
    }

    /// Lets a device read, which knows the first hub alone.
    ///
    /// - Parameter lists: What the relay answers to the question for lists.
    /// - Returns: How the round ends, and the device.
    private func read(
        _ taken: TakenOver,
        _ pinned: inout PinnedHubs,
        lists: (Int) -> Data?
    ) -> (outcome: FeedRound.Outcome, device: Device) {
        var device = taken.device
        var believed = pinned
        let outcome = device.read(taken.feed) { action, round in
            switch action {
            case .askHubs(let generation): return round.received(hubLists: lists(generation))
            case .takeHubs(let lists):
                do throws(HubListError) {
                    _ = try believed.take(lists)
                } catch {
                    return round.refused(error)
                }
                let members = believed.list?.list.members ?? []
                return round.took(Dictionary(members.map { ($0.id, $0.key) }) { first, _ in first })
            default: return nil
            }
        }
        pinned = believed
        return (outcome, device)
    }

    @Test func aDeviceLearnsOfAHubThatHasTakenOver() throws {
        let taken = try TakenOver()
        var pinned = PinnedHubs(joined: taken.feed.hubKey.publicKey)
        let lists = try taken.sealed(HubListChain(taken.pair))
        let (outcome, device) = read(taken, &pinned) { $0 == taken.generation ? lists : nil }
        #expect(outcome == .current)
        #expect(device.reader.lastSequence == taken.feed.entries.count)
        #expect(pinned.list == taken.pair)
        #expect(device.asked.filter { $0 == .askHubs(generation: taken.generation) }.count == 1)
    }

    @Test func aBeatOfAHubThatTheDeviceDoesNotKnowYetIsReadAfterItsEntries() throws {
        var taken = try TakenOver()
        let beat = taken.feed.beat()
        var pinned = PinnedHubs(joined: taken.feed.hubKey.publicKey)
        let lists = try taken.sealed(HubListChain(taken.pair))
        taken.feed.lastBeat = Data(beat.bytes)
        let (outcome, device) = read(taken, &pinned) { _ in lists }
        #expect(outcome == .current)
        #expect(device.reader.kept.asOf == beat.time)
        // Without the lists, it isn't believed, and neither are the entries.
        pinned = PinnedHubs(joined: taken.feed.hubKey.publicKey)
        let unread = read(taken, &pinned) { _ in nil }
        #expect(code(unread.outcome) == .relayLies)
    }

    @Test func aListThatIsNotBelievedIsNamedAndChangesNothing() throws {
        let taken = try TakenOver()
        let (stranger, pair) = (IdentityKey(), taken.pair)
        let joined = PinnedHubs(joined: taken.feed.hubKey.publicKey)
        let honest = try taken.sealed(HubListChain(pair))
        let house = FeedAddress(house: .random(), feed: taken.feed.address.feed)
        let older = SignedHubList(HubList(founder: taken.founder), by: taken.feed.hubKey)
        let other = try HubList(founder: taken.founder).adding(
            HubMember(id: UUID(), key: stranger.publicKey, box: BoxKey().publicBox)
        )
        let forked = try PinnedHubs(
            joined: taken.feed.hubKey.publicKey,
            list: SignedHubList(other, by: taken.feed.hubKey).bytes
        )
        let lies: [(Data?, PinnedHubs, String)] = [
            (nil, joined, "relayLies"),
            (Data("{}".utf8), joined, "relayLies"),
            (try taken.sealed(HubListChain(pair), of: taken.generation - 1), joined, "relayLies"),
            (try taken.sealed(HubListChain(pair), in: house), joined, "relayLies"),
            (try taken.sealed(HubListChain(older)), joined, "relayLies"),
            (try taken.sealed(HubListChain(older)), forked, "hubListOutdated"),
            (honest, forked, "hubListForked"),
            (try taken.sealed(HubListChain(SignedHubList(pair.list, by: stranger))), joined, "hubListForged"),
            (try taken.sealed(HubListChain(SignedHubList(pair.list, by: taken.second))), joined, "hubListForged"),
            (honest, PinnedHubs(joined: stranger.publicKey), "hubListForged"),
        ]
        for (index, (lie, known, name)) in lies.enumerated() {
            var pinned = known
            let (outcome, device) = read(taken, &pinned) { _ in lie }
            #expect(code(outcome)?.rawValue == name, "lie \(index)")
            #expect(pinned.keys == known.keys, "lie \(index)")
            // What the first hub has written is there, and the relay may have the list later.
            #expect(device.reader.lastSequence == taken.feed.takenOverAfter && device.reader.kept.stop == nil)
        }
    }

    @Test func noAlteredByteOfAListIsBelieved() throws {
        let taken = try TakenOver()
        let honest = try taken.sealed(HubListChain(taken.pair))
        for offset in stride(from: 0, to: honest.count, by: 97) {
            var altered = honest
            altered[offset] ^= 1
            var pinned = PinnedHubs(joined: taken.feed.hubKey.publicKey)
            let (outcome, device) = read(taken, &pinned) { _ in altered }
            #expect(code(outcome) == .relayLies, "byte \(offset)")
            #expect(pinned.list == nil && device.reader.lastSequence == taken.feed.takenOverAfter)
        }
    }

    // MARK: Waiting

    @Test func streamsThatBreakAreReplacedByRequestsForAWhile() {
        var pace = FeedPace()
        for number in 1...AgentLimits.brokenStreams {
            let isGivenUp = pace.streamEnded()
            #expect(isGivenUp == (number == AgentLimits.brokenStreams))
        }
        #expect(pace.way == .poll)
        for _ in 0..<AgentLimits.feedPolls { pace.requestWaited() }
        #expect(pace.way == .stream)
        // One that tells something is no broken one.
        for _ in 0..<10 {
            pace.streamSpoke()
            let isGivenUp = pace.streamEnded()
            #expect(!isGivenUp)
        }
    }

    @Test func aRelayIsAskedAgainLaterEachTimeWithinBounds() {
        var pace = FeedPace()
        #expect(pace.failed(retryAfter: nil, random: 0) == .milliseconds(500))
        #expect(pace.failed(retryAfter: nil, random: 0) == .seconds(1))
        #expect(pace.failed(retryAfter: 20, random: 0) == .seconds(20))
        #expect(pace.failed(retryAfter: 1_000_000, random: 0) == .seconds(AgentLimits.relayRetrySeconds))
        #expect(pace.failed(retryAfter: -5, random: 0) <= .seconds(15))
        pace.reached()
        #expect(pace.failed(retryAfter: nil, random: 1) == .milliseconds(500))
    }
}
