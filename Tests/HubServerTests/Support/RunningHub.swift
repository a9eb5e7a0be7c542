import DNSSD
import Foundation
import HAP
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import LocalRPC
import HubNetwork
import Logging
import PeerProcess
import RelayClient
import Replication
import Synchronization
import Testing

@testable import HomeHub
@testable import HubServer

/// A hub that runs, with its port on the loopback interface and its connection to another hub.
struct RunningHub {
    let hub: HomeHub
    let links: HubLinkService
    let network: NetworkService
    private let life = Life()

    /// Whether a hub was stopped, which happens once.
    private final class Life: Sendable {
        // This is a class because all copies of the running hub share it.

        private let isOver = Mutex(false)

        func end() -> Bool {
            isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
        }
    }

    static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` with a new folder, then removes it.
    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-pair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// Starts a hub on a data folder.
    ///
    /// - Parameters:
    ///   - port: Its port; 0 for any free one.
    ///   - house: A house at a relay that votes; `nil` for none.
    ///   - usesRelay: Whether the relay at which it keeps feeds votes, as with the hub's command.
    ///   - start: The time at which a new folder's manual clock begins; `nil` for the system's clock.
    ///   - now: The system's clock.
    static func start(
        _ folder: URL,
        port: Int = 0,
        voting house: House? = nil,
        usesRelay: Bool = false,
        from start: Date? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> RunningHub {
        var configuration = HubConfiguration(data: folder, interfaces: [.loopback], log: log)
        configuration.now = now
        if let start { (configuration.clockKind, configuration.now) = (.manual, { start }) }
        let hub = try await HomeHub(configuration)
        let client = try house.map { try RelayClient($0.relay, as: hub.identity) }
        if let house, let list = hub.hubList { try await client?.register(house.id, owners: list.keys) }
        try await hub.startSync(over: RelayedHouse.connector(others: { hub.otherOwners(of: $0) }))
        let links = HubLinkService(hub, logger: log) { list in
            if usesRelay { return RelayedVoter(for: hub, pair: Int64(list.sequence)) }
            guard let client, let house else { return NoRelay() }
            return RelayVotes(client, house: house.id, hub: hub.owner.device, pair: Int64(list.sequence))
        }
        await links.start()
        var limits = NetworkLimits()
        (limits.greetingTime, limits.joinTime) = (600, 600)
        let network = NetworkService(
            NetworkedHub(hub, links: links),
            at: try #require(NetworkOption("127.0.0.1:\(port)")),
            for: .local,
            limits: limits,
            logger: log
        )
        await network.start()
        return RunningHub(hub: hub, links: links, network: network)
    }

    /// A house at a relay.
    struct House {
        var relay: String
        let id = HouseID.random()
    }

    /// Stops the hub, unless it was stopped.
    func stop() async {
        guard life.end() else { return }
        await links.stop()
        await network.stop()
        await hub.stop()
    }

    /// Runs a body, then stops the hub.
    func run<Result>(_ body: (RunningHub) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(self)
            await stop()
            return result
        } catch {
            await stop()
            throw error
        }
    }

    /// The authority of the hub's own user.
    var authority: SessionAuthority {
        SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
    }

    /// A connection of the hub's own user on the hub's machine.
    func owner(onEvent: @escaping @Sendable (HubEvent) -> Void = { _ in }) async throws -> HubConnection {
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority), onEvent: onEvent)
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
        return connection
    }

    /// Adds a home, and returns its ID.
    func addHome(_ name: String) async throws -> UUID {
        let owner = try await owner()
        defer { owner.close() }
        return try await owner.call(HubMethods.addHome, AddHome(name: name)).id
    }

    /// Lets a second hub join, which then has the homes. The first one runs on.
    func letJoin(_ second: URL, as name: String = "Cellar") async throws {
        let (questions, asked) = AsyncStream.makeStream(of: Question.self)
        let owner = try await owner { event in
            if case .asked(let question) = event { asked.yield(question) }
        }
        defer { owner.close() }
        _ = try await owner.call(HubMethods.questions, Empty())
        let link = try InvitationLink(try #require(try await owner.call(HubMethods.inviteHub, Empty()).link).url)
        let folder = try await JoiningHub.open(second)
        async let joining: Void = HubJoining(folder, log: Self.log).join(link, as: name) { _, _ in }
        let question = try #require(await questions.first { $0.kind == .joining })
        _ = try await owner.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: QuestionField.yes))
        try await joining
        try await folder.close()
    }

    /// Gives a hub that doesn't run a manual clock.
    static func setClock(of folder: URL, to time: Date) async throws {
        let store = try await HomeStore.open(at: folder)
        try await store.setMetadata(HubClock.Kind.manual.rawValue, for: .clock)
        try await store.setMetadata("\(Int64(time.timeIntervalSince1970 * 1_000))", for: .manualTime)
        try await store.close()
    }

    /// Adds a room, as soon as the hub can.
    func addRoom(_ name: String, in home: UUID) async throws {
        try await Wait.until("“\(name)” is added") {
            let owner = try await owner()
            defer { owner.close() }
            _ = try? await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
            // One whose outcome wasn't known may be there too.
            return await rooms(of: home).contains(name)
        }
    }

    /// The names of a home's rooms.
    func rooms(of home: UUID) async -> Set<String> {
        Set(await hub.database.stored.homes[home]?.rooms.map(\.name) ?? [])
    }

    /// Waits until the hub has a room.
    func has(_ room: String, in home: UUID) async throws {
        try await Wait.until("the hub has “\(room)”") { await rooms(of: home).contains(room) }
    }

    /// How the hubs stand.
    func hubs() async throws -> HubsStatus {
        let owner = try await owner()
        defer { owner.close() }
        return try await owner.call(HubMethods.hubs, Empty())
    }

    /// What the hub is to the homes; `nil` if it is alone.
    var role: HubRole? {
        get async { await links.role }
    }

    /// Whether the hub leads.
    var leads: Bool {
        get async {
            guard let role = await role, case .leading = role else { return false }
            return true
        }
    }

    /// Whether the hub follows the other one.
    var follows: Bool {
        get async {
            guard let role = await role, case .following = role else { return false }
            return true
        }
    }

    /// Waits until the hub reaches an accessory server.
    func reaches(_ server: DeviceID) async throws {
        try await Wait.until("the accessory is reachable") {
            await hub.connections.links[server]?.attributes != nil
        }
    }
}
