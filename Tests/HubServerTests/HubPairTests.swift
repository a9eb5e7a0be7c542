import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import HubNetwork
import LocalRPC
import PeerProcess
import Testing

@testable import HomeHub
@testable import HubServer

/// Two hubs that keep their homes the same.
@Suite struct HubPairTests {
    /// Lets a hub join the hub of a folder, which has a home then.
    private static func join(_ second: URL, _ one: URL) async throws -> (port: Int, home: UUID) {
        try await RunningHub.start(one).run { first in
            let home = try await first.addHome("Villa")
            try await first.letJoin(second)
            return (try #require(await first.network.port), home)
        }
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
}
