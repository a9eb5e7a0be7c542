import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import FeedFollowing
import HubNetwork
import LocalRPC
import PeerProcess
import RelayClient
import Replication
import SealedFeed
import Testing

@testable import HomeHub
@testable import HubServer

/// Two hubs that keep their homes the same.
@Suite(.onePairAtATime) struct HubPairTests {
    /// Lets a hub join the hub of a folder, which has a home then.
    ///
    /// - Parameters:
    ///   - start: The time at which manual clocks begin; `nil` for the system's clock.
    ///   - furnish: What is done with the home before.
    static func join(
        _ second: URL,
        _ one: URL,
        from start: Date? = nil,
        furnish: (RunningHub, UUID) async throws -> Void = { _, _ in }
    ) async throws -> (port: Int, home: UUID) {
        let joined = try await RunningHub.start(one, from: start).run { first in
            let home = try await first.addHome("Villa")
            try await furnish(first, home)
            try await first.letJoin(second)
            return (port: try #require(await first.network.port), home: home)
        }
        if let start { try await RunningHub.setClock(of: second, to: start) }
        return joined
    }

    /// Adds a room at whichever of some hubs leads, as soon as one does.
    private static func add(_ room: String, in home: UUID, at hubs: [RunningHub]) async throws {
        try await Wait.until("“\(room)” is added") {
            for hub in hubs {
                let owner = try await hub.owner()
                _ = try? await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: room)))
                owner.close()
                // One whose outcome wasn't known may be there too.
                if await names(of: home, at: hub).contains(room) { return true }
            }
            return false
        }
    }

    private static func names(of home: UUID, at hub: RunningHub) async -> Set<String> {
        Set(await hub.hub.database.stored.homes[home]?.rooms.map(\.name) ?? [])
    }

    /// Waits until all hubs have a room.
    private static func have(_ room: String, in home: UUID, _ hubs: [RunningHub]) async throws {
        for hub in hubs {
            try await Wait.until("“\(room)” is at both hubs") { await names(of: home, at: hub).contains(room) }
        }
    }

    @Test func aChangeAtTheLeaderIsAtTheOtherHub() async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            let (port, home) = try await Self.join(two, one)
            try await RunningHub.start(one, port: port).run { first in
                // Without a relay, one of two hubs agrees with nobody.
                let owner = try await first.owner()
                let error = await #expect(throws: HubError.self) {
                    try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
                }
                #expect(error?.code == .noLeader)
                owner.close()
                try await RunningHub.start(two).run { second in
                    #expect(await second.hub.database.home(home) != nil)
                    try await Self.add("Cellar", in: home, at: [first, second])
                    try await Self.have("Cellar", in: home, [first, second])
                    let states = [await first.hub.database.stored, await second.hub.database.stored]
                    #expect(states[0].revisions == states[1].revisions)
                    #expect(states[0].lineages == states[1].lineages)
                }
            }
            // It is in each folder.
            for place in [one, two] {
                try await RunningHub.start(place).run { hub in try await Self.have("Cellar", in: home, [hub]) }
            }
        }
    }

    @Test func theOtherHubTakesOverWhenTheLeaderIsGone() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let (port, home) = try await Self.join(two, one)
                let house = RunningHub.House(relay: relay.url)
                try await RunningHub.start(two, voting: house).run { second in
                    try await RunningHub.start(one, port: port, voting: house).run { first in
                        try await Self.add("Cellar", in: home, at: [first, second])
                        try await Self.have("Cellar", in: home, [first, second])
                    }
                    // Whether it led or not, the other one goes on with the relay.
                    try await Self.add("Attic", in: home, at: [second])
                    try await RunningHub.start(one, port: port, voting: house).run { first in
                        try await Self.have("Attic", in: home, [first])
                        try await Self.add("Loft", in: home, at: [first, second])
                        try await Self.have("Loft", in: home, [first, second])
                    }
                }
            }
        }
    }

    /// Reads a feed until it has a room.
    private static func read(_ room: String, in home: UUID, _ follower: inout FeedFollower) async throws {
        try await Wait.until("“\(room)” is in the feed") {
            // The relay knows neither the feed nor the device at once.
            try? await follower.read()
            return follower.view.homes[home]?.rooms.contains { $0.name == room } == true
        }
    }

    /// The hub that leads, and the other one.
    private static func leader(of hubs: [RunningHub]) async throws -> (leader: RunningHub, other: RunningHub) {
        var found: Int?
        try await Wait.until("one of the hubs leads") {
            for (index, hub) in hubs.enumerated() { if case .leading? = await hub.role { found = index } }
            return found != nil
        }
        let index = try #require(found)
        return (hubs[index], hubs[1 - index])
    }

    @Test func feedsGoOnAtTheOtherHub() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let (port, home) = try await Self.join(two, one)
                let house = RunningHub.House(relay: relay.url)
                var running = [
                    try await RunningHub.start(one, port: port, voting: house),
                    try await RunningHub.start(two, voting: house),
                ]
                do {
                    try await Self.feedsGoOn(at: &running, voting: house, relay, home)
                } catch {
                    for hub in running { await hub.stop() }
                    throw error
                }
                for hub in running { await hub.stop() }
            }
        }
    }

    private static func feedsGoOn(
        at running: inout [RunningHub],
        voting house: RunningHub.House,
        _ relay: TestRelay,
        _ home: UUID
    ) async throws {
        let laptop = FeedProbe()
        let founder = running[0].hub.identity.publicKey
        let (leader, other) = try await leader(of: running)
        let owner = try await leader.owner()
        try await laptop.join(by: owner)
        let status = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
        let kept = try #require(status.house.flatMap { HouseID(hex: $0) })
        let owners = running.map { $0.hub.identity.owner(of: kept) }
        let client = try RelayClient(relay.url, as: leader.hub.identity.owner(of: kept))
        try await client.register(kept, owners: owners.map(\.publicKey))
        _ = try await laptop.connect(to: leader.hub)
        try await add("Cellar", in: home, at: [leader])
        var follower = try laptop.reader(of: running.map(\.hub))
        try await read("Cellar", in: home, &follower)
        let before = try #require(follower.headers.last)
        #expect(before.hub == leader.hub.owner.device)
        try await have("Cellar", in: home, [other])
        owner.close()
        // The leader, which writes the feeds, says at both hubs how they stand.
        let reader = try await other.owner()
        try await Wait.until("the other hub says that the feed is up to date") {
            try await reader.call(HubMethods.syncStatus, Empty()).feeds.map(\.state) == [.current]
        }
        reader.close()

        let (folder, port) = (leader.hub.transferFolder, try #require(await leader.network.port))
        await leader.stop()
        running = [other]
        try await add("Attic", in: home, at: [other])
        try await read("Attic", in: home, &follower)
        let after = try #require(follower.headers.last)
        #expect(after.hub == other.hub.owner.device && after.term > before.term)
        #expect(after.generation > before.generation, "the other hub has a key of its own")
        // A device that has missed the joining learns of the hub from the list that is beside its key.
        let feed = follower.reader.kept
        let sealed = try await client.envelope(
            Int64(after.generation),
            to: SealedHubLists.recipient(for: feed.device),
            of: feed.address.feed,
            in: feed.address.house
        )
        let lists = try follower.reader.hubLists(in: Array(sealed), of: after.generation)
        var pinned = PinnedHubs(joined: founder)
        _ = try pinned.take(lists)
        #expect(Set(pinned.keys) == Set([leader, other].map(\.hub.identity.publicKey)))

        // The former leader comes back, and whichever leads goes on.
        let former = try await RunningHub.start(folder, port: port, voting: house)
        running.append(former)
        try await have("Attic", in: home, [former])
        try await add("Loft", in: home, at: running)
        try await read("Loft", in: home, &follower)
        let terms = follower.headers.map(\.term)
        #expect(terms == terms.sorted() && follower.reader.kept.stop == nil)
        let sequences = follower.headers.map(\.sequence)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }
}
