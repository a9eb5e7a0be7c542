import Foundation
import HomeIdentity
import PeerProcess
import Testing

@testable import SealedFeed

/// `Tests/Peers/sealed_feed.py`, a reader in another language with other libraries, reads what our writer writes.
@Suite struct FeedPeerTests {
    private struct Question: Encodable {
        var hub: String
        var seed: String
        var envelope: String
        var entries: [String]
        var beat: String
    }

    private struct Reply: Decodable, Sendable {
        var error: String?
        var box: String?
        var seen: FeedCursors?
        var events: [String]?
        var parts: [Int]?
        var isBase: Bool?
        var time: Int?
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    private static func ask(_ process: PeerProcess, _ question: Question) async throws -> Reply {
        try process.send(String(decoding: try JSONEncoder().encode(question), as: UTF8.self))
        return try await process.json(Reply.self, "the reply") { _ in true }
    }

    @Test func anotherReaderOpensOurEnvelopeAndEntries() async throws {
        let process = try PeerPython.start("sealed_feed.py")
        let device = FeedDevice()
        var hub = FeedHub(devices: [device.id: device.box.publicBox])
        var relay = RelayMemory()
        hub.numbers = [1, 2, 3]
        hub.eventBytes = 300_000
        try hub.publish(to: &relay)
        #expect(relay.entries.count == 2)
        let question = Question(
            hub: Self.hexadecimal(hub.key.publicKey.bytes),
            seed: Self.hexadecimal(device.box.seed),
            envelope: Self.hexadecimal(try #require(relay.envelopes.first).bytes),
            entries: relay.entries.map(Self.hexadecimal),
            beat: Self.hexadecimal(hub.writer.beat(at: 5).bytes)
        )
        let reply = try await Self.ask(process, question)
        #expect(reply.error == nil)
        #expect(reply.box == Self.hexadecimal(device.box.publicBox.bytes))
        #expect(reply.seen == hub.seen)
        #expect(reply.events?.map { Array($0.utf8) } == (try hub.content(isBase: true).events))
        #expect(reply.parts == [1, 2] && reply.isBase == true && reply.time == 5)

        // It refuses what was altered, and what is for another box.
        var altered = question
        altered.entries[1].replaceSubrange(altered.entries[1].index(before: altered.entries[1].endIndex)..., with: "")
        altered.entries[1].append(question.entries[1].last == "0" ? "1" : "0")
        #expect(try await Self.ask(process, altered).error == "InvalidSignature")
        altered = question
        altered.seed = Self.hexadecimal(BoxKey().seed)
        #expect(try await Self.ask(process, altered).error == "InvalidTag")
        altered = question
        altered.hub = Self.hexadecimal(IdentityKey().publicKey.bytes)
        #expect(try await Self.ask(process, altered).error == "InvalidSignature")
        _ = await process.terminate()
    }

    private struct ListsQuestion: Encodable {
        var hub: String
        var seed: String
        var device: String
        var lists: String
    }

    private struct ListsReply: Decodable, Sendable {
        var error: String?
        var hubs: [String]?
        var recipient: String?
    }

    @Test func anotherReaderFollowsOurListsOfHubs() async throws {
        let process = try PeerPython.start("sealed_feed.py")
        func ask(_ question: ListsQuestion) async throws -> ListsReply {
            try process.send(String(decoding: try JSONEncoder().encode(question), as: UTF8.self))
            return try await process.json(ListsReply.self, "the reply") { _ in true }
        }
        let keys = (0..<3).map { _ in IdentityKey() }
        let members = keys.map { HubMember(id: UUID(), key: $0.publicKey, box: BoxKey().publicBox) }
        let pair = try HubList(founder: members[0]).adding(members[1])
        let alone = try pair.removing(members[0].id)
        let lists = HubListChain(
            SignedHubList(try alone.adding(members[2]), by: keys[1]),
            after: [SignedHubList(pair, by: keys[0]), SignedHubList(alone, by: keys[1])]
        )
        let device = FeedDevice()
        let address = FeedAddress(house: .random(), feed: .random())
        let sealed = try #require(
            SealedHubLists(lists, generation: 5, of: address, to: device.id, device.box.publicBox)
        )
        let question = ListsQuestion(
            hub: Self.hexadecimal(keys[0].publicKey.bytes),
            seed: Self.hexadecimal(device.box.seed),
            device: device.id.uuidString,
            lists: Self.hexadecimal(sealed.bytes)
        )
        let reply = try await ask(question)
        #expect(reply.error == nil)
        #expect(reply.hubs == [keys[1], keys[2]].map { Self.hexadecimal($0.publicKey.bytes) })
        #expect(reply.recipient == SealedHubLists.recipient(for: device.id).uuidString)

        // It refuses those of other hubs, for another box, and altered ones.
        var altered = question
        altered.hub = Self.hexadecimal(IdentityKey().publicKey.bytes)
        #expect(try await ask(altered).error == "AssertionError")
        altered = question
        altered.seed = Self.hexadecimal(BoxKey().seed)
        #expect(try await ask(altered).error == "InvalidTag")
        altered = question
        altered.lists.removeLast()
        altered.lists.append(question.lists.last == "0" ? "1" : "0")
        #expect(try await ask(altered).error == "InvalidTag")
        _ = await process.terminate()
    }
}
