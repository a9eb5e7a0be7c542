import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import PeerProcess
import Replication
import SealedFeed
import Testing

@testable import HomeHub

/// Who may have written to the feeds of two hubs, which the one that leads stores before it writes.
struct FeedLeadTests {
    /// Runs a body with a hub that keeps a feed, has got another hub beside it, and has just failed to store that.
    private static func run(_ body: (HomeHub, HubMember, MemoryRelay) async throws -> Void) async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let relay = MemoryRelay()
                try await hub.startSync { _, _ in relay }
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                let device = FeedDevice()
                _ = try await device.add(by: client)
                _ = try await client.call(HubMethods.enableSync, EnableSync(relay: "https://relay.example"))
                _ = try await device.agent(hub).call(HubMethods.openFeed, device.keys)
                try await relay.state.until { !$0.entries.isEmpty }
                let own = HubMember(id: hub.owner.device, key: hub.identity.publicKey, box: BoxKey().publicBox)
                let other = HubMember(id: UUID(), key: IdentityKey().publicKey, box: BoxKey().publicBox)
                try await hub.hubTable.add(other, founder: own, by: hub.identity)
                let busy = BusyOnce(writer: hub.changes.writer)
                hub.sync.change(to: .withoutLeader)
                hub.changes.use(busy)
                hub.sync.change(to: .leading(term: 1))
                try await busy.isRefused.until(\.self)
                try await body(hub, other, relay)
            }
        }
    }

    @Test func aLeaderThatCannotStoreItTriesAgainAndWritesThen() async throws {
        try await Self.run { hub, other, relay in
            let count = relay.headers.count
            try await relay.state.until { $0.entries.count > count }
            #expect(try await StoredSync.load(from: hub.store).hubs?[other.id] == other.key)
        }
    }

    @Test func aHubThatFollowsTellsItsDevicesOfTheRelaysOtherKey() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let relay = MemoryRelay()
                try await hub.startSync { _, _ in relay }
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                let device = FeedDevice()
                _ = try await device.add(by: client)
                let url = "https://relay.example#pin=AAAAAAAAAAAAAAAAAAAAAA"
                _ = try await client.call(HubMethods.enableSync, EnableSync(relay: url))
                let agent = try await device.agent(hub)
                _ = try await agent.call(HubMethods.openFeed, device.keys)
                hub.sync.change(to: .withoutLeader)
                // As the hub that leads stores it.
                await hub.sync.inTurn { _ in }
                var stored = try await StoredSync.load(from: hub.store)
                let both = url + "&pin=BAAAAAAAAAAAAAAAAAAAAA"
                stored.place = stored.place.map { RelayPlace(relay: both, house: $0.house, token: $0.token) }
                try await stored.save(by: hub.changes)
                hub.sync.reload()
                try await Wait.until("the agent is told") {
                    agent.messages.contains { message in
                        if case .event(.feed(let standing)) = message {
                            standing.location?.relay == both
                        } else {
                            false
                        }
                    }
                }
            }
        }
    }

    @Test func aHubThatFollowsTellsItsDevicesOfFeedsThatTheLeaderBegins() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                try await hub.startSync { _, _ in MemoryRelay() }
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                let device = FeedDevice()
                _ = try await device.add(by: client)
                let agent = try await device.agent(hub)
                _ = try await agent.call(HubMethods.openFeed, device.keys)
                hub.sync.change(to: .withoutLeader)
                await hub.sync.inTurn { _ in }
                // As the hub that leads stores it: the relay first, and then the feed.
                var stored = try await StoredSync.load(from: hub.store)
                stored.place = RelayPlace(relay: "https://relay.example", house: .random())
                try await stored.save(by: hub.changes)
                hub.sync.reload()
                let feed = FeedID.random()
                stored.feeds[hub.owner.user] = feed
                try await stored.save(by: hub.changes)
                hub.sync.reload()
                try await Wait.until("the agent is told") {
                    agent.messages.contains { message in
                        if case .event(.feed(let standing)) = message {
                            standing.location?.feed == "\(feed)"
                        } else {
                            false
                        }
                    }
                }
            }
        }
    }

    @Test func aHubThatWasRemovedBeforeItWasStoredHasWrittenEntriesNevertheless() async throws {
        try await Self.run { hub, other, _ in
            try await hub.hubTable.remove(other.id, by: hub.identity)
            hub.sync.endPair()
            let lead = await hub.sync.inTurn { desk in await desk.feedLead() }
            #expect(lead?.hubs == [hub.owner.device: hub.identity.publicKey, other.id: other.key])
        }
    }
}
