import AccessorySimulator
import DNSSD
import Foundation
import HAP
import HAPCatalog
import HomeIdentity
import HomeModel
import HubAPI
import HubClient
import HubNetwork
import LocalRPC
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import Replication
import Testing
import WebServer

@testable import HomeAgent
@testable import HomeHub
@testable import HubServer

/// Two hubs of one home with a lamp, a relay that votes and leads devices to them, and the agent of a person's device that has
/// joined them.
final class PairLab {
    // This is a class because hubs stop during a test.

    /// One of the hubs, as long as it runs.
    struct Hub {
        let hub: HomeHub
        let links: HubLinkService
        let network: NetworkService
        let away: AwayService?

        var key: PublicKey { hub.identity.publicKey }

        func command(
            _ hello: Hello = Hello(app: "hearth", purpose: ""),
            onEvent: @escaping @Sendable (HubEvent) -> Void = { _ in }
        ) async throws -> HubConnection {
            let authority = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            let connection = HubConnection(over: InProcessTransport(to: hub, as: authority), onEvent: onEvent)
            _ = try await connection.call(HubMethods.hello, hello)
            return connection
        }

        /// Leaves the relay, so that it leads no device to this hub.
        func leaveRelay() async { await away?.stop() }

        func stop() async {
            await away?.stop()
            await links.stop()
            await network.stop()
            await hub.stop()
        }
    }

    /// The devices' place at the relay.
    private struct Place {
        var relay: String
        var house = HouseID.random()
        var feed = FeedID.random()
    }

    private let simulator: Simulator
    let lamp: RunningAccessory
    let home: UUID
    private(set) var hubs: [Hub]
    private let place: Place
    private let user: AwaitableValue<UUID>
    private(set) var visitor: AwayLab.Visitor
    /// The homes' ID at the agent.
    let joined: UUID

    private init(
        simulator: Simulator,
        lamp: RunningAccessory,
        home: UUID,
        hubs: [Hub],
        place: Place,
        user: AwaitableValue<UUID>,
        agentFolder: URL
    ) async throws {
        self.simulator = simulator
        self.lamp = lamp
        self.home = home
        self.hubs = hubs
        self.place = place
        self.user = user
        let visitor = try AwayLab.makeVisitor(in: agentFolder, answerTime: Wait.limit, followsFeeds: false)
        self.visitor = visitor
        // The leader lets the device in.
        let code = try await Self.untilLed(hubs) { owner in
            try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).code
        }
        let command = RecordingClient(app: "hearth") { [agent = visitor.agent] in AcceptorTransport(to: agent) }
        defer { command.close() }
        try await command.welcome()
        let port = try #require(await code.hub.network.port)
        let join = JoinHub(invitation: try #require(code.result), name: "Pixel 9", place: "127.0.0.1:\(port)")
        _ = try await command.call(AgentMethods.join, join)
        let stored = try #require(try await visitor.joined.until { $0 != nil })
        joined = stored.id
        let device = try #require(IdentityKey(seed: stored.seed)).publicKey
        for hub in hubs {
            try await Wait.until("both hubs know the device") { hub.hub.door.standing(of: device) == .device }
        }
        let person = try code.hub.hub.authority(of: device).user
        user.change { $0 = person }
    }

    /// Runs a test.
    static func run(_ body: (PairLab) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-pair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try RelaySQLite(in: folder)
        var configuration = RelayServer.Configuration(
            address: try #require(HTTPAddress("127.0.0.1:0")),
            log: AgentLab.log
        )
        configuration.isOpen = true
        let relay = try await RelayServer.start(configuration, store: store)
        let simulator = try simulator(in: folder)
        let result: Result<Void, any Error>
        do {
            let lamp = try #require(try await simulator.start().first)
            result = .success(try await run(in: folder, simulator, lamp, relay, body))
        } catch {
            result = .failure(error)
        }
        await simulator.stop()
        await relay.stop()
        await store.close()
        try result.get()
    }

