import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// Lists of hubs at a relay, and a device that knows none of the hubs that write to its feed now.
@Suite struct HubListsTests {
    private var first: FeedHub
    private var second: FeedHub
    private var relay = RelayMemory()
    private var device = FeedDevice()
    private let members: [HubMember]
    private let pair: SignedHubList

    init() throws {
        first = FeedHub(devices: [device.id: device.box.publicBox])
        second = FeedHub(devices: first.devices, address: first.address)
        members = [first, second].map { HubMember(id: $0.id, key: $0.key.publicKey, box: BoxKey().publicBox) }
        pair = SignedHubList(try HubList(founder: members[0]).adding(members[1]), by: first.key)
        device.join(first)
        // The device is off from here on.
        try first.change(1, at: &relay)
        try device.read(relay)
        (first.others, second.others) = (second.hubs, first.hubs)
        (first.lists, second.lists) = (HubListChain(pair), HubListChain(pair))
        second.lineage = first.lineage
        first.lead(FeedLeadership(list: 2, term: 1))
        try first.change(2, at: &relay)
    }

    /// Lets the second hub take over, and write.
    private mutating func takeOver(in term: Int = 2) throws {
        second.numbers = first.numbers
        second.lead(FeedLeadership(list: 2, term: term))
        try second.change(3, at: &relay)
    }

    @Test mutating func aDeviceThatWasOffSinceBeforeTheSecondHubJoinedReadsOn() throws {
        try takeOver()
        try device.read(relay)
        #expect(device.numbers == [1, 2, 3])
        #expect(device.pinned?.list == pair)
    }

    @Test mutating func itAlsoDoesAfterSoManyElectionsThatTheRelayHasOnlyTheLastLists() throws {
        try takeOver()
        for term in 3...5 {
            second.lead(FeedLeadership(list: 2, term: term))
            try second.change(term + 1, at: &relay)
        }
        let kept = Set(relay.envelopes.map(\.generation)).sorted().suffix(2)
        relay.lists.removeAll { !kept.contains($0.generation) }
        try device.read(relay)
        #expect(device.numbers == second.numbers)
    }

    @Test mutating func itAlsoDoesAfterTheFirstHubWasRemoved() throws {
        try takeOver()
        let alone = SignedHubList(try pair.list.removing(first.id), by: second.key)
        second.lists = HubListChain(alone, after: [pair])
        second.lead(FeedLeadership(list: 3, term: 0))
        relay.lists = []
        try second.change(4, at: &relay)
        try device.read(relay)
        #expect(device.numbers == second.numbers && device.pinned?.keys == [second.key.publicKey])
        // What the removed hub writes all the same is not believed.
        first.numbers = second.numbers
        first.lead(FeedLeadership(list: 4, term: 1))
        try first.change(5, at: &relay)
        let numbers = device.numbers
        #expect(try stop { try device.read(relay) } == .relayLies)
        #expect(device.numbers == numbers)
    }

    @Test mutating func withoutBelievedListsNothingIsReadUntilTheRelayHasThem() throws {
        try takeOver()
        let honest = relay.lists
        let pinned = device.pinned
        let stranger = IdentityKey()
        let generations = Set(honest.map(\.generation))
        let lies: [[SealedHubLists]] = try [
            [],
            honest.map { try #require(seal(SignedHubList(pair.list, by: stranger), $0.generation)) },
            honest.map { try #require(seal(SignedHubList(pair.list, by: second.key), $0.generation)) },
            generations.map { try #require(seal(SignedHubList(HubList(founder: members[0]), by: first.key), $0)) },
        ]
        for lists in lies {
            relay.lists = lists
            #expect(try stop { try device.read(relay) } == .relayLies)
            // What the first hub has written is read.
            #expect(device.numbers == [1, 2] && device.state?.stop == nil)
        }
        #expect(device.pinned?.keys == pinned?.keys)
        relay.lists = honest
        try device.read(relay)
        #expect(device.numbers == [1, 2, 3])
    }

    private func seal(_ list: SignedHubList, _ generation: Int) -> SealedHubLists? {
        SealedHubLists(
            HubListChain(list),
            generation: generation,
            of: first.address,
            to: device.id,
            device.box.publicBox
        )
    }

    // MARK: Bytes

    @Test func onlyTheDevicesBoxOpensItsLists() throws {
        let sealed = try #require(seal(pair, 3))
        let read = try #require(SealedHubLists(sealed.bytes))
        #expect(read == sealed)
        #expect(read.open(with: device.box) == HubListChain(pair))
        #expect(read.open(with: BoxKey()) == nil)
        let text = String(decoding: sealed.bytes, as: UTF8.self)
        for member in members { #expect(!text.contains("\(member.key)") && !text.contains(member.id.uuidString)) }
    }

    @Test func listsAreForOneFeedGenerationAndDevice() throws {
        let reader = try #require(device.reader)
        let box = device.box.publicBox
        let other = FeedAddress(house: .random(), feed: first.address.feed)
        let wrong = [
            SealedHubLists(HubListChain(pair), generation: 4, of: first.address, to: device.id, box),
            SealedHubLists(HubListChain(pair), generation: 3, of: other, to: device.id, box),
            SealedHubLists(HubListChain(pair), generation: 3, of: first.address, to: UUID(), box),
            SealedHubLists(HubListChain(pair), generation: 3, of: first.address, to: device.id, BoxKey().publicBox),
        ]
        let honest = try #require(seal(pair, 3))
        let headers = wrong.map { $0?.bytes.prefix { $0 != UInt8(ascii: "\n") } }
        for (lists, header) in zip(wrong, headers) {
            let bytes = try #require(lists?.bytes)
            #expect(throws: FeedError.self) { try reader.hubLists(in: bytes, of: 3) }
            // A message of one under the line of another.
            let swapped = Array(try #require(header)) + honest.bytes.drop { $0 != UInt8(ascii: "\n") }
            #expect(throws: FeedError.self) { try reader.hubLists(in: swapped, of: 3) }
        }
        #expect(try reader.hubLists(in: honest.bytes, of: 3) == HubListChain(pair))
    }

    @Test func eachByteOfSealedListsCounts() throws {
        let reader = try #require(device.reader)
        let bytes = try #require(seal(pair, 3)).bytes
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            let error = #expect(throws: FeedError.self, "byte \(index)") { try reader.hubLists(in: altered, of: 3) }
            #expect(error?.code == .relayLies)
        }
        for wrong in [[], Array(bytes.dropLast()), bytes + [0]] {
            #expect(throws: FeedError.self) { try reader.hubLists(in: wrong, of: 3) }
        }
    }

    @Test func sealedListsHaveAsManyBytesAsTheLimitAtMost() throws {
        let bytes = try #require(seal(pair, 3)).bytes
        let padding = [UInt8](repeating: 0, count: FeedLimits.hubListsBytes - bytes.count)
        #expect(SealedHubLists(bytes + padding) != nil)
        #expect(SealedHubLists(bytes + padding + [0]) == nil)
        // The largest chain fits, with the largest generation.
        let header = try #require(seal(pair, FeedLimits.maximumNumber)).bytes.count - HubListChain(pair).bytes.count
        #expect(header + HubListLimits.maximumChainBytes <= FeedLimits.hubListsBytes)
    }

    @Test func noDeviceHasTheIDOfAnothersLists() {
        let recipient = SealedHubLists.recipient(for: device.id)
        #expect(SealedHubLists.recipient(for: recipient) == device.id)
        // A random ID is of version 4, and its inverse isn't.
        #expect(device.id.uuid.6 >> 4 == 4 && recipient.uuid.6 >> 4 == 11)
    }
}
