import DNSSD
import Foundation
import HAP
import HomeIdentity
import HubAPI
import LocalRPC
import HubNetwork
import Logging
import PeerProcess
import RelayClient
import Replication
import Testing

@testable import HomeHub
@testable import HubServer

/// A hub that runs, with its port on the loopback interface and its connection to another hub.
struct RunningHub {
    let hub: HomeHub
    let links: HubLinkService
    let network: NetworkService

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
    static func start(_ folder: URL, port: Int = 0, voting house: House? = nil) async throws -> RunningHub {
        let hub = try await HomeHub(HubConfiguration(data: folder, interfaces: [.loopback], log: log))
        let client = try house.map { try RelayClient($0.relay, as: hub.identity) }
        if let house, let list = hub.hubList { try await client?.register(house.id, owners: list.keys) }
        let links = HubLinkService(hub, logger: log) { list in
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

    /// Stops the hub.
    func stop() async {
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

    /// What the hub is to the homes; `nil` if it is alone.
    var role: HubRole? {
        get async { await links.role }
    }

    /// Waits until the hub reaches an accessory server.
    func reaches(_ server: DeviceID) async throws {
        try await Wait.until("the accessory is reachable") {
            await hub.connections.links[server]?.attributes != nil
        }
    }
}
