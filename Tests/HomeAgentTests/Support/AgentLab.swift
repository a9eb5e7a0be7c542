import DNSSD
import Foundation
import HomeAgent
import HomeHub
import HomeModel
import HubAPI
import LocalRPC
import Logging
import PeerProcess

/// A hub, a way to it, and an agent on a device, all in this process.
final class AgentLab {
    let folder: URL
    private(set) var hub: HomeHub
    let way: TestWay
    private(set) var agent: Agent
    private let ways: Ways
    private let options: Options

    /// How an agent asks about apps, and how often it tries to reach hubs.
    private struct Options {
        var asksAboutApps = false
        var questionTimeout = Duration.seconds(120)
        var retry: WakeableRetryPolicy
        var now: @Sendable () -> Date = { Date() }
    }

    /// The ways to hubs by the hubs' IDs at the agent.
    final class Ways: Sendable {
        private let ways: AwaitableValue<[UUID: TestWay]>

        init() { ways = AwaitableValue([:]) }

        subscript(id: UUID) -> TestWay? {
            get { ways.value[id] }
            set { ways.change { $0[id] = newValue } }
        }
    }

    static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private init(folder: URL, hub: HomeHub, way: TestWay, ways: Ways, agent: Agent, options: Options) {
        self.folder = folder
        self.hub = hub
        self.way = way
        self.ways = ways
        self.agent = agent
        self.options = options
    }

    /// Runs a test with a hub and an agent that has joined it.
    static func run<Result>(
        asksAboutApps: Bool = false,
        questionTimeout: Duration = .seconds(120),
        retry: WakeableRetryPolicy = WakeableRetryPolicy(shortest: .milliseconds(5), longest: .milliseconds(20)),
        now: @escaping @Sendable () -> Date = { Date() },
        joins: Bool = true,
        _ body: (AgentLab) async throws -> Result
    ) async throws -> Result {
        let options = Options(
            asksAboutApps: asksAboutApps,
            questionTimeout: questionTimeout,
            retry: retry,
            now: now
        )
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-agent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let hub = try await startHub(in: folder.appending(path: "hub"))
        let way = TestWay(to: hub)
        let ways = Ways()
        let agent = try startAgent(in: folder.appending(path: "agent"), ways, options)
        let lab = AgentLab(folder: folder, hub: hub, way: way, ways: ways, agent: agent, options: options)
        do {
            if joins { try await lab.join(way, named: "Villa") }
            let result = try await body(lab)
            lab.agent.stop()
            await lab.hub.stop()
            return result
        } catch {
            lab.agent.stop()
            await lab.hub.stop()
            throw error
        }
    }

    static func startHub(in folder: URL, named user: String = "Owner") async throws -> HomeHub {
        try await HomeHub(
            HubConfiguration(data: folder, interfaces: [.loopback], keptCopies: 0, userName: user, log: log)
        )
    }

    private static func startAgent(in folder: URL, _ ways: Ways, _ options: Options) throws -> Agent {
        let network = Agent.Network(
            transport: { hub, _ in ways[hub.id]?.transport() ?? TestWayless() },
            join: { parameters, _ throws(HubError) in
                guard let id = UUID(uuidString: parameters.invitation), ways[id] != nil else {
                    throw HubError(.wrongCode, "That is not the code.")
                }
                let hub = StoredHub(
                    id: id,
                    name: parameters.name,
                    key: ways[id]?.key ?? id.uuidString,
                    seed: Data(),
                    device: UUID(),
                    person: "",
                    addresses: [],
                    joined: Date()
                )
                return (hub, nil)
            }
        )
        return try Agent(
            Agent.Configuration(
                folder: AgentFolder(at: folder),
                network: network,
                retry: options.retry,
                asksAboutApps: options.asksAboutApps,
                questionTimeout: options.questionTimeout,
                now: options.now,
                log: log
            )
        )
    }

    /// Lets the device join a hub.
    func join(_ way: TestWay, named name: String) async throws {
        let id = UUID()
        ways[id] = way
        let client = command()
        try await client.welcome()
        _ = try await client.call(AgentMethods.join, JoinHub(invitation: id.uuidString, name: name))
        client.close()
        try await nearAgain(agent.hubs.count)
    }

    /// Waits until hubs are in reach.
    func nearAgain(_ count: Int = 1) async throws {
        try await untilHubs { $0.filter { $0.standing.state == .near }.count == count }
    }

    /// Waits until no hub is in reach.
    func away() async throws {
        try await untilHubs { hubs in hubs.allSatisfy { $0.standing.state == .away } }
    }

    func untilHubs(_ condition: ([AgentHubs.Hub]) -> Bool) async throws {
        let client = command(retries: true)
        defer { client.close() }
        for _ in 0..<6_000 {
            // A session ends while the agent's hubs come and go.
            if let hubs = try? await client.call(AgentMethods.hubs, Empty()), condition(hubs.hubs) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw HubError(.timedOut, "The hubs didn't come to what was waited for.")
    }

    /// Starts the agent again, as after a restart of the device.
    func restartAgent() throws {
        agent.stop()
        try startAgentAgain()
    }

    /// Starts another agent on the same data, as after the first one was killed.
    func startAgentAgain() throws {
        agent = try Self.startAgent(in: folder.appending(path: "agent"), ways, options)
    }

    func command(retries: Bool = false) -> RecordingClient {
        app("hearth", retries: retries)
    }

    /// Connects an app to the agent.
    func app(
        _ name: String = "com.example.lights",
        retries: Bool = false,
        seen: LogCursors? = nil,
        former: PreviousConnection? = nil,
        subscriptions: CharacteristicSet? = nil
    ) -> RecordingClient {
        let agent = agent
        return RecordingClient(
            app: name,
            retries: retries,
            seen: seen,
            former: former,
            subscriptions: subscriptions
        ) {
            AcceptorTransport(to: agent)
        }
    }

    /// Connects an app to the hub itself.
    func direct(_ name: String = "com.example.lights", as user: UUID? = nil) -> RecordingClient {
        let hub = hub
        let authority = SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .person)
        return RecordingClient(app: name) { InProcessTransport(to: hub, as: authority) }
    }
}

/// A transport that leads nowhere.
private struct TestWayless: RPCTransport {
    typealias Event = HubEvent

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        receive(.closed(HubError(.noHub, "There is no way.")))
    }

    func send(_ request: HubRequest) {}
    func close() {}
}