    private static func run(
        in folder: URL,
        _ simulator: Simulator,
        _ lamp: RunningAccessory,
        _ relay: RelayServer,
        _ body: (PairLab) async throws -> Void
    ) async throws {
        let (place, user) = (Place(relay: relay.url), AwaitableValue(UUID()))
        let folders = ["one", "two"].map { folder.appending(path: $0) }
        let (port, home) = try await pair(folders[0], folders[1], lamp)
        var hubs: [Hub] = []
        let result: Result<Void, any Error>
        var lab: PairLab?
        do {
            hubs.append(try await start(folders[0], port: port, at: place, user))
            hubs.append(try await start(folders[1], at: place, user))
            // Each hub has registered the house for itself. The relay serves both.
            let owners = hubs.flatMap { [$0.key, $0.hub.identity.owner(of: place.house).publicKey] }
            try await RelayClient(place.relay, as: hubs[0].hub.identity).register(place.house, owners: owners)
            // Later, the relay would lead an app to another hub than the agent's own session.
            try await Wait.until("both hubs are at the relay") { relay.streams == 2 }
            for hub in hubs { try await reach(lamp, from: hub) }
            let made = try await PairLab(
                simulator: simulator,
                lamp: lamp,
                home: home,
                hubs: hubs,
                place: place,
                user: user,
                agentFolder: folder.appending(path: "agent")
            )
            lab = made
            result = .success(try await body(made))
        } catch {
            result = .failure(error)
        }
        lab?.visitor.agent.stop()
        for hub in lab?.hubs ?? hubs { await hub.stop() }
        try result.get()
    }

    private static func simulator(in folder: URL) throws -> Simulator {
        let file = folder.appending(path: "lamp.json")
        let text = """
            {"format": 1, "name": "Lamp \(UUID().uuidString.prefix(8))", "serialNumber": "\(UUID().uuidString)",
             "category": "Lightbulb",
             "services": [{"type": "Lightbulb", "characteristics": {"On": false}}]}
            """
        try Data(text.utf8).write(to: file)
        return try Simulator(
            SimulatorConfiguration(
                files: [file.path],
                dataFolder: folder.path,
                bindAddress: "127.0.0.1",
                interfaces: ["127.0.0.1"]
            )
        )
    }

    /// Waits until a hub can control the lamp.
    static func reach(_ lamp: RunningAccessory, from hub: Hub) async throws {
        try await Wait.until("the lamp is reachable") {
            await hub.hub.connections.links[lamp.deviceID]?.attributes != nil
        }
    }

    // MARK: The hubs

    private static func start(
        _ folder: URL,
        port: Int = 0,
        at place: Place? = nil,
        _ user: AwaitableValue<UUID>? = nil
    ) async throws -> Hub {
        let hub = try await HomeHub(HubConfiguration(data: folder, interfaces: [.loopback], log: AgentLab.log))
        let client = try place.map { try RelayClient($0.relay, as: hub.identity) }
        var away: AwayService?
        if let place, let user, let list = hub.hubList, let client {
            let owner = hub.identity.owner(of: place.house)
            // Each hub votes with its own key, and leads devices in with the one for this house.
            try await client.register(place.house, owners: list.keys + [owner.publicKey])
            let (places, here) = AsyncStream.makeStream(of: RelayPlace?.self)
            here.yield(RelayPlace(relay: place.relay, house: place.house))
            away = try AwayService(AwayHub(hub, at: places) { _ in user.value }, logger: AgentLab.log)
        }
        let links = HubLinkService(hub, logger: AgentLab.log) { list in
            guard let client, let place else { return NoRelay() }
            return RelayVotes(client, house: place.house, hub: hub.owner.device, pair: Int64(list.sequence))
        }
        await links.start()
        var limits = NetworkLimits()
        (limits.greetingTime, limits.joinTime) = (600, 600)
        let network = NetworkService(
            NetworkedHub(hub, links: links),
            at: try #require(NetworkOption("127.0.0.1:\(port)")),
            for: .local,
            limits: limits,
            logger: AgentLab.log
        )
        await network.start()
        await away?.start()
        return Hub(hub: hub, links: links, network: network, away: away)
    }

