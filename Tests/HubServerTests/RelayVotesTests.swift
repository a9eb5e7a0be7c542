import Consensus
import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import RelayAPI
import RelayClient
import Replication
import Testing

@testable import HubServer

/// A hub whose other hub is off, with a relay over HTTP.
@Suite(.onePairAtATime) struct RelayVotesTests {
    /// What the hub is told.
    private actor Receiver: BatchReceiver {
        private var isLeading = false
        private var waiters: [CheckedContinuation<Void, Never>] = []

        func receive(_ batches: [AppliedBatch]) async {}
        func reload() async {}
        func fail(_ error: StoreError) async { Issue.record("the store failed: \(error)") }

        func change(to role: HubRole) async {
            guard case .leading = role else { return isLeading = false }
            isLeading = true
            for waiter in waiters { waiter.resume() }
            waiters = []
        }

        func lead() async {
            if !isLeading { await withCheckedContinuation { waiters.append($0) } }
        }
    }

    /// A hub whose other hub is always off.
    private struct Alone {
        let store: HomeStore
        let replicator: Replicator
        let receiver = Receiver()

        /// Starts a hub on a folder, which is one of two hubs from now on.
        init(in folder: URL, _ pair: HubPair, _ keys: BatchKeys, _ votes: RelayVotes) async throws {
            store = try await HomeStore.open(at: folder)
            if try await store.voterState() == nil { try await store.beginPair() }
            replicator = try await Replicator(
                pair: pair,
                store: store,
                keys: keys,
                link: NoHub(),
                relay: votes,
                receiver: receiver
            )
            await replicator.start()
            await receiver.lead()
        }

        func stop() async throws {
            await replicator.stop()
            try await store.close()
        }
    }

    private struct NoHub: PairedHub {
        func send(_ message: [UInt8]) {}
        func sendBase(_ file: URL, term: Int) async throws -> BatchPosition { throw CancellationError() }
    }

    @Test func `a hub leads with the relay alone, and the relay keeps its changes sealed`() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let (key, house, hub) = (IdentityKey(), HouseID.random(), UUID())
                let client = try RelayClient(relay.url, as: key)
                try await client.register(house, owners: [key.publicKey])
                let votes = RelayVotes(client, house: house, hub: hub, pair: 1)
                let store = try await HomeStore.open(at: folder.appending(path: "hub"))
                try await store.beginPair()
                let receiver = Receiver()
                let replicator = try await Replicator(
                    pair: HubPair(own: hub, other: UUID()),
                    store: store,
                    keys: BatchKeys(),
                    link: NoHub(),
                    relay: votes,
                    receiver: receiver
                )
                await replicator.start()
                await receiver.lead()
                let state = StateKey(.run, home: hub, id: hub)
                let secret = Array("what nobody else reads".utf8)
                try await replicator.setStates([state: secret])
                #expect(try await store.states(.run) == [state: secret])

                // Another hub finds it there, and can't read it.
                let other = RelayVotes(client, house: house, hub: UUID(), pair: 1)
                let fetch = VoterMessage.fetchRequest(FetchRequest(after: .start))
                guard case .fetchReply(let reply)? = await other.answer(fetch) else {
                    Issue.record("the relay doesn't answer")
                    return
                }
                #expect(reply.batches.count == 2)
                #expect(reply.batches.allSatisfy { $0.bytes.firstRange(of: secret) == nil })
                #expect(await other.answer(.fetchReply(reply)) == nil)
                await replicator.stop()
                try await store.close()
            }
        }
    }

    @Test func `a hub goes on although the other one is off for long, which gets the state from the relay`()
        async throws
    {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let (owners, house) = ([IdentityKey(), IdentityKey()], HouseID.random())
                let clients = try owners.map { try RelayClient(relay.url, as: $0) }
                try await clients[0].register(house, owners: owners.map(\.publicKey))
                let (first, second, keys) = (UUID(), UUID(), BatchKeys())
                let one = try await Alone(
                    in: folder.appending(path: "one"),
                    HubPair(own: first, other: second),
                    keys,
                    RelayVotes(clients[0], house: house, hub: first, pair: 1)
                )
                // More than the relay keeps, in one value that is replaced, and then something small.
                let large = StateKey(.run, home: first, id: first)
                let secret = Array("what nobody else reads".utf8)
                let size = ConsensusLimits.batchBytes - 4_096
                let count = ConsensusLimits.relayBytes / size + 3
                for number in 0..<count {
                    let filler = [UInt8](repeating: UInt8(number % 256), count: size)
                    try await one.replicator.setStates([large: secret + filler])
                }
                let small = StateKey(.run, home: second, id: second)
                try await one.replicator.setStates([small: [1]])
                let states = try await one.store.states(.run)
                let base = try await clients[1].base(of: house)
                #expect(base.place > 1 && base.pieces > 1)
                let position = BatchPosition(place: base.place, term: base.term)
                for number in 1...base.pieces {
                    let piece = Array(try await clients[1].basePiece(number, at: position, of: house))
                    #expect(piece.firstRange(of: secret) == nil && piece.firstRange(of: Array("SQLite".utf8)) == nil)
                }
                try await one.stop()

                // The first hub is gone, and the second one has nothing but what the relay has.
                let two = try await Alone(
                    in: folder.appending(path: "two"),
                    HubPair(own: second, other: first),
                    keys,
                    RelayVotes(clients[1], house: house, hub: second, pair: 1)
                )
                #expect(try await two.store.states(.run) == states)
                try await two.replicator.setStates([small: [2]])
                #expect(try await two.store.states(.run)[small] == [2])
                try await two.stop()
            }
        }
    }
}
