import Consensus
import Foundation
import GRDB
import HomeIdentity
import Relay
import RelayAPI
import RelayClient
import Testing

/// The relay as a voter: what every store must do, and what HTTP clients get.
struct VoteContractTests {
    private static let hub = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    private static let other = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))

    private static func voteRequest(_ term: Int, last: BatchPosition = .start, isTrial: Bool = false) -> VoterMessage {
        .voteRequest(VoteRequest(term: term, last: last, isTrial: isTrial))
    }

    private static func append(
        _ term: Int,
        after previous: BatchPosition = .start,
        _ batches: [Batch] = [],
        settled: Int = 0
    ) -> VoterMessage {
        .appendRequest(
            Consensus.AppendRequest(
                term: term,
                previous: previous,
                batches: batches,
                committed: settled,
                settled: settled
            )
        )
    }

    private static func batch(_ place: Int, _ term: Int, size: Int = 3) -> Batch {
        Batch(BatchPosition(place: place, term: term), bytes: [UInt8](repeating: UInt8(place % 256), count: size))
    }

    private static func ask(
        _ fixture: StoreFixture,
        _ message: VoterMessage,
        from hub: UUID = hub,
        pair: Int64 = 1,
        hasLeader: Bool = false,
        as key: PublicKey? = nil
    ) async throws -> VoterMessage {
        let call = try #require(VoteCall(message, from: hub, pair: pair, hasLeader: hasLeader))
        return try await fixture.store.vote(call, in: fixture.house, as: key ?? fixture.owner, at: fixture.now)
    }

    private static func isGranted(_ answer: VoterMessage) -> Bool? {
        if case .voteReply(let reply) = answer { reply.isGranted } else { nil }
    }

    private static func place(_ answer: VoterMessage) -> Int? {
        if case .appendReply(let reply) = answer, reply.isMatch { reply.place } else { nil }
    }

    private static func fetched(_ answer: VoterMessage) -> FetchReply? {
        if case .fetchReply(let reply) = answer { reply } else { nil }
    }

    private static func refusal(_ body: () async throws -> Void) async -> RelayStoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RelayStoreError ?? .failure("\(error)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a vote is given once a term, also after a restart`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var fixture = fixture
            _ = try await fixture.makeFeed()
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1, isTrial: true))) == true)
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1))) == true)
            await fixture.store.close()
            fixture.store = try await kind.open(in: fixture.folder)
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1), from: Self.other)) == false)
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1))) == true)
            let trial = Self.voteRequest(2, isTrial: true)
            #expect(Self.isGranted(try await Self.ask(fixture, trial, hasLeader: true)) == false)
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(2), from: Self.other)) == true)
            await fixture.store.close()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `batches are kept, replaced by a later leader's, read and discarded`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var fixture = fixture
            _ = try await fixture.makeFeed()
            let batches = (1...5).map { Self.batch($0, 1) }
            #expect(Self.place(try await Self.ask(fixture, Self.append(1, batches))) == 5)
            #expect(Self.place(try await Self.ask(fixture, Self.append(1, batches))) == 5, "a repeated message")
            // A hub that lacks them isn't elected.
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(2), from: Self.other)) == false)
            let replaced = [Self.batch(4, 3)]
            let after = batches[2].position
            #expect(Self.place(try await Self.ask(fixture, Self.append(3, after: after, replaced))) == 4)
            #expect(Self.place(try await Self.ask(fixture, Self.append(1, after: after, [batches[3]]))) == nil)

            await fixture.store.close()
            fixture.store = try await kind.open(in: fixture.folder)
            let fetch = VoterMessage.fetchRequest(FetchRequest(after: batches[0].position))
            let reply = try #require(Self.fetched(try await Self.ask(fixture, fetch)))
            #expect(reply.batches == batches[1...2] + replaced)
            #expect(reply.last == replaced[0].position && reply.base == nil)

            let settled = Self.append(3, after: replaced[0].position, settled: 3)
            #expect(Self.place(try await Self.ask(fixture, settled)) == 4)
            let rest = try #require(Self.fetched(try await Self.ask(fixture, fetch)))
            #expect(rest.base == batches[2].position && rest.batches.isEmpty)
            await fixture.store.close()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `only owners vote, and a later pair begins anew`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let stranger = IdentityKey().publicKey
            #expect(
                await Self.refusal { _ = try await Self.ask(fixture, Self.voteRequest(1), as: stranger) } == .notFound
            )
            #expect(Self.place(try await Self.ask(fixture, Self.append(7, [Self.batch(1, 7)]))) == 1)
            #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1), pair: 2)) == true)
            let fetch = VoterMessage.fetchRequest(FetchRequest(after: .start))
            #expect(Self.fetched(try await Self.ask(fixture, fetch, pair: 2))?.last == .start)
            #expect(
                await Self.refusal { _ = try await Self.ask(fixture, Self.voteRequest(8)) } == .outdated(stored: 2)
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a relay that has as many batches as it may asks for a base`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let size = ConsensusLimits.batchBytes
            let count = ConsensusLimits.relayBytes / size
            var last = BatchPosition.start
            for place in 1...count {
                let batch = Self.batch(place, 1, size: size)
                #expect(Self.place(try await Self.ask(fixture, Self.append(1, after: last, [batch]))) == place)
                last = batch.position
            }
            let more = Self.append(1, after: last, [Self.batch(count + 1, 1)])
            guard case .appendReply(let reply) = try await Self.ask(fixture, more) else { return }
            #expect(reply.isFull && reply.place == count)
            let some = VoterMessage.fetchRequest(FetchRequest(after: .start))
            let fetched = try #require(Self.fetched(try await Self.ask(fixture, some)))
            #expect(fetched.batches.count == 1, "as much as a message takes")
            #expect(fetched.batches.first?.bytes.count == size)
        }
    }

    @Test func `messages that are no requests are not taken`() {
        let reply = VoteReply(term: 1, requestTerm: 1, isTrial: false, isGranted: true, last: .start)
        #expect(VoteCall(.voteReply(reply), from: Self.hub, pair: 1, hasLeader: false) == nil)
    }

    @Test func `a relay's database of the former version gets the tables`() async throws {
        try await withFolder { folder in
            var fixture = StoreFixture(kind: .sqlite, folder: folder, store: try RelaySQLite(in: folder))
            _ = try await fixture.makeFeed()
            await fixture.store.close()
            let queue = try DatabaseQueue(path: folder.appending(path: "relay.sqlite").path)
            try await queue.writeWithoutTransaction { database in
                try database.execute(sql: "DROP TABLE voter; DROP TABLE batch; PRAGMA user_version = 1")
            }
            try queue.close()
            for _ in 0..<2 {
                fixture.store = try RelaySQLite(in: folder)
                #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1))) == true)
                await fixture.store.close()
            }
        }
    }

    @Test func `hubs vote over HTTP`() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let batch = Self.batch(1, 1, size: 300_000)
            let answer = try await hub.vote(Self.append(1, [batch]), from: Self.hub, pair: 1, in: relay.house)
            #expect(Self.place(answer) == 1)
            // The leader was just heard, and the other hub lacks its batch.
            let trial = Self.voteRequest(2, last: batch.position, isTrial: true)
            let vote = try await hub.vote(trial, from: Self.other, pair: 1, in: relay.house)
            #expect(Self.isGranted(vote) == false)
            let fetch = VoterMessage.fetchRequest(FetchRequest(after: .start))
            let reply = try await hub.vote(fetch, from: Self.other, pair: 1, in: relay.house)
            #expect(Self.fetched(reply)?.batches == [batch])

            let stranger = try relay.client(IdentityKey())
            let code = await RelayTests.refusal {
                _ = try await stranger.vote(fetch, from: Self.hub, pair: 1, in: relay.house)
            }
            #expect(code == .notFound)
            let outdated = await RelayTests.refusal {
                _ = try await hub.vote(trial, from: Self.hub, pair: 0, in: relay.house)
            }
            #expect(outdated == .conflict)
            let no = VoteReply(term: 1, requestTerm: 1, isTrial: false, isGranted: true, last: .start)
            let malformed = await RelayTests.refusal {
                _ = try await hub.vote(.voteReply(no), from: Self.hub, pair: 1, in: relay.house)
            }
            #expect(malformed == .malformed)
        }
    }
}
