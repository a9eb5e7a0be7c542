import Foundation
import HomeIdentity
import HubAPI
import PeerProcess
import RelayClient
import Replication
import Testing

@testable import HomeHub
@testable import HubServer

/// The relay at which a hub keeps feeds votes beside the homes' two hubs.
@Suite(.onePairAtATime) struct VotingRelayTests {
    /// Lets the first hub use a relay.
    private static func use(_ relay: TestRelay, at hub: RunningHub) async throws {
        let owner = try await hub.owner()
        defer { owner.close() }
        _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
    }

    private static func leads(_ hub: RunningHub) async throws {
        try await Wait.until("the hub leads") {
            if case .leading? = await hub.role { true } else { false }
        }
    }

    /// Waits until the relay has answered a hub.
    private static func votes(for hub: RunningHub, at relay: TestRelay) async throws {
        try await Wait.until("the relay votes") {
            let status = try await hub.hubs().relay
            return status?.relay == relay.url && status?.votes == true
        }
    }

    @Test func theHousesRelayVotesForBothHubs() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let first = try await RunningHub.start(one, usesRelay: true)
                let home = try await first.addHome("Villa")
                try await Self.use(relay, at: first)
                try await first.letJoin(two)
                // It goes on with the relay, without a restart, before the second hub runs.
                try await first.addRoom("Attic", in: home)
                #expect(try await first.hubs().relay?.relay == relay.url)
                try await RunningHub.start(two, usesRelay: true).run { second in
                    try await second.has("Attic", in: home)
                    // Nobody but an owner is told of a house's vault.
                    let house = try #require(first.hub.votingPlace).house
                    let owner = try RelayClient(relay.url, as: second.hub.identity.owner(of: house))
                    try await Wait.until("the relay knows the second hub") {
                        (try? await owner.vault(of: house)) != nil
                    }
                    let port = try #require(await first.network.port)
                    await first.stop()
                    try await Self.leads(second)
                    try await second.addRoom("Loft", in: home)
                    let status = try await second.hubs()
                    #expect(status.relay?.votes == true && status.hubs.first { $0.isOwn }?.isLeading == true)
                    #expect(status.outlook.contains("nothing would control the homes"))
                    try await RunningHub.start(one, port: port, usesRelay: true).run { first in
                        try await first.has("Loft", in: home)
                    }
                }
            }
        }
    }

    @Test func aRelayThatLostTheHouseKnowsBothHubsAgain() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let first = try await RunningHub.start(one, usesRelay: true)
                let home = try await first.addHome("Villa")
                try await Self.use(relay, at: first)
                try await first.letJoin(two)
                try await RunningHub.start(two, usesRelay: true).run { second in
                    try await first.addRoom("Attic", in: home)
                    try await second.has("Attic", in: home)
                    await relay.stop()
                    try relay.restore(from: nil)
                    try await relay.start()
                    // Only the one that leads asks it.
                    let (leader, other) = try await Self.leader(first, second, with: relay, since: Date())
                    await leader.stop()
                    try await Self.votes(for: other, at: relay)
                    await first.stop()
                }
            }
        }
    }

    @Test func anotherRelayVotesAfterAMoveAndNoneWithoutSync() async throws {
        try await TestRelay.with { relay in
            try await TestRelay.with { next in
                try await RunningHub.withFolder { folder in
                    let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                    try await RunningHub.start(one, usesRelay: true).run { first in
                        let home = try await first.addHome("Villa")
                        try await first.letJoin(two)
                        try await RunningHub.start(two, usesRelay: true).run { second in
                            let (leader, other) = try await Self.leader(first, second)
                            #expect(try await leader.hubs().relay == nil)
                            #expect(try await leader.hubs().outlook.contains("because no relay votes"))
                            try await Self.use(relay, at: leader)
                            try await Self.votes(for: leader, at: relay)
                            try await Wait.until("the other hub knows it") {
                                other.hub.votingPlace == leader.hub.votingPlace
                            }
                            // The other hub passes it on.
                            try await Self.use(next, at: other)
                            try await Self.votes(for: leader, at: next)
                            let owner = try await other.owner()
                            _ = try await owner.call(HubMethods.disableSync, Empty())
                            owner.close()
                            try await Wait.until("no relay votes") {
                                leader.hub.votingPlace == nil && other.hub.votingPlace == nil
                            }
                            try await leader.addRoom("Attic", in: home)
                            try await other.has("Attic", in: home)
                        }
                    }
                }
            }
        }
    }

    /// Waits until a hub leads that a relay has answered since a time, and returns it and the other one.
    private static func leader(
        _ one: RunningHub,
        _ two: RunningHub,
        with relay: TestRelay,
        since time: Date
    ) async throws -> (RunningHub, RunningHub) {
        var found: (RunningHub, RunningHub)?
        try await Wait.until("a hub leads, and the relay votes") {
            for (hub, other) in [(one, two), (two, one)] where await hub.leads {
                let status = try await hub.hubs().relay
                guard status?.relay == relay.url, status?.votes == true else { continue }
                if let answered = status?.answered, answered > time { found = (hub, other) }
            }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until a hub leads, and returns it and the other one.
    private static func leader(_ one: RunningHub, _ two: RunningHub) async throws -> (RunningHub, RunningHub) {
        var leader: RunningHub?
        try await Wait.until("a hub leads") {
            for hub in [one, two] { if case .leading? = await hub.role { leader = hub } }
            return leader != nil
        }
        let isFirst = try #require(leader).hub === one.hub
        return isFirst ? (one, two) : (two, one)
    }
}
