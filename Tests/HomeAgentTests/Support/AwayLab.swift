import Foundation
import HomeAgent
import HomeHub
import HomeIdentity
import HomeKitTesting
import HomeModel
import HubAPI
import HubClient
import HubNetwork
import HubServer
import PeerProcess
import RelayAPI
import RelayClient
import Testing
import WebServer

@testable import Relay

/// A home with a hub and a lamp, a relay, and the agent of a person's device, which has joined on the hub's network.
final class AwayLab {
    let home: TestHome
    let hub: HomeHub
    let owner: HubConnection
    let folder: URL
    /// The hub as its own user's programs see it.
    private(set) var relay: RelayServer
    private var store: RelaySQLite
    private(set) var network: NetworkService?
    let away: AwayService
    /// Another way to the relay, on which somebody can hold back what devices send.
    let proxy: HoldingProxy
    let (house, feed) = (HouseID.random(), FeedID.random())
    /// By how much the relay's clock is ahead, in milliseconds.
    let relayAhead: AwaitableValue<Int64>
    private(set) var devices: [Device] = []
    private(set) var visitors: [Visitor] = []

    /// A person's device.
    struct Device {
        let visitor: Visitor
        let relayKey: IdentityKey
        /// The hub's ID at the agent.
        let hub: UUID
        let browsing: Task<Void, Never>

        var agent: Agent { visitor.agent }
        var ways: WayFinder { visitor.ways }
        var discovery: AnnouncedHubs { visitor.discovery }

        func app() -> RecordingClient { visitor.app() }
    }

    private init(
        home: TestHome,
        hub: HomeHub,
        folder: URL,
        store: RelaySQLite,
        relay: RelayServer,
        away: AwayService,
        proxy: HoldingProxy,
        relayAhead: AwaitableValue<Int64>
    ) {
        self.relayAhead = relayAhead
        self.proxy = proxy
        self.home = home
        self.hub = hub
        self.folder = folder
        self.store = store
        self.relay = relay
        self.away = away
        owner = HubConnection(
            over: InProcessTransport(
                to: hub,
                as: SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            )
        )
    }

    /// Runs a test with the hub's own user as the person, unless it makes another.
    ///
    /// - Parameters:
    ///   - keepsFeeds: Whether the hub keeps feeds at the relay, and its devices follow them; otherwise the test does what that
    ///     does.
    ///   - answerTime: The time that the answer to a command has before people are told that its outcome isn't known.
    ///   - heartbeat: The pause between two checks that a quiet hub is still there; `nil` for the agent's own.
    static func run(
        keepsFeeds: Bool = false,
        answerTime: Duration = Wait.limit,
        heartbeat: Duration? = nil,
        _ body: (AwayLab) async throws -> Void
    ) async throws {
        try await withTestHome(named: "Villa") { home in
            let hub = try home.hub()
            let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-away-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try RelaySQLite(in: folder)
            let proxy = try await HoldingProxy.start()
            let relayAhead = AwaitableValue<Int64>(0)
            let relay = try await serve(store, port: 0, knownAs: proxy.url, ahead: relayAhead)
            proxy.lead(to: relay.address.port)
            let (places, place) = AsyncStream.makeStream(of: RelayPlace?.self)
            // The person of the test's only feed.
            let user = AwaitableValue(hub.owner.user)
            if keepsFeeds { try await hub.startSync(over: RelayedHouse.connector()) }
            let service = try AwayService(
                keepsFeeds ? AwayHub(hub) : AwayHub(hub, at: places) { _ in user.value },
                logger: AgentLab.log
            )
            let lab = AwayLab(
                home: home,
                hub: hub,
                folder: folder,
                store: store,
                relay: relay,
                away: service,
                proxy: proxy,
                relayAhead: relayAhead
            )
            lab.user = user
            lab.keepsFeeds = keepsFeeds
            lab.answerTime = answerTime
            lab.heartbeat = heartbeat
            let result: Result<Void, any Error>
            do {
                _ = try await lab.owner.call(HubMethods.hello, Hello(app: "hearth", purpose: ""))
                await service.start()
                if keepsFeeds {
                    _ = try await lab.owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                } else {
                    try await lab.register()
                }
                place.yield(RelayPlace(relay: relay.url, house: lab.house))
                try await lab.startNetwork()
                result = .success(try await body(lab))
            } catch {
                result = .failure(error)
            }
            for device in lab.devices { device.browsing.cancel() }
            for visitor in lab.visitors { visitor.agent.stop() }
            await service.stop()
            await lab.network?.stop()
            lab.owner.close()
            await proxy.stop()
            await lab.relay.stop()
            await lab.store.close()
            try result.get()
        }
    }

