import Foundation
import HAPCatalog
import HomeIdentity
import HomeModel
import HubAPI
import HubServer
import LocalRPC
import PeerProcess
import Testing

@testable import HomeAgent
@testable import HomeHub

/// A device whose homes two hubs keep: it goes on when one of them is gone.
@Suite(.serialized) struct PairTests {
    private static func write(_ isOn: Bool, _ state: HubState, _ lab: PairLab) throws -> WriteCharacteristics {
        let home = try #require(state.homes[lab.home])
        let record = try #require(home.accessories.first)
        let on = try #require(
            home.services(of: record).flatMap(\.characteristics).first { $0.type == HAPType.Characteristic.on }
        )
        let characteristic = CharacteristicReference(accessory: record.id, iid: on.iid)
        return WriteCharacteristics(home: lab.home, writes: [.init(characteristic: characteristic, value: .bool(isOn))])
    }

    /// Switches the lamp, and waits until the accessory itself says so.
    private static func set(_ isOn: Bool, by app: RecordingClient, _ lab: PairLab) async throws {
        let results = try await app.call(HubMethods.write, write(isOn, app.state, lab))
        #expect(results.outcomes.allSatisfy { $0.error == nil }, "\(results.outcomes)")
        try await lab.lampIs(isOn)
    }

    /// Waits until the device believes both hubs.
    private static func pin(_ lab: PairLab) async throws {
        try await Wait.until("the device believes both hubs") { lab.visitor.ways.isOneOfTwo(lab.joined) }
    }

    /// Loses a hub, and waits until the app's own connection has ended. What it asks for then waits for the other hub.
    private static func lose(_ app: RecordingClient, _ body: () async -> Void) async throws {
        let count = app.notes.count { $0 == "loss" }
        await body()
        try await app.recording.until { $0.notes.count { $0 == "loss" } > count }
    }

    private static func rooms(_ state: HubState, _ home: UUID) -> [String] {
        (state.homes[home]?.rooms.map(\.name) ?? []).sorted()
    }

    /// What an app that saw one hub go has been told since: no home was away, and nothing was told again.
    private static func expectNoBreak(_ app: RecordingClient, since count: Int) {
        let events = app.recording.value.events.dropFirst(count)
        let resets = events.count { if case .reset = $0 { true } else { false } }
        let aways = events.count { if case .standing(let standing) = $0 { standing.state != .near } else { false } }
        #expect(resets == 0 && aways == 0, "\(app.notes)")
        let places = app.changes.map { LogPlace(home: $0.home, lineage: $0.lineage, revision: $0.revision) }
        #expect(Set(places).count == places.count, "\(app.notes)")
    }

    @Test func onTheNetworkAnAppGoesOnAtTheOtherHub() async throws {
        try await PairLab.run { lab in
            let (home, (leader, follower)) = (lab.home, try await lab.led())
            let app = lab.visitor.app()
            defer { app.close() }
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            try await Self.pin(lab)
            let browsing = Task { [ways = lab.visitor.ways] in await ways.browse() }
            defer { browsing.cancel() }
            try await lab.announce(leader, as: "Study")
            try await lab.announce(follower, as: "Cellar")
            try await lab.addRoom("Kitchen")
            try await app.until { Self.rooms($0, home) == ["Kitchen"] }
            try await Self.set(true, by: app, lab)

            let count = app.recording.value.events.count
            try await Self.lose(app) { await lab.stop(leader) }
            try await Self.set(false, by: app, lab)
            try await lab.addRoom("Attic")
            try await app.until { Self.rooms($0, home) == ["Attic", "Kitchen"] }
            // The app changes the home itself once the hub leads.
            let request = InHome(home, AddRoom(name: "Loft"))
            try await Wait.until("the app adds a room") { await app.refusal(HubMethods.addRoom, request) == nil }
            try await app.until { Self.rooms($0, home) == ["Attic", "Kitchen", "Loft"] }
            Self.expectNoBreak(app, since: count)
        }
    }

    @Test func aDeviceThatJoinsAgainAtTheOtherHubHasTheHomesOnce() async throws {
        try await PairLab.run { lab in
            let app = lab.visitor.app()
            defer { app.close() }
            try await app.until { !$0.homes.isEmpty }
            try await Self.pin(lab)
            let (home, former) = (lab.home, try #require(lab.visitor.joined.value).key)
            let other = try #require(lab.hubs.first { $0.key.base64 != former })
            let owner = try await other.command()
            defer { owner.close() }
            var code: String?
            try await Wait.until("there is a code") {
                code = try? await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).code
                return code != nil
            }
            let port = try #require(await other.network.port)
            let command = RecordingClient(app: "hearth") { [agent = lab.visitor.agent] in AcceptorTransport(to: agent) }
            defer { command.close() }
            let join = JoinHub(invitation: try #require(code), name: "Pixel 9", place: "127.0.0.1:\(port)")
            let joined = try await command.call(AgentMethods.join, join).hub
            try await Wait.until("the former hub is forgotten") {
                lab.visitor.agent.hubs.map(\.record.id) == [joined]
            }
            try await app.until { Array($0.homes.keys) == [home] && $0.awayHomes.isEmpty }
        }
    }

    @Test func aDeviceBelievesBothHubsWhicheverOfThemItHasJoined() async throws {
        try await PairLab.run { lab in
            for hub in lab.hubs {
                let agent = AgentIntroduction(version: "", platform: "linux")
                let owner = try await hub.command(Hello(app: HubProtocol.agentApp, purpose: "", agent: agent))
                defer { owner.close() }
                let list = try #require(try await owner.call(HubMethods.homeKeys, Empty()).hubs)
                var pinned = PinnedHubs(joined: hub.key)
                _ = try pinned.take(Array(list))
                #expect(Set(pinned.keys) == Set(lab.hubs.map(\.key)))
            }
        }
    }

    @Test func aHubThatLacksWhatADeviceHasSeenRefusesItUntilItHasCaughtUp() async throws {
        try await PairLab.run { lab in
            let hub = try await lab.led().follower.hub
            let authority = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            func connect(_ seen: LogCursors? = nil) -> RecordingClient {
                RecordingClient(retries: true, seen: seen) { InProcessTransport(to: hub, as: authority) }
            }
            let client = connect()
            defer { client.close() }
            var seen = try #require(try await client.until { $0.seen != nil }.seen)
            let place = try #require(seen.homes[lab.home])
            seen.homes[lab.home] = LogCursor(lineage: place.lineage, revision: place.revision + 1)
            let ahead = connect(seen)
            defer { ahead.close() }
            #expect(try await ahead.denial() == .noLeader)
            try await lab.addRoom("Kitchen")
            try await ahead.welcome()
            #expect(ahead.notes.contains("resumed") && !ahead.notes.contains("reset"), "\(ahead.notes)")
            // Nor does it say of a device that it doesn't know that it was removed.
            let error = #expect(throws: HubError.self) { try hub.authority(of: IdentityKey().publicKey) }
            #expect(error?.code == .noLeader)
        }
    }

    @Test func throughTheRelayAnAppGoesOnAtTheOtherHub() async throws {
        try await PairLab.run { lab in
            try await Self.pin(lab)
            try await lab.goAway()
            let (home, app) = (lab.home, lab.visitor.app())
            defer { app.close() }
            try await app.until { $0.awayHomes.isEmpty && !$0.homes.isEmpty }
            #expect(lab.visitor.ways.current(lab.joined) == .away)
            let (leader, follower) = try await lab.led()
            try await Self.set(true, by: app, lab)

            // The relay leads to one of the hubs. Whichever it is, the other one serves once that one is gone from the relay.
            let serving = await [leader, follower].asyncFirst { await $0.away?.connectionCount ?? 0 > 0 }
            let first = try #require(serving)
            let second = first.key == leader.key ? follower : leader
            let count = app.recording.value.events.count
            try await Self.lose(app) { await first.leaveRelay() }
            try await Self.set(false, by: app, lab)
            #expect(await second.away?.connectionCount ?? 0 > 0)
            // A hub that follows serves as well as the one that leads.
            try await lab.addRoom("Attic")
            try await app.until { Self.rooms($0, home) == ["Attic"] }
            Self.expectNoBreak(app, since: count)
        }
    }
}

extension Sequence {
    fileprivate func asyncFirst(where isMatch: (Element) async -> Bool) async -> Element? {
        for element in self where await isMatch(element) { return element }
        return nil
    }
}
