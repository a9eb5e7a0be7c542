import DNSSD
import Foundation
import HAPClient
import HomeHub
import HomeKit
import HomeModel
import HubAPI
import Logging
import Synchronization

/// A home in a test: its hub, its accessories and their network, the people who have a part in it, their apps, and the
/// time.
///
/// ``withTestHome(named:over:scope:isolation:_:)`` makes it and ends it.
public final class TestHome: Sendable {
    // A class, because the apps and accessories of a home mean the same one.

    private struct State {
        var apps: [AppKey: TestApp] = [:]
        var hosts: [AccessoryHost] = []
    }

    private struct AppKey: Hashable {
        var person: UUID?
        var app: String
    }

    /// The home's name.
    public let name: String
    /// What is between hub and accessories.
    public let link: TestLink
    /// Whose managers find it.
    public let scope: TestScope
    /// The time by which accessories do what takes time.
    public let clock = ManualClock()

    let network: TestNetwork
    /// The way of the home's apps to its hub.
    let door = HubConnector()
    let keeper: TestHubClient
    let codes: SetupCodeResponder
    /// The home's identity.
    let id: UUID
    private let folder: URL
    private let state = Mutex(State())

    /// The home of the test in whose task this is; of several within each other the inner one.
    @TaskLocal static var playing: TestHome?

    /// The home of the test that runs, for what is called by it: with the trait ``Testing/Trait/testHome(named:over:scope:prepare:)``
    /// for the test itself.
    ///
    /// - Throws: ``TestHomeError`` where there is none, as in a detached task, or on a queue of Dispatch.
    public static var current: TestHome {
        get throws(TestHomeError) {
            guard let playing else {
                throw TestHomeError(
                    "No test home is here. A test gets one by the trait .testHome() or by withTestHome; detached tasks "
                        + "and work on queues of Dispatch have to be handed theirs."
                )
            }
            return playing
        }
    }

    /// Where homes keep their data, each in a folder whose name ends in the number of its process.
    package static var folders: URL { FileManager.default.temporaryDirectory }

    /// The shortest and the longest wait of the hub between tries to reach an accessory.
    private static let reconnectDelay = Duration.milliseconds(20)...Duration.milliseconds(500)

    init(_ name: String, over link: TestLink, _ scope: TestScope) async throws {
        self.name = name
        self.link = link
        self.scope = scope
        let network = TestNetwork(link)
        self.network = network
        let codes = SetupCodeResponder()
        self.codes = codes
        keeper = TestHubClient(codes: codes)
        let process = ProcessInfo.processInfo.processIdentifier
        folder = Self.folders.appending(path: "hearth-test-\(UUID().uuidString)-\(process)")
        let hub: HomeHub
        do {
            hub = try await Self.startHub(in: folder, on: network)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        do {
            try await keeper.connect(to: hub)
            id = try await keeper.call(HubMethods.addHome, AddHome(name: name)).id
        } catch {
            await hub.stop()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        door.open(to: hub)
        ProcessTestEnvironment.shared.install()
    }

    /// Starts a hub on the home's data.
    func startHub() async throws -> HomeHub {
        try await Self.startHub(in: folder, on: network)
    }

    private static func startHub(in folder: URL, on network: TestNetwork) async throws -> HomeHub {
        var session = SessionConfiguration()
        session.connector = network.connector
        session.reconnectDelay = reconnectDelay
        var pairer = PairerConfiguration()
        pairer.connector = network.connector
        let configuration = HubConfiguration(
            data: folder,
            keptCopies: 0,
            userName: "Owner",
            log: Logger(label: "hearth.test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return try await HomeHub(configuration, session: session, pairer: pairer) { network.board.sharedView }
    }

    /// Ends everything and removes what was stored.
    func end() async {
        let hub = door.hub
        door.shut()
        let hosts = state.withLock { state in
            state.apps = [:]
            return state.hosts
        }
        await hub?.stop()
        await network.board.shutdown()
        await withTaskGroup { group in
            for host in hosts { group.addTask { await host.stop() } }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: People and apps

    /// Who made the home.
    public var owner: TestPerson { TestPerson(name: "Owner", id: nil, home: self) }

    /// An app of the owner; the same one each time for the same name.
    public func app(_ name: String = TestApp.usualName) -> TestApp {
        owner.app(name)
    }

    func app(_ name: String, of person: TestPerson) -> TestApp {
        state.withLock { state in
            let key = AppKey(person: person.id, app: name)
            if let app = state.apps[key] { return app }
            let isOnStage = scope == .process && person.id == nil && name == TestApp.usualName
            let app = isOnStage ? TestApp(onStageIn: self) : TestApp(name, of: person, in: self)
            state.apps[key] = app
            return app
        }
    }

    /// Gives somebody a part in the home who may use it, and change nothing of its layout.
    public func guest(_ name: String = "Guest") async throws -> TestPerson {
        try await person(name, .guest)
    }

    /// Gives somebody a part in the home who may change its layout, too.
    public func administrator(_ name: String = "Administrator") async throws -> TestPerson {
        try await person(name, .administrator)
    }

    private func person(_ name: String, _ role: Role) async throws -> TestPerson {
        let person = try await keeper.call(HubMethods.addUser, AddUser(home: id, name: name, role: role))
        guard let account = await door.hub?.account(of: person.id, in: id, to: TestHubClient.app) else {
            throw TestHomeError("The hub has not been started.")
        }
        return TestPerson(name: name, id: account, home: self)
    }

    // MARK: Hosts

    func keep(_ host: AccessoryHost) {
        state.withLock { $0.hosts.append(host) }
    }

    var hosts: [AccessoryHost] { state.withLock { $0.hosts } }
}
