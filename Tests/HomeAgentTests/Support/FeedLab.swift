import Foundation
import GRDB
import HomeHub
import HomeIdentity
import HomeModel
import HostileRelay
import HubAPI
import HubServer
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import SealedFeed
import WebServer

@testable import HomeAgent

/// A hub that writes its owner's feed to a relay, and an agent that reads it there, through a relay that can lie.
final class FeedLab {
    let lab: AgentLab
    let relay: HostileRelay
    private(set) var address = FeedAddress(house: .random(), feed: .random())
    /// The agent's device.
    let device = UUID()
    /// Another device of the person's, which is removed to make a new generation.
    let other = (id: UUID(), box: BoxKey(), key: IdentityKey())
    /// The owner's client, which asks the honest relay.
    let owner: RelayClient
    private let ownerKey: IdentityKey
    private let url: String
    /// The time at the agent.
    let clock: TestClock
    /// What the agent has told the hub.
    let keys = AwaitableValue<FeedKeys?>(nil)
    /// The last place that the writer has told, which is old while it writes; `nil` while it waits or has stopped.
    let place = AwaitableValue<FeedPlace?>(nil)
    /// What the writer has appended.
    private let note = AwaitableValue(NotedHouse.Note())
    private(set) var writer: FeedWriter?
    private var tasks: [Task<Void, Never>] = []
    private let direct: RecordingClient

    private init(
        _ lab: AgentLab,
        _ relay: HostileRelay,
        owner: RelayClient,
        _ ownerKey: IdentityKey,
        at url: String,
        clock: TestClock
    ) {
        self.ownerKey = ownerKey
        self.url = url
        self.lab = lab
        self.relay = relay
        self.owner = owner
        self.clock = clock
        direct = lab.direct()
    }

