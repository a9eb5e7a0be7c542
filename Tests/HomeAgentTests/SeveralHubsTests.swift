import Foundation
import HomeAgent
import HomeHub
import HomeModel
import HubAPI
import Testing

@Suite struct SeveralHubsTests {
    /// Runs a test with a second hub that the device joins too. Each has a home called “Villa”.
    private static func run(
        _ body: (AgentLab, HomeHub, TestWay, (first: UUID, second: UUID)) async throws -> Void
    ) async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let first = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let hub = try await AgentLab.startHub(in: lab.folder.appending(path: "hub 2"), named: "Friend")
            do {
                let way = TestWay(to: hub)
                let client = RecordingClient(app: "hearth") { way.transport() }
                try await client.welcome()
                let second = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                client.close()
                try await lab.join(way, named: "Friend's")
                try await lab.untilHubs { $0.map(\.homes) == [["Villa"], ["Villa"]] }
                try await body(lab, hub, way, (first, second))
            } catch {
                await hub.stop()
                throw error
            }
            await hub.stop()
        }
    }

    @Test func theHomesOfTwoHubsAreOneList() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app()
            try await app.welcome()
            #expect(app.state.account.homes.map(\.id) == [homes.first, homes.second])
            #expect(app.state.account.homes.map(\.name) == ["Villa", "Villa 2"])
            #expect(app.state.account.homes.map(\.isPrimary) == [true, false])
            #expect(Set(app.state.homes.keys) == [homes.first, homes.second])
        }
    }

    @Test func aHubIsToldTheSubscriptionsInItsOwnHomesOnly() async throws {
        try await Self.run { lab, _, _, homes in
            // Each hub takes as many, and none more.
            var subscriptions = CharacteristicSet()
            for home in [homes.first, homes.second] {
                let accessory = UUID()
                let iids = 1...UInt64(HubProtocol.subscriptionsPerConnection)
                let characteristics = iids.map { CharacteristicReference(accessory: accessory, iid: $0) }
                subscriptions.formUnion(CharacteristicSet(characteristics, in: home))
            }
            let app = lab.app(subscriptions: subscriptions)
            try await app.welcome()
            #expect(Set(app.state.homes.keys) == [homes.first, homes.second])
        }
    }

    @Test func aRequestGoesToTheHubOfItsHome() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app()
            try await app.welcome()
            _ = try await app.call(HubMethods.addRoom, InHome(homes.second, AddRoom(name: "Attic")))
            #expect(app.state.homes[homes.second]?.rooms.map(\.name) == ["Attic"])
            #expect(app.state.homes[homes.first]?.rooms.isEmpty == true)
            // A new home belongs to the person's own hub, and is in the list when the reply is there.
            let new = try await app.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            #expect(app.state.account.homes.map(\.name) == ["Villa", "Cabin", "Villa 2"])
            #expect(app.changes.last { $0.home == nil }?.isMine == true)
            _ = try await app.call(HubMethods.renameHome, RenameHome(home: new, name: "Hut"))
            #expect(app.state.account.home(new)?.name == "Hut")
        }
    }

    @Test func thePrimaryHomeIsTheDevicesOwnChoice() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app()
            let other = lab.app("com.example.other")
            try await app.welcome()
            try await other.welcome()
            _ = try await app.call(HubMethods.setPrimaryHome, HomeTarget(home: homes.second))
            #expect(app.state.account.primaryHome?.id == homes.second)
            #expect(app.changes.map(\.isMine) == [true])
            try await other.until { $0.account.primaryHome?.id == homes.second }
            #expect(other.changes.map(\.isMine) == [false])
            try lab.restartAgent()
            try await lab.nearAgain(2)
            let later = lab.app()
            try await later.welcome()
            #expect(later.state.account.primaryHome?.id == homes.second)
        }
    }

    @Test func oneHubOutOfReachLeavesTheOtherAlone() async throws {
        try await Self.run { lab, _, way, homes in
            let app = lab.app(retries: true)
            try await app.welcome()
            way.cut()
            try await app.until { $0.awayHomes == [homes.second] && $0.homes.count == 2 }
            let inAway = InHome(homes.second, AddRoom(name: "Attic"))
            #expect(await app.refusal(HubMethods.addRoom, inAway) == .hubAway)
            _ = try await app.call(HubMethods.addRoom, InHome(homes.first, AddRoom(name: "Cellar")))
            way.mend()
            try await app.until { $0.awayHomes.isEmpty }
            _ = try await app.call(HubMethods.addRoom, inAway)
            let direct = lab.direct()
            try await direct.welcome()
            #expect(direct.state.homes[homes.first]?.rooms.map(\.name) == ["Cellar"])
            #expect(app.state.homes[homes.first]?.rooms.map(\.name) == ["Cellar"])
            #expect(app.state.homes[homes.second]?.rooms.map(\.name) == ["Attic"])
        }
    }

    @Test func anAppGoesOnFromWhatItHasSeen() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app()
            try await app.welcome()
            let seen = app.state.seen
            app.close()
            let direct = lab.direct()
            try await direct.welcome()
            _ = try await direct.call(HubMethods.addRoom, InHome(homes.first, AddRoom(name: "Attic")))
            let again = lab.app(seen: seen)
            try await again.welcome()
            #expect(again.notes == ["change roomAdded", "resumed", "welcome"])
        }
    }

    @Test func leavingAHubTakesItsHomesAway() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app(retries: true)
            try await app.welcome()
            let command = lab.command()
            try await command.welcome()
            _ = try await command.call(AgentMethods.leave, AgentHubTarget(hub: "Friend's"))
            try await app.until { Array($0.homes.keys) == [homes.first] && $0.account.homes.count == 1 }
            #expect(lab.agent.hubs.count == 1)
        }
    }

    @Test func aRetryAfterTheAgentsRestartCountsAsTheClientsOwn() async throws {
        try await Self.run { lab, _, _, homes in
            let app = lab.app()
            let welcome = try await app.welcome()
            let seen = app.state.seen
            _ = try await app.call(HubMethods.addRoom, InHome(homes.second, AddRoom(name: "Attic")))
            let former = PreviousConnection(run: welcome.run, client: try #require(welcome.client))
            try lab.restartAgent()
            try await lab.nearAgain(2)
            let again = lab.app(seen: seen, former: former)
            #expect(try await again.welcome().run == welcome.run)
            #expect(again.changes.map(\.isMine) == [true])
            // To others, it isn't.
            let stranger = lab.app("com.example.other", seen: seen)
            try await stranger.welcome()
            #expect(stranger.changes.map(\.isMine) == [false])
        }
    }

    @Test func anAgentThatStartsTriesItsHubsBeforeItAnswersApps() async throws {
        try await Self.run { lab, _, way, homes in
            try lab.restartAgent()
            let app = lab.app()
            try await app.welcome()
            #expect(app.state.awayHomes.isEmpty)
            _ = try await app.call(HubMethods.addRoom, InHome(homes.second, AddRoom(name: "Attic")))
            // One that can't be reached doesn't hold up the others.
            way.cut()
            try lab.restartAgent()
            let later = lab.app()
            try await later.welcome()
            #expect(later.state.awayHomes == [homes.second])
            _ = try await later.call(HubMethods.addRoom, InHome(homes.first, AddRoom(name: "Cellar")))
        }
    }
}
