import Consensus
import Foundation
import HomeModel
import HomeStore
import Testing

/// The bytes of a batch.
@Suite struct BatchContentTests {
    private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    private func content() throws -> BatchContent {
        var log = TestLog()
        let request = RequestKey(sender: log.caller.user, app: "app", key: UUID())
        let receipt = RequestReceipt(request: request, digest: [1, 2], reply: Array("{}".utf8))
        let first = try BatchDraft(log.next("Küche", receipt: receipt))
        let second = try BatchDraft(log.next())
        var claim = FiringClaim(home: log.id, trigger: Self.id, occurrence: "08:00", time: Date(milliseconds: 12_345))
        let state = StateKey(.run, home: log.id, id: Self.id)
        let alone = claim
        claim.hub = Self.id
        claim.term = 7
        return BatchContent([
            .append([first, second], removing: [.home(Self.id), .account(Self.id)]),
            .claim([claim, alone], updating: [1: [state: [1, 2, 3]]]),
            .complete(claim, updating: [state: nil]),
            .setStates([StateKey(.presence, home: log.id, id: Self.id): []]),
            .setSecrets([
                SecretKey(kind: .invitation, log: .home(log.id), name: "02:00:00:00:00:01"): [9],
                SecretKey(kind: .invitation, log: nil, name: "x"): nil,
            ]),
            .setMetadata(.hubUser, "Ann"),
            .part([1, 2, 3], isLast: false),
            .part([], isLast: true),
            .setMetadata(.generation, nil),
        ])
    }

    @Test func `what was encoded is read as it was`() throws {
        let content = try content()
        #expect(BatchContent(try content.encoded()) == content)
        let empty = BatchContent([BatchContent.Step]())
        #expect(BatchContent(try empty.encoded()) == empty)
    }

    @Test func `only the first entry of a log draws a lineage`() throws {
        var log = TestLog()
        #expect(try BatchDraft(log.next()).lineage != nil)
        #expect(try BatchDraft(log.next()).lineage == nil)
    }

    @Test func `bytes that are cut off or have something after them are no content`() throws {
        let bytes = try content().encoded()
        for count in 0..<bytes.count { #expect(BatchContent(Array(bytes.prefix(count))) == nil) }
        #expect(BatchContent(bytes + [0]) == nil)
    }

    @Test func `flipped bytes are other content or none`() throws {
        let content = try content()
        var bytes = try content.encoded()
        for index in bytes.indices {
            bytes[index] ^= 0x81
            #expect(BatchContent(bytes) != content)
            bytes[index] ^= 0x81
        }
    }

    @Test func `a number of items that nobody could send needs no memory`() {
        var writer = FieldWriter(bytes: [1])
        writer.add(ConsensusLimits.maximumNumber - 1)
        #expect(BatchContent(writer.bytes) == nil)
    }

    @Test func `a claim's occurrence has the limit of the store`() throws {
        let length = FiringLimits.occurrenceLength
        for (count, isRead) in [(length, true), (length + 1, false)] {
            let name = String(repeating: "x", count: count)
            let claim = FiringClaim(home: Self.id, trigger: Self.id, occurrence: name, time: Date(milliseconds: 0))
            let bytes = try BatchContent([.claim([claim], updating: [:])]).encoded()
            #expect((BatchContent(bytes) != nil) == isRead)
        }
    }
}