    private var user = AwaitableValue(UUID())
    private var keepsFeeds = false
    private var answerTime = Wait.limit
    private var heartbeat: Duration?

    // MARK: The relay

    /// The key by which the relay knows the hub.
    private var houseKey: IdentityKey { hub.identity.owner(of: house) }

    private static func serve(
        _ store: RelaySQLite,
        port: Int,
        knownAs url: String?,
        ahead: AwaitableValue<Int64> = AwaitableValue(0)
    ) async throws -> RelayServer {
        var configuration = RelayServer.Configuration(
            address: try #require(HTTPAddress("127.0.0.1:\(port)")),
            log: AgentLab.log
        )
        configuration.isOpen = true
        configuration.now = { Int64(Date().timeIntervalSince1970 * 1_000) + ahead.value }
        configuration.url = url.flatMap { URL(string: $0) }
        return try await RelayServer.start(configuration, store: store)
    }

    private func register() async throws {
        let client = try RelayClient(relay.url, as: houseKey)
        try await client.register(house, owners: [houseKey.publicKey])
        try await client.makeFeed(feed, in: house)
    }

    /// Sets the devices that read the feed, and may open pipes.
    func setReaders(_ keys: [IdentityKey], seq: Int64) async throws {
        let readers = keys.map { ReaderList.Reader($0.publicKey, [.read, .pipe]) }
        let client = try RelayClient(relay.url, as: houseKey)
        try await client.setReaders(ReaderList(seq: seq, readers: readers), of: feed, in: house)
    }

    /// Ends the relay, and starts it again at the same place.
    func restartRelay(whileGone body: () async throws -> Void) async throws {
        let port = relay.address.port
        await relay.stop()
        try await body()
        // Another test may have got its port for a moment.
        var started: RelayServer?
        try await Wait.until("the port is free") {
            started = try? await Self.serve(store, port: port, knownAs: proxy.url, ahead: relayAhead)
            return started != nil
        }
        relay = try #require(started)
    }

