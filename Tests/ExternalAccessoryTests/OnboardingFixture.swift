import AccessorySimulator
import DNSSD
import Foundation
import HAPServer
import HomeHub
@testable import HomeKitTesting
import HubAPI
import Logging
import PeerProcess
import Synchronization
import Testing

/// A hub with a setup network, and simulated accessories that aren't in the home's network yet. Both networks are in
/// memory; the configuration itself is sent over TCP on the loopback interface.
struct OnboardingFixture: Sendable {
    static let network = "Home ☕"
    static let passphrase = "correct horse battery"

    let hub: HomeHub
    let folder: URL
    /// The home's network.
    let home: MemoryServiceDiscovery
    /// The network in which accessories wait for their configuration.
    let setup: MemoryServiceDiscovery

    /// Runs `body` with a hub, then stops the hub and removes its data.
    ///
    /// - Parameter hasSetupInterface: Whether the hub looks for accessories that aren't on the network.
    static func with(
        hasSetupInterface: Bool = true,
        joinTimeout: Duration = Wait.limit,
        asksAboutApps: Bool = false,
        _ body: (OnboardingFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-onboarding-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (home, setup) = (MemoryServiceDiscovery(), MemoryServiceDiscovery())
        let configuration = HubConfiguration(
            data: folder.appending(path: "hub"),
            joinTimeout: joinTimeout,
            asksAboutApps: asksAboutApps,
            userName: "Owner",
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let hub = try await HomeHub(configuration) {
            home.sharedView
        } setup: {
            hasSetupInterface ? setup.sharedView : nil
        }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(OnboardingFixture(hub: hub, folder: folder, home: home, setup: setup)))
        } catch {
            outcome = .failure(error)
        }
        await hub.stop()
        await home.shutdown()
        await setup.shutdown()
        try outcome.get()
    }

    /// Runs `body` with a simulated lamp that isn't on the network.
    func withLamp(_ name: String = "Lamp", _ body: (Simulator) async throws -> Void) async throws {
        var description = AccessoryDescription.lamp(name)
        description.accessories[0].information.manufacturer = "Maker"
        var configuration = SimulatorConfiguration(
            accessories: [description],
            dataFolder: folder.appending(path: "lamp").path,
            bindAddress: "127.0.0.1"
        )
        configuration.advertiser = Advertiser(by: home.sharedView)
        var network = SimulatedNetwork(
            setupInterfaces: ["127.0.0.1"],
            name: Self.network,
            passphrase: Self.passphrase
        )
        network.advertiser = Advertiser(by: setup.sharedView)
        configuration.network = network
        let simulator = try Simulator(configuration)
        _ = try await simulator.start()
        do {
            try await body(simulator)
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    func client(
        as authority: SessionAuthority? = nil,
        app: String = OnboardingClient.app
    ) async throws -> OnboardingClient {
        try await OnboardingClient(to: hub, as: authority, app: app)
    }
}

/// A client of the hub that records the accessories that aren't on the network, and the questions.
final class OnboardingClient: Sendable {
    struct Record: Sendable {
        var accessories: [UUID: UnconfiguredAccessory] = [:]
        var lost: [UUID] = []
        var questions: [Question] = []
    }

    private let record = Mutex(Record())
    private let connection: Mutex<HubConnection?>
    let hub: HomeHub

    static let app = "test.onboarding"

    init(to hub: HomeHub, as authority: SessionAuthority?, app: String) async throws {
        self.hub = hub
        connection = Mutex(nil)
        let owner = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority ?? owner)) { [weak self] event in
            self?.handle(event)
        }
        self.connection.withLock { $0 = connection }
        _ = try await call(HubMethods.hello, Hello(app: app, purpose: "Tests."))
    }

    private func handle(_ event: HubEvent) {
        record.withLock { record in
            switch event {
            case .unconfigured(let accessory): record.accessories[accessory.id] = accessory
            case .unconfiguredLost(let id):
                record.accessories[id] = nil
                record.lost.append(id)
            case .asked(let question): record.questions.append(question)
            default: break
            }
        }
    }

    var accessories: [UnconfiguredAccessory] { record.withLock { Array($0.accessories.values) } }
    var lost: [UUID] { record.withLock { $0.lost } }

    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        guard let connection = connection.withLock({ $0 }) else { throw PeerProcessError("not connected") }
        return try await connection.call(method, parameters)
    }

    /// Makes a call, and returns the error's code if it fails, otherwise `nil`.
    func refusal<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> String? {
        do {
            _ = try await call(method, parameters)
            return nil
        } catch let error as HubError {
            return error.code.rawValue
        }
    }

    /// Searches until an accessory with a name is visible.
    func find(_ name: String = "Lamp") async throws -> UnconfiguredAccessory {
        _ = try await call(HubMethods.startBrowsingUnconfigured, Empty())
        try await Wait.until("\(name) is visible") { accessories.contains { $0.name == name } }
        return try #require(accessories.first { $0.name == name })
    }

    func configure(
        _ id: UUID,
        _ network: String = OnboardingFixture.network,
        _ passphrase: String = OnboardingFixture.passphrase
    ) async throws -> ConfiguredAccessory {
        try await call(
            HubMethods.configureAccessory,
            ConfigureAccessory(id: id, network: network, passphrase: passphrase)
        )
    }

    /// Returns the next question.
    func question() async throws -> Question {
        try await Wait.until("a question is asked") { record.withLock { !$0.questions.isEmpty } }
        return record.withLock { $0.questions.removeFirst() }
    }
}
