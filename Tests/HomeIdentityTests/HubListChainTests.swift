import Foundation
import Testing

@testable import HomeIdentity

/// Lists of hubs that lead from the one that a device has to the present one.
@Suite struct HubListChainTests {
    /// A hub with its secret keys.
    private struct TestHub {
        let key = IdentityKey()
        let member: HubMember

        init() {
            member = HubMember(id: UUID(), key: key.publicKey, box: BoxKey().publicBox)
        }
    }

    private let first = TestHub()
    private let second = TestHub()
    private let third = TestHub()
    private let stranger = TestHub()

    /// The second hub joins, the first one is removed, and a third one joins.
    private func history() throws -> [SignedHubList] {
        let pair = try HubList(founder: first.member).adding(second.member)
        let alone = try pair.removing(first.member.id)
        let replaced = try alone.adding(third.member)
        return [
            SignedHubList(pair, by: first.key), SignedHubList(alone, by: second.key),
            SignedHubList(replaced, by: second.key),
        ]
    }

    private func chain(_ lists: [SignedHubList]) throws -> HubListChain {
        HubListChain(try #require(lists.last), after: Array(lists.dropLast()))
    }

    private func refusal(_ pinned: inout PinnedHubs, _ chain: HubListChain) -> HubListError.Code? {
        let before = pinned
        do throws(HubListError) {
            _ = try pinned.take(chain)
            return nil
        } catch {
            #expect(pinned == before, "refused lists change something")
            return error.code
        }
    }

    @Test func aDeviceThatMissedListsFollowsThemToTheNewestOne() throws {
        let lists = try history()
        for count in 1...lists.count {
            let chain = try chain(Array(lists.prefix(count)))
            var pinned = PinnedHubs(joined: first.key.publicKey)
            let change = try pinned.take(chain)
            #expect(pinned.list == lists[count - 1])
            #expect(change.pinned == pinned.keys.filter { $0 != first.key.publicKey })
            #expect(change.unpinned == (count > 1 ? [first.key.publicKey] : []))
            #expect(try pinned.take(chain) == PinnedHubs.Change(), "the same chain changes something twice")
        }
    }

    @Test func aDeviceThatHasSomeOfTheListsTakesTheOthers() throws {
        let lists = try history()
        for known in lists {
            var pinned = try PinnedHubs(joined: first.key.publicKey, list: known.bytes)
            _ = try pinned.take(chain(lists))
            #expect(pinned.list == lists.last)
        }
        // One that has joined the second hub needn't believe the first one.
        var pinned = PinnedHubs(joined: second.key.publicKey)
        _ = try pinned.take(chain(lists))
        #expect(pinned.keys == [second.key.publicKey, third.key.publicKey])
    }

    @Test func aHubThatLeavesSignsTheListThatLeadsToTheOther() throws {
        let pair = try HubList(founder: first.member).adding(second.member)
        let alone = SignedHubList(try pair.removing(first.member.id), by: first.key)
        var pinned = PinnedHubs(joined: first.key.publicKey)
        #expect(refusal(&pinned, HubListChain(alone)) == .discontinuous)
        _ = try pinned.take(HubListChain(alone, after: [SignedHubList(pair, by: first.key)]))
        #expect(pinned.keys == [second.key.publicKey])
    }

    @Test func listsThatNoBelievedHubHasSignedAreRefused() throws {
        let lists = try history()
        let unsigned = lists.map { SignedHubList($0.list, by: stranger.key) }
        for index in lists.indices {
            var forged = lists
            forged[index] = unsigned[index]
            var pinned = PinnedHubs(joined: first.key.publicKey)
            // The device needs the first list and the last one. One between is passed over.
            #expect(refusal(&pinned, try chain(forged)) == (index == 1 ? nil : .forged), "list \(index)")
        }
        // Those of another house, and those whose beginning is missing.
        let others = try HubList(founder: stranger.member).adding(third.member)
        for chain in [HubListChain(SignedHubList(others, by: stranger.key)), try chain(Array(lists.dropFirst()))] {
            var pinned = PinnedHubs(joined: first.key.publicKey)
            #expect(refusal(&pinned, chain) == .forged)
            pinned = try PinnedHubs(joined: first.key.publicKey, list: SignedHubList(others, by: third.key).bytes)
            #expect(refusal(&pinned, try self.chain(Array(lists.dropFirst()))) != nil)
        }
    }

    @Test func olderListsThanTheKnownOneAreRefused() throws {
        let lists = try history()
        var pinned = PinnedHubs(joined: first.key.publicKey)
        _ = try pinned.take(chain(lists))
        for count in 1..<lists.count {
            #expect(refusal(&pinned, try chain(Array(lists.prefix(count)))) == .outdated)
        }
    }

    @Test func anotherListWithTheNumberOfTheKnownOneIsAFork() throws {
        let lists = try history()
        var pinned = try PinnedHubs(joined: first.key.publicKey, list: lists[0].bytes)
        let other = try HubList(founder: first.member).adding(stranger.member)
        #expect(refusal(&pinned, HubListChain(SignedHubList(other, by: first.key))) == .forked)
    }

    // MARK: Bytes

    @Test func aChainIsReadAsItWasWritten() throws {
        let lists = try history()
        let chain = try chain(lists)
        #expect(chain.lists == lists)
        #expect(try HubListChain(chain.bytes) == chain)
        let single = HubListChain(lists[0])
        #expect(try HubListChain(single.bytes) == single)
    }

    @Test func eachByteOfAChainCounts() throws {
        let pair = try HubList(founder: first.member).adding(second.member)
        let bytes = HubListChain(SignedHubList(pair, by: first.key)).bytes
        let joined = PinnedHubs(joined: first.key.publicKey)
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            var pinned = joined
            #expect(throws: HubListError.self, "byte \(index)") { _ = try pinned.take(HubListChain(altered)) }
            #expect(pinned == joined)
        }
        let empty = [[], Array("{}".utf8), Array(#"{"hubs":[],"lists":[]}"#.utf8)]
        for wrong in empty + [Array(bytes.dropLast()), bytes + [0]] {
            #expect(throws: HubListError.self) { try HubListChain(wrong) }
        }
    }

    @Test func aChainHasTheNewestListsThatFit() throws {
        // Each hub is replaced by the next one.
        let hubs = (0..<6).map { _ in TestHub() }
        var lists: [SignedHubList] = []
        var list = HubList(founder: hubs[0].member)
        for (hub, next) in zip(hubs, hubs.dropFirst()) {
            list = try list.adding(next.member)
            lists.append(SignedHubList(list, by: hub.key))
            list = try list.removing(hub.member.id)
            lists.append(SignedHubList(list, by: next.key))
        }
        let chain = try chain(lists)
        let members = Set(chain.lists.flatMap(\.list.members))
        #expect(members.count == HubListLimits.maximumChainHubs)
        #expect(members == Set(hubs.suffix(HubListLimits.maximumChainHubs).map(\.member)))
        #expect(chain.lists == Array(lists.suffix(chain.lists.count)) && chain.newest == lists.last)
        // A device that knows the oldest of these hubs follows; one that knows the hub before it must join again.
        let known = hubs.suffix(HubListLimits.maximumChainHubs + 1).map(\.key.publicKey)
        var follower = PinnedHubs(joined: known[1])
        #expect(refusal(&follower, chain) == nil)
        var late = PinnedHubs(joined: known[0])
        #expect(refusal(&late, chain) == .forged)
    }

    @Test func theLargestChainHasAsManyBytesAsTheLimit() throws {
        // The third hub comes and goes, with the largest numbers.
        let count = HubListLimits.maximumLists + 1
        var lists: [SignedHubList] = []
        for index in 0..<count {
            let members = [first.member, index % 2 == 0 ? second.member : third.member]
            let sequence = HubListLimits.maximumSequence - count + 1 + index
            lists.append(SignedHubList(try HubList(sequence: sequence, members: members), by: first.key))
        }
        let chain = try chain(lists)
        #expect(chain.lists == Array(lists.dropFirst()), "the oldest one is left out")
        #expect(chain.bytes.count == HubListLimits.maximumChainBytes)
        #expect(try HubListChain(chain.bytes) == chain)
        // One list or hub more isn't read, although its form is right.
        let text = String(decoding: chain.bytes, as: UTF8.self)
        let older = #"{"hubs":[0],"seq":1,"signature":"\#(Data(count: 64).base64EncodedString())"}"#
        let more = text.replacing(#""lists":["#, with: #""lists":[\#(older),"#)
        #expect(throws: HubListError.self) { try HubListChain(Array(more.utf8)) }
    }
}
