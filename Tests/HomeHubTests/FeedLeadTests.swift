import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import PeerProcess
import Replication
import SealedFeed
import Testing

@testable import HomeHub

/// What two hubs know of their feeds: who may have written to them, which the one that leads stores before it writes, and where they
/// are.
struct FeedLeadTests {
    /// Runs a body with a hub, and the connection of an agent that has given its keys.
    ///
    /// - Parameter url: The relay at which the hub keeps feeds; `nil` for none.
    private static func run(
        relay url: String?,
        _ body: (HomeHub, RecordingHubClient, MemoryRelay) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let relay = MemoryRelay()
                try await hub.startSync { _, _ in relay }
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                let device = FeedDevice()
                _ = try await device.add(by: client)
                if let url { _ = try await client.call(HubMethods.enableSync, EnableSync(relay: url)) }
                let agent = try await device.agent(hub)
                _ = try await agent.call(HubMethods.openFeed, device.keys)
                try await body(hub, agent, relay)
            }
        }
    }

    /// Runs a body with a hub that keeps a feed, has got another hub beside it, and has just failed to store that.
    private static func runWithOther(_ body: (HomeHub, HubMember, MemoryRelay) async throws -> Void) async throws {
        try await run(relay: "https://relay.example") { hub, _, relay in
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

    /// Lets a hub follow, stores something as the hub that leads does, and waits until an agent is told of a place.
    private static func follow(
        _ hub: HomeHub,
        _ agent: RecordingHubClient,
        storing changes: ((inout StoredSync) -> Void)...,
        until isTold: (FeedLocation) -> Bool
    ) async throws {
        hub.sync.change(to: .withoutLeader)
        await hub.sync.inTurn { _ in }
        var stored = try await StoredSync.load(from: hub.store)
        for change in changes {
            change(&stored)
            try await stored.save(by: hub.changes)
            hub.sync.reload()
        }
        try await Wait.until("the agent is told") {
            agent.messages.contains { message in
                if case .event(.feed(let standing)) = message { standing.location.map(isTold) ?? false } else { false }
            }
        }
    }

    @Test func aLeaderThatCannotStoreItTriesAgainAndWritesThen() async throws {
        try await Self.runWithOther { hub, other, relay in
            let count = relay.headers.count
            try await relay.state.until { $0.entries.count > count }
            #expect(try await StoredSync.load(from: hub.store).hubs?[other.id] == other.key)
        }
    }

    @Test func aHubThatWasRemovedBeforeItWasStoredHasWrittenEntriesNevertheless() async throws {
        try await Self.runWithOther { hub, other, _ in
            try await hub.hubTable.remove(other.id, by: hub.identity)
            hub.sync.endPair()
            let lead = await hub.sync.inTurn { desk in await desk.feedLead() }
            #expect(lead?.hubs == [hub.owner.device: hub.identity.publicKey, other.id: other.key])
        }
    }

    @Test func aHubThatFollowsTellsItsDevicesOfTheRelaysOtherKey() async throws {
        let url = "https://relay.example#pin=AAAAAAAAAAAAAAAAAAAAAA"
        let both = url + "&pin=BAAAAAAAAAAAAAAAAAAAAA"
        try await Self.run(relay: url) { hub, agent, _ in
            try await Self.follow(hub, agent) {
                $0.place = $0.place.map { RelayPlace(relay: both, house: $0.house, token: $0.token) }
            } until: {
                $0.relay == both
            }
        }
    }

    @Test func aHubThatFollowsTellsItsDevicesOfFeedsThatTheLeaderBegins() async throws {
        try await Self.run(relay: nil) { hub, agent, _ in
            let (user, feed) = (hub.owner.user, FeedID.random())
            // The relay comes first, and then the feed.
            try await Self.follow(
                hub,
                agent,
                storing: { $0.place = RelayPlace(relay: "https://relay.example", house: .random()) },
                { $0.feeds[user] = feed },
                until: { $0.feed == "\(feed)" }
            )
        }
    }
}
