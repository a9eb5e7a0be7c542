import DNSSD
import Foundation
import HAPClient
import HomeHub
import HomeKit
import HomeModel
import HubAPI
import Logging
import Synchronization

/// A home in a test, with its hub, accessories, network, users, apps and clock.
///
/// ``withTestHome(named:over:scope:isolation:_:)`` creates it and removes it.
public final class TestHome: Sendable {
    // This is a class because the apps and accessories of a home share it.

    private struct State {
        var apps: [AppKey: TestApp] = [:]
        var hosts: [AccessoryHost] = []
        var devices: [TestDevice] = []
    }

    private struct AppKey: Hashable {
        var person: UUID?
        var device: UUID?
        var app: String
    }

    /// The home's name.
    public let name: String
    /// The link between the hub and the accessories.
    public let link: TestLink
    /// The managers that find this home.
    public let scope: TestScope
    /// The clock of accessories, for operations that take time. Automations follow ``time``.
    public let clock = ManualClock()

    let network: TestNetwork
    /// The connector of the home's apps to its hub.
    let connector = HubConnector()
    let client: TestHubClient
    let codes: SetupCodeResponder
    let people = PeopleResponder()
    /// The home's identity.
    let id: UUID
    private let folder: URL
    private let state = Mutex(State())

    /// The home of the test that this task belongs to. For nested homes, the innermost.
    @TaskLocal static var active: TestHome?

    /// The home of the current test, also inside of functions that the test calls. For the trait, see
    /// ``Testing/Trait/testHome(named:over:scope:prepare:)``.
    ///
    /// - Throws: ``TestHomeError`` if there is none, as in a detached task or on a Dispatch queue.
    public static var current: TestHome {
        get throws(TestHomeError) {
            guard let active else {
                throw TestHomeError(
                    "No test home is available here. Use the trait .testHome() or withTestHome to create one; pass it "
                        + "explicitly to detached tasks and to work on Dispatch queues."
                )
            }
            return active
        }
    }

    /// The folder for homes' data. Each home has a folder whose name ends in the process ID.
    package static var folders: URL { FileManager.default.temporaryDirectory }

    /// The minimum and maximum delay between the hub's attempts to reach an accessory.
    private static let reconnectDelay = Duration.milliseconds(20)...Duration.milliseconds(500)

    init(_ name: String, over link: TestLink, _ scope: TestScope) async throws {
        self.name = name
        self.link = link
        self.scope = scope
        let network = TestNetwork(link)
        self.network = network
        let codes = SetupCodeResponder()
        self.codes = codes
        client = TestHubClient(codes: codes, people: people)
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
            try await client.connect(to: hub)
            id = try await client.call(HubMethods.addHome, AddHome(name: name)).id
        } catch {
            await hub.stop()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        connector.open(to: hub)
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
            clockKind: .manual,
            log: Logger(label: "hearth.test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return try await HomeHub(configuration, session: session, pairer: pairer) { network.board.sharedView }
    }

    /// Stops everything and removes the stored data.
    func end() async {
        let hub = connector.hub
        connector.closePermanently()
        let (hosts, devices) = state.withLock { state in
            state.apps = [:]
            return (state.hosts, state.devices)
        }
        for device in devices { device.connector.closePermanently() }
        await hub?.stop()
        await network.board.shutdown()
        await withTaskGroup { group in
            for host in hosts { group.addTask { await host.stop() } }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Users and apps

    /// Returns an app of a user, on a device or, without one, on the hub's own machine.
    func app(_ name: String, of person: TestPerson, on device: TestDevice? = nil) -> TestApp {
        state.withLock { state in
            let key = AppKey(person: person.id, device: device?.id, app: name)
            if let app = state.apps[key] { return app }
            let isProcessApp =
                scope == .process && person.id == nil && device == nil && name == TestApp.defaultName
            let app =
                isProcessApp
                ? TestApp(forProcessIn: self)
                : TestApp(name, of: person, on: device?.connector ?? connector, in: self)
            state.apps[key] = app
            return app
        }
    }

    func add(_ device: TestDevice) {
        state.withLock { $0.devices.append(device) }
    }

    /// The users' devices, in the order in which they were added.
    var devices: [TestDevice] { state.withLock { $0.devices } }

    // MARK: Hosts

    func register(_ host: AccessoryHost) {
        state.withLock { $0.hosts.append(host) }
    }

    var hosts: [AccessoryHost] { state.withLock { $0.hosts } }
}
