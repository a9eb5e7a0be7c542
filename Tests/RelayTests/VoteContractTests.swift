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

    @Test(arguments: [1, 2])
    func `a relay's database of a former version gets the tables`(version: Int) async throws {
        try await withFolder { folder in
            var fixture = StoreFixture(kind: .sqlite, folder: folder, store: try RelaySQLite(in: folder))
            _ = try await fixture.makeFeed()
            await fixture.store.close()
            let queue = try DatabaseQueue(path: folder.appending(path: "relay.sqlite").path)
            try await queue.writeWithoutTransaction { database in
                let later = version < 2 ? ["base", "base_piece", "voter", "batch"] : ["base", "base_piece"]
                for table in later { try database.execute(sql: "DROP TABLE \(table)") }
                try database.execute(sql: "PRAGMA user_version = \(version)")
            }
            try queue.close()
            for _ in 0..<2 {
                fixture.store = try RelaySQLite(in: folder)
                #expect(Self.isGranted(try await Self.ask(fixture, Self.voteRequest(1))) == true)
                #expect(await Self.baseRefusal(fixture) == .notFound)
                await fixture.store.close()
            }
        }
    }

    // MARK: States in place of batches

    private static func base(_ fixture: StoreFixture, as key: PublicKey? = nil) async throws -> BaseStatus {
        try await fixture.store.base(of: fixture.house, as: key ?? fixture.owner)
    }

    private static func baseRefusal(_ fixture: StoreFixture, as key: PublicKey? = nil) async -> RelayStoreError? {
        await refusal { _ = try await base(fixture, as: key) }
    }

    private static func piece(
        _ number: Int,
        of count: Int,
        at position: BatchPosition,
        lead: Int = 1,
        pair: Int64 = 1
    ) -> BasePiece {
        let bytes = Data([UInt8(truncatingIfNeeded: position.place), UInt8(truncatingIfNeeded: number)])
        return BasePiece(pair: pair, term: lead, position: position, piece: number, pieces: count, bytes: bytes)
    }

    private static func store(_ fixture: StoreFixture, _ piece: BasePiece, as key: PublicKey? = nil) async throws {
        try await fixture.store.setBasePiece(piece, in: fixture.house, as: key ?? fixture.owner, at: fixture.now)
    }

    @Test(arguments: StoreKind.allCases)
    func `once all its pieces are there, a state is in place of the batches up to it`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var fixture = fixture
            _ = try await fixture.makeFeed()
            let batches = (1...5).map { Self.batch($0, 1) }
            _ = try await Self.ask(fixture, Self.append(1, batches))
            let (third, fifth) = (batches[2].position, batches[4].position)
            let fetch = VoterMessage.fetchRequest(FetchRequest(after: .start))

            // What was begun for another position, or another number of pieces, is given up.
            try await Self.store(fixture, Self.piece(1, of: 2, at: batches[1].position))
            try await Self.store(fixture, Self.piece(1, of: 3, at: third))
            try await Self.store(fixture, Self.piece(2, of: 2, at: third))
            #expect(await Self.baseRefusal(fixture) == .notFound)
            #expect(Self.fetched(try await Self.ask(fixture, fetch))?.batches.count == 5)
            try await Self.store(fixture, Self.piece(1, of: 2, at: third))
            try await Self.store(fixture, Self.piece(1, of: 2, at: third))
            #expect(try await Self.base(fixture) == BaseStatus(place: 3, term: 1, pieces: 2))

            await fixture.store.close()
            fixture.store = try await kind.open(in: fixture.folder)
            let reply = try #require(Self.fetched(try await Self.ask(fixture, fetch)))
            #expect(reply.base == third && reply.batches.isEmpty)
            let rest = VoterMessage.fetchRequest(FetchRequest(after: third))
            #expect(Self.fetched(try await Self.ask(fixture, rest))?.batches == Array(batches[3...]))
            for number in 1...2 {
                let bytes = try await fixture.store.basePiece(number, at: third, of: fixture.house, as: fixture.owner)
                #expect(bytes == Self.piece(number, of: 2, at: third).bytes)
            }

            // A later one replaces it, and so do batches that nobody lacks.
            try await Self.store(fixture, Self.piece(1, of: 1, at: fifth))
            #expect(try await Self.base(fixture) == BaseStatus(place: 5, term: 1, pieces: 1))
            let former = await Self.refusal { [fixture] in
                _ = try await fixture.store.basePiece(1, at: third, of: fixture.house, as: fixture.owner)
            }
            #expect(former == .notFound)
            let older = await Self.refusal { [fixture] in
                try await Self.store(fixture, Self.piece(1, of: 1, at: batches[3].position))
            }
            #expect(older == .outdated(stored: 5))
            let last = Self.batch(6, 1)
            _ = try await Self.ask(fixture, Self.append(1, after: fifth, [last]))
            _ = try await Self.ask(fixture, Self.append(1, after: last.position, settled: 6))
            #expect(await Self.baseRefusal(fixture) == .notFound)
            await fixture.store.close()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a full relay goes on behind a state`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            var last = BatchPosition.start
            for place in 1...(ConsensusLimits.relayBytes / ConsensusLimits.batchBytes) {
                let batch = Self.batch(place, 1, size: ConsensusLimits.batchBytes)
                _ = try await Self.ask(fixture, Self.append(1, after: last, [batch]))
                last = batch.position
            }
            let next = Self.batch(last.place + 1, 1, size: ConsensusLimits.batchBytes)
            guard case .appendReply(let full) = try await Self.ask(fixture, Self.append(1, after: last, [next])) else {
                Issue.record("the relay doesn't answer")
                return
            }
            #expect(full.isFull)
            try await Self.store(fixture, Self.piece(1, of: 1, at: last))
            #expect(Self.place(try await Self.ask(fixture, Self.append(1, after: last, [next]))) == next.position.place)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `only the leader's state is taken, from an owner`(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let (position, stranger) = (BatchPosition(place: 1, term: 1), IdentityKey().publicKey)
            func refusal(_ piece: BasePiece, as key: PublicKey? = nil) async -> RelayStoreError? {
                await Self.refusal { try await Self.store(fixture, piece, as: key) }
            }
            #expect(await refusal(Self.piece(1, of: 1, at: position)) == .notFound, "no pair has voted yet")
            _ = try await Self.ask(fixture, Self.append(1, [Self.batch(1, 1)]), pair: 2)
            #expect(await refusal(Self.piece(1, of: 1, at: position, pair: 1)) == .outdated(stored: 2))
            #expect(await refusal(Self.piece(1, of: 1, at: position, pair: 3)) == .notFound)
            #expect(await refusal(Self.piece(1, of: 1, at: position, pair: 2), as: stranger) == .notFound)
            _ = try await Self.ask(fixture, Self.voteRequest(4, last: position), pair: 2)
            #expect(await refusal(Self.piece(1, of: 1, at: position, lead: 3, pair: 2)) == .outdated(stored: 4))
            #expect(await refusal(Self.piece(1, of: 1, at: position, lead: 4, pair: 2)) == nil)
            #expect(await Self.baseRefusal(fixture, as: stranger) == .notFound)
            // A later pair begins anew.
            _ = try await Self.ask(fixture, Self.voteRequest(1), pair: 3)
            #expect(await Self.baseRefusal(fixture) == .notFound)
        }
    }

    @Test func `a state has a limited number of pieces of a limited size`() throws {
        let (quota, position) = (HouseQuota.home, BatchPosition(place: 1, term: 1))
        try Self.piece(quota.basePieces, of: quota.basePieces, at: position).check(quota)
        let refusal = #expect(throws: RelayError.self) {
            try Self.piece(1, of: quota.basePieces + 1, at: position).check(quota)
        }
        #expect(refusal?.code == .quotaExceeded)
        var piece = Self.piece(1, of: 1, at: position)
        piece.bytes = Data(count: RelayLimits.vaultPieceBytes)
        try piece.check(quota)
        piece.bytes.append(0)
        #expect(throws: RelayError.self) { try piece.check(quota) }
        #expect(throws: RelayError.self) { try Self.piece(2, of: 1, at: position).check(quota) }
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

            // The relay answers with the state over HTTP, too.
            let state = Data(repeating: 7, count: RelayLimits.vaultPieceBytes)
            for number in 1...2 {
                let piece = BasePiece(
                    pair: 1,
                    term: 1,
                    position: batch.position,
                    piece: number,
                    pieces: 2,
                    bytes: state
                )
                try await hub.setBasePiece(piece, in: relay.house)
            }
            #expect(try await hub.base(of: relay.house) == BaseStatus(place: 1, term: 1, pieces: 2))
            #expect(try await hub.basePiece(2, at: batch.position, of: relay.house) == state)
            let large = BasePiece(
                pair: 1,
                term: 1,
                position: BatchPosition(place: 2, term: 1),
                piece: 1,
                pieces: 2,
                bytes: state + [0]
            )
            let tooLarge = await RelayTests.refusal { try await hub.setBasePiece(large, in: relay.house) }
            #expect(tooLarge != nil)

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
