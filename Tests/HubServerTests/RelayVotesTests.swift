import Consensus
import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import RelayClient
import Replication
import Testing

@testable import HubServer

/// A hub whose other hub is off, with a relay over HTTP.
struct RelayVotesTests {
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
}