    /// Makes a home with the lamp at one hub, and lets the other hub join it.
    private static func pair(_ one: URL, _ two: URL, _ lamp: RunningAccessory) async throws -> (port: Int, home: UUID) {
        let first = try await start(one)
        let (questions, asked) = AsyncStream.makeStream(of: Question.self)
        let owner = try await first.command { event in
            if case .asked(let question) = event { asked.yield(question) }
        }
        let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
        let addition = AddAccessory(home: home, deviceID: lamp.deviceID.description, code: lamp.setupCode.dashed)
        _ = try await owner.call(HubMethods.addAccessory, addition)
        _ = try await owner.call(HubMethods.questions, Empty())
        let authority = SessionAuthority(user: first.hub.owner.user, device: first.hub.owner.device, client: .person)
        let invitation = try await first.hub.invitations.inviteHub(by: first.hub.accept(as: authority) { _ in })
        let link = try InvitationLink(try #require(invitation.link).url)
        let folder = try await JoiningHub.open(two)
        let joining = Task {
            try await HubJoining(folder, log: AgentLab.log).join(link, as: "Cellar") { _, _ in }
            try await folder.close()
        }
        let question = try #require(await questions.first { $0.kind == .joining })
        _ = try await owner.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "yes"))
        try await Wait.until("the list is signed") { first.hub.hubTable.isPaired }
        let port = try #require(await first.network.port)
        owner.close()
        await first.stop()
        // The first hub starts again, as one of two.
        let again = try await start(one, port: port)
        let result = await Result { try await joining.value }
        await again.stop()
        try result.get()
        return (port, home)
    }

    /// Calls a closure with the person at whichever hub leads, until it succeeds.
    private static func untilLed<Success: Sendable>(
        _ hubs: [Hub],
        _ body: (HubConnection) async throws -> Success
    ) async throws -> (hub: Hub, result: Success) {
        for _ in 0..<6_000 {
            for hub in hubs {
                let owner = try await hub.command()
                defer { owner.close() }
                if case .leading? = await hub.links.role, let result = try? await body(owner) { return (hub, result) }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw HubError(.timedOut, "No hub leads.")
    }

    /// Adds a room at the hub that leads, and waits until all hubs have it.
    func addRoom(_ name: String) async throws {
        let (home, databases) = (home, hubs.map(\.hub.database))
        // A leader that loses touch answers that the room may be there all the same.
        _ = try await Self.untilLed(hubs) { owner in
            _ = try? await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
            for database in databases {
                if await database.stored.homes[home]?.rooms.contains(where: { $0.name == name }) == true { return }
            }
            throw HubError(.notAllowedNow, "The room isn't there.")
        }
        for hub in hubs {
            try await Wait.until("“\(name)” is at both hubs") {
                await hub.hub.database.stored.homes[home]?.rooms.contains { $0.name == name } == true
            }
        }
    }

    /// The hubs, the one that leads first.
    func led() async throws -> (leader: Hub, follower: Hub) {
        let leader = try await Self.untilLed(hubs) { _ in }.hub
        return (leader, try #require(hubs.first { $0.key != leader.key }))
    }

    /// Stops a hub, as if its machine had failed.
    func stop(_ hub: Hub) async {
        hubs.removeAll { $0.key == hub.key }
        await hub.stop()
    }

    /// Waits until the lamp itself says that it is on, or off.
    func lampIs(_ isOn: Bool) async throws {
        let on = try simulator.find(lamp.name, "On")
        try await Wait.until("the lamp is \(isOn ? "on" : "off")") {
            try await simulator.value(of: on) == .bool(isOn)
        }
    }

    // MARK: The device

    /// Lists a hub on the device's network.
    func announce(_ hub: Hub, as name: String) async throws {
        try visitor.discovery.list(name, hub.key, port: try #require(await hub.network.port))
    }

    /// Takes the device away from the hubs' network: it knows no address there, and its place at the relay.
    func goAway() async throws {
        let key = IdentityKey()
        let owner = try #require(hubs.first).hub.identity.owner(of: place.house)
        let client = try RelayClient(place.relay, as: owner)
        try await client.makeFeed(place.feed, in: place.house)
        let readers = [ReaderList.Reader(key.publicKey, [.read, .pipe])]
        try await client.setReaders(ReaderList(seq: 1, readers: readers), of: place.feed, in: place.house)
        let folder = visitor.folder
        visitor.agent.stop()
        var stored = try #require(folder.hub(joined))
        stored.addresses = []
        try folder.store(stored)
        let away = AwayPlace(relay: place.relay, house: place.house, feed: place.feed, key: key)
        visitor = try AwayLab.makeVisitor(
            in: URL(filePath: folder.path),
            answerTime: Wait.limit,
            followsFeeds: false
        ) { [joined] in $0.setAway(away, of: joined) }
    }
}

extension Result where Failure == any Error {
    /// Captures the outcome of an asynchronous closure.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