    /// Runs a test with a home, which the agent's copy has, and a feed that has everything.
    static func run(_ body: (FeedLab) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let hostile = try await HostileRelay()
        let store = try RelaySQLite(in: folder)
        guard let address = HTTPAddress("127.0.0.1:0") else { return }
        var configuration = RelayServer.Configuration(address: address, log: AgentLab.log)
        configuration.isOpen = true
        configuration.url = URL(string: hostile.url)
        let server = try await RelayServer.start(configuration, store: store)
        hostile.upstream = server.address.port
        let clock = TestClock()
        let outcome: Result<Void, any Error>
        do {
            try await AgentLab.run(now: { clock.now }, joins: false) { lab in
                let key = IdentityKey()
                let owner = try RelayClient(server.url, as: key)
                let feeds = FeedLab(lab, hostile, owner: owner, key, at: server.url, clock: clock)
                defer { for task in feeds.tasks { task.cancel() } }
                try await feeds.begin()
                try await body(feeds)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await hostile.stop()
        await server.stop()
        await store.close()
        try outcome.get()
    }

    /// The last entry, if the hub is sure of it, as the hub tells it.
    private static func place(
        _ place: AwaitableValue<FeedPlace?>,
        _ note: AwaitableValue<NotedHouse.Note>
    ) -> FeedLocation.Place? {
        let appended = note.value
        guard let place = place.value, place.head == appended.head, !appended.isAppending else { return nil }
        return FeedLocation.Place(term: place.term, seq: place.sequence, head: "\(place.head)")
    }

    /// Where the hub says that the feed is.
    var standing: FeedStanding {
        var standing = standing(at: address, for: device)
        standing.location?.place = Self.place(place, note)
        return standing
    }

    private func standing(at address: FeedAddress, for device: UUID) -> FeedStanding {
        FeedStanding(
            FeedLocation(
                relay: relay.url,
                house: "\(address.house)",
                feed: "\(address.feed)",
                device: device,
                hub: lab.hub.owner.device
            )
        )
    }

    /// Moves the feed to another house, as a hub does that is told to use another relay.
    func move() async throws {
        let next = FeedAddress(house: .random(), feed: .random())
        try await end(telling: standing(at: next, for: UUID()))
        address = next
        try await startWriter()
        try await published()
    }

    /// Ends the feed, with a last entry.
    func end(telling standing: FeedStanding = FeedStanding(nil)) async throws {
        guard await writer?.finish(telling: standing, within: .seconds(60)) == true else {
            throw HubError(.timedOut, "The relay didn't get the last entry.")
        }
        for task in tasks {
            task.cancel()
            await task.value
        }
        (tasks, writer) = ([], nil)
        place.change { $0 = nil }
    }

    private func begin() async throws {
        try await direct.welcome()
        _ = try await direct.call(HubMethods.addHome, AddHome(name: "Villa"))
        let (standing, keys) = (standing, keys)
        lab.way.key = lab.hub.identity.publicKey.base64
        let (place, note) = (place, note)
        lab.way.setOpenFeed { told in
            keys.change { $0 = told }
            var now = standing
            now.location?.place = Self.place(place, note)
            return now
        }
        try await lab.join(lab.way, named: "Villa")
        try await keys.until { $0 != nil }
        try await startWriter()
        try await published()
        try await near()
    }

    /// Starts the hub's writer for the devices that the feed is for.
    private func startWriter() async throws {
        let house = try RelayedHouse.connector()(RelayPlace(relay: url, house: address.house), ownerKey)
        try await house.register()
        try await house.makeFeed(address.feed)
        let writer = try await lab.hub.feedWriter(
            of: lab.hub.owner.user,
            at: address,
            for: devices(with: true, other: true),
            NotedHouse(house: house, note: note)
        )
        self.writer = writer
        let statuses = await writer.statuses
        let place = place
        tasks.append(Task { await writer.run() })
        tasks.append(
            Task {
                for await status in statuses {
                    if case .current(let now) = status { place.change { $0 = now } } else { place.change { $0 = nil } }
                }
            }
        )
    }

    private func devices(with isReader: Bool, other isOther: Bool) -> [UUID: FeedReaderDevice] {
        var devices: [UUID: FeedReaderDevice] = [:]
        if isOther {
            devices[other.id] = FeedReaderDevice(box: other.box.publicBox, access: FeedAccess(other.key.publicKey))
        }
        let told = keys.value
        if isReader, let box = told.flatMap({ PublicBox($0.box) }), let key = told.flatMap({ PublicKey($0.relayKey) }) {
            devices[device] = FeedReaderDevice(box: box, access: FeedAccess(key, hasVault: true))
        }
        return devices
    }

    // MARK: What happens at home

    /// What apps see at the hub itself.
    func expected() async throws -> [String: [String]] { try direct.state.canonical }

    var home: UUID { direct.state.homes.keys.first ?? UUID() }

    /// Calls a method at the hub.
    @discardableResult
    func atHub<Parameters, Reply>(_ method: Method<Parameters, Reply>, _ parameters: Parameters) async throws -> Reply {
        try await direct.call(method, parameters)
    }

    /// Adds rooms at the hub, each in an entry of its own.
    func addRooms(_ names: String...) async throws {
        for name in names {
            try await atHub(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
            try await published()
        }
    }

    var directState: HubState { direct.state }

    /// Waits until the relay has everything.
    func published() async throws {
        let hubs = [lab.hub.owner.device: lab.hub.identity.publicKey]
        for _ in 0..<3_000 {
            // Changes over other connections may be on their way here.
            let expected = try await expected()
            if let place = place.value, let read = try? await read(as: other.id, other.box, hubs),
                read.place.head == place.head, try read.canonical(for: lab) == expected
            {
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw HubError(.timedOut, "The relay didn't get everything.")
    }

    /// Changes the home until the hub has written a base after an entry.
    func untilBase(after number: Int) async throws {
        for step in 0..<200 {
            if try await owner.status(of: address.feed, in: address.house).base > number { return }
            try await addRooms("Room \(step)")
        }
        throw HubError(.timedOut, "The hub writes no base.")
    }

    /// Gives the feed's key to these devices only.
    func setDevices(reader: Bool, other isOther: Bool) {
        writer?.setDevices(devices(with: reader, other: isOther))
    }

    /// Takes the hub out of reach.
    func cutHub() async throws {
        lab.way.cut()
        try await lab.away()
    }

    /// Has the agent compare the places once more, as on a new connection.
    func meetAgain() { lab.agent.hubs.first?.feed?.send(.near) }

    /// Brings the hub back, and waits until the agent has compared the places.
    func near() async throws {
        lab.way.mend()
        lab.agent.hubs.first?.wake()
        try await lab.nearAgain()
        for _ in 0..<3_000 {
            let feed = lab.agent.hubs.first?.feed
            if feed?.awaitsPlace == false { return }
            // As the agent does again after a while, if the hub wasn't sure.
            feed?.send(.met(standing))
            try await Task.sleep(for: .milliseconds(10))
        }
        throw HubError(.timedOut, "The hub wasn't met.")
    }

    // MARK: What the agent has

    /// What the agent has stored of its feed.
    func kept() throws -> KeptFeed? {
        lab.agent.hubs.first?.flush()
        let queue = try DatabaseQueue(path: lab.copyPath)
        defer { try? queue.close() }
        return try queue.read { try CopyTransaction(database: $0).feed() }?.kept
    }

    /// Lets the agent look at the relay at once, as it does again after a while.
    func look() { lab.agent.hubs.first?.feed?.send(.moved(standing)) }

    /// Waits until the agent has read all that the relay has, and returns the number of the last entry.
    func caughtUp() async throws -> Int {
        let status = try await owner.status(of: address.feed, in: address.house)
        look()
        try await untilFeed { $0.place?.seq == Int(status.seq) }
        return Int(status.seq)
    }

    /// Waits until the relay was asked something since its script began.
    func untilAsked(_ kind: HostileRequest.Kind) async throws {
        for _ in 0..<3_000 {
            if relay.requests.contains(where: { $0.kind == kind }) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw HubError(.timedOut, "The relay wasn't asked.")
    }

    /// The keys that the agent has stored.
    func settings() throws -> FeedSettings? {
        let file = lab.copyPath.replacing("copy.sqlite", with: "feed.json")
        return try JSONDecoder().decode(FeedSettings.self, from: Data(contentsOf: URL(filePath: file)))
    }

    /// What the agent says of its feed.
    func feed() async throws -> AgentFeed? {
        let client = lab.command(retries: true)
        defer { client.close() }
        return try await client.call(AgentMethods.hubs, Empty()).hubs.first?.feed
    }

    /// Waits until the agent says something of its feed.
    func untilFeed(_ condition: (AgentFeed) -> Bool) async throws {
        try await lab.untilHubs { hubs in hubs.first?.feed.map(condition) ?? false }
    }

    /// What the copy shows to apps.
    func shown() throws -> [String: [String]]? {
        try lab.agent.hubs.first?.shown(to: "com.example.lights")?.canonical
    }

    // MARK: What the relay has

    /// What another reader has read.
    struct Read {
        var state = HubState()
        var keys: FeedHomeKeys?
        var place = FeedPlace.start

        func canonical(for lab: AgentLab) throws -> [String: [String]]? {
            guard let keys else { return nil }
            var copy = CopyState()
            copy.hub = state
            copy.keys = HomeKeys(user: keys.user, keys: keys.keys)
            guard let snapshot = copy.snapshot(for: "com.example.lights", .app, because: nil) else { return nil }
            var shown = HubState()
            shown.apply(.reset(snapshot))
            return try shown.canonical
        }
    }

    /// All entries at the honest relay after a number.
    func entries(after number: Int = 0) async throws -> [Data] {
        try await owner.entries(of: address.feed, in: address.house, after: Int64(number))
    }

    /// Reads the feed from its last base as another device does.
    private func read(as id: UUID, _ box: BoxKey, _ hubs: [UUID: PublicKey]) async throws -> Read {
        var reader = FeedReader(KeptFeed(address, device: id), hubs: hubs, box: box)
        var read = Read()
        let status = try await owner.status(of: address.feed, in: address.house)
        for entry in try await entries(after: Int(status.base) - 1) {
            var step = try reader.receive(Array(entry))
            if case .fetchEnvelope(let generation) = step {
                let envelope = try await owner.envelope(
                    Int64(generation),
                    to: id,
                    of: address.feed,
                    in: address.house
                )
                try reader.receive(envelope: Array(envelope))
                step = try reader.receive(Array(entry))
            }
            guard case .update(let update) = step else { continue }
            read.keys = update.content.homeKeys ?? read.keys
            for event in try FeedEvents.decode(update.content) { read.state.apply(event) }
        }
        read.place = reader.kept.place
        return read
    }
}

/// The agent's time, which the test moves.
final class TestClock: Sendable {
    // This is a class because the agent and the test share it.

    private let offset = AwaitableValue<TimeInterval>(0)

    var now: Date { Date().addingTimeInterval(offset.value) }

    func advance(hours: Double) { offset.change { $0 += hours * 3_600 } }
}