    /// Runs another relay meanwhile.
    func withSecondRelay(_ body: (RelayServer) async throws -> Void) async throws {
        let folder = folder.appending(path: "second relay")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try RelaySQLite(in: folder)
        let relay = try await Self.serve(store, port: 0, knownAs: nil)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(relay))
        } catch {
            result = .failure(error)
        }
        await relay.stop()
        await store.close()
        try result.get()
    }

    // MARK: The hub's network

    /// Opens the hub's port, at the one of the last time.
    func startNetwork() async throws {
        let port = await hub.networkPort() ?? 0
        var limits = NetworkLimits()
        (limits.greetingTime, limits.joinTime) = (600, 600)
        let service = NetworkService(
            NetworkedHub(hub),
            at: try #require(NetworkOption("127.0.0.1:\(port)")),
            for: .local,
            limits: limits,
            logger: AgentLab.log
        )
        await service.start()
        network = service
    }

    /// Closes the hub's port, as if its devices had left the network.
    func leaveNetwork() async {
        await network?.stop()
        network = nil
    }

    /// Lists the hub on the device's network.
    func announce(to device: Device) async throws {
        try device.discovery.list("Villa", hub.identity.publicKey, port: try #require(await hub.networkPort()))
    }

    // MARK: Devices

    /// A command of the hub's own user, at the hub.
    func command() -> RecordingClient {
        RecordingClient(app: "hearth") { [hub] in
            InProcessTransport(
                to: hub,
                as: SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            )
        }
    }

    /// Lets a device join, and tells it where the relay is.
    ///
    /// - Parameters:
    ///   - invitation: The code with which it joins; `nil` for one of the hub's own user.
    ///   - relayURL: Where the device finds the relay, if not at its own address.
    ///   - way: The device's way to the hub's port, if it isn't the port itself.
    func join(
        _ name: String = "Pixel 9",
        with invitation: String? = nil,
        at relayURL: String? = nil,
        through way: HoldingProxy? = nil
    ) async throws -> Device {
        var code = invitation
        if code == nil { code = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).code }
        var port = await network?.port
        while port == nil {
            try await Task.sleep(for: .milliseconds(5))
            port = await network?.port
        }
        let visitor = try await visitor(name)
        let (agent, ways, joined) = (visitor.agent, visitor.ways, visitor.joined)
        let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
        try await command.welcome()
        let open = try #require(port)
        way?.lead(to: open)
        let join = JoinHub(invitation: try #require(code), name: name, place: "127.0.0.1:\(way?.port ?? open)")
        _ = try await command.call(AgentMethods.join, join)
        command.close()
        let relayKey = IdentityKey()
        let stored = try #require(try await joined.until { $0 != nil })
        let key = try #require(IdentityKey(seed: stored.seed))
        // The feed is this person's.
        let person = try self.hub.authority(of: key.publicKey).user
        user.change { $0 = person }
        let hub = stored.id
        let device = Device(
            visitor: visitor,
            relayKey: relayKey,
            hub: hub,
            browsing: Task { await ways.browse() }
        )
        devices.append(device)
        guard !keepsFeeds else { return device }
        try await setReaders(devices.map(\.relayKey), seq: Int64(devices.count))
        let place = AwayPlace(relay: relayURL ?? relay.url, house: house, feed: feed, key: relayKey)
        ways.setAway(place, of: hub)
        return device
    }

    /// Starts a device's agent again, with what it has stored.
    func restartAgent(of device: Device, at relayURL: String) throws -> Device {
        device.browsing.cancel()
        device.agent.stop()
        let visitor = try Self.makeVisitor(
            in: URL(filePath: device.visitor.folder.path),
            answerTime: answerTime,
            heartbeat: heartbeat,
            followsFeeds: keepsFeeds
        ) { [house, feed] ways in
            ways.setAway(AwayPlace(relay: relayURL, house: house, feed: feed, key: device.relayKey), of: device.hub)
        }
        visitors.append(visitor)
        let ways = visitor.ways
        return Device(
            visitor: visitor,
            relayKey: device.relayKey,
            hub: device.hub,
            browsing: Task { await ways.browse() }
        )
    }

    // MARK: Devices that join from away

    /// A device with an agent that has joined no hub.
    struct Visitor {
        let agent: Agent
        let ways: WayFinder
        let discovery: AnnouncedHubs
        /// The hub as the agent knows it, once it connects to it.
        let joined: AwaitableValue<StoredHub?>
        let folder: AgentFolder

        func app() -> RecordingClient {
            RecordingClient(retries: true) { [agent] in AcceptorTransport(to: agent) }
        }

        /// Joins with a link. Returns the digits that it shows.
        func join(_ link: String, as name: String = "Pixel 9") async throws(HubError) -> String? {
            let command = RecordingClient(app: "hearth") { [agent] in AcceptorTransport(to: agent) }
            defer { command.close() }
            return try await command.call(AgentMethods.join, JoinHub(invitation: link, name: name)).digits
        }
    }

    /// Makes a device.
    func visitor(_ name: String) async throws -> Visitor {
        let visitor = try Self.makeVisitor(
            in: folder.appending(path: "agent \(name)"),
            answerTime: answerTime,
            heartbeat: heartbeat,
            followsFeeds: keepsFeeds
        )
        visitors.append(visitor)
        return visitor
    }

    /// Makes a device with its data in a folder.
    ///
    /// - Parameters:
    ///   - followsFeeds: Whether the hub says where the device's feed is; otherwise the test does.
    ///   - prepare: Called before the agent starts.
    static func makeVisitor(
        in folder: URL,
        answerTime: Duration,
        heartbeat: Duration? = nil,
        followsFeeds: Bool,
        prepare: (WayFinder) -> Void = { _ in }
    ) throws -> Visitor {
        let agentFolder = try AgentFolder(at: folder)
        let discovery = AnnouncedHubs()
        let ways = WayFinder(discovery: discovery, log: AgentLab.log) { try? agentFolder.store($0) }
        prepare(ways)
        let joined = AwaitableValue<StoredHub?>(nil)
        let joiner = HubJoiner(ways, searchTime: .seconds(60), furtherTime: .zero, log: AgentLab.log)
        let agent = try Agent(
            Agent.Configuration(
                folder: agentFolder,
                network: Agent.Network(
                    transport: { hub, isOwn in
                        joined.change { $0 = hub }
                        return ways.transport(to: hub, isOwn: isOwn)
                    },
                    join: { (parameters, prepare) async throws(HubError) in
                        try await joiner.join(parameters, prepare: prepare)
                    },
                    forget: { ways.forget($0) },
                    way: { ways.current($0) },
                    setAway: { if followsFeeds { ways.setAway($1, of: $0) } },
                    take: { (list, hub) throws(HubListError) in try ways.take(list, of: hub) },
                    takeLists: { (lists, hub) throws(HubListError) in try ways.take(lists, of: hub) },
                    isOneOfTwo: { ways.isOneOfTwo($0) }
                ),
                retry: WakeableRetryPolicy(shortest: .milliseconds(10), longest: .milliseconds(50)),
                answerTime: answerTime,
                heartbeat: heartbeat,
                log: AgentLab.log
            )
        )
        ways.onHint { [weak agent] in agent?.wake($0) }
        ways.onNear { [weak agent] in agent?.moveNear($0) }
        return Visitor(agent: agent, ways: ways, discovery: discovery, joined: joined, folder: agentFolder)
    }
}
