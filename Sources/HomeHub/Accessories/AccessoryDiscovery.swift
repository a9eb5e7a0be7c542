import DNSSD
import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The accessory servers on the network, as they advertise themselves with `_hap._tcp`.
///
/// Advertisements are only hints. The hub never forgets a pairing or drops a working connection because of them.
actor AccessoryDiscovery {
    /// An accessory server as it advertises itself.
    struct Server: Equatable, Sendable {
        var name: String
        var deviceID: DeviceID
        var model: String
        var category: AccessoryCategory
        /// The configuration number (`c#`), or `nil` if the advertised value is not a number.
        var configurationNumber: Int?
        /// Whether a controller has paired it (bit 0 of `sf` is clear).
        var isPaired: Bool
        /// Whether it can prove during pair setup that it is certified.
        var isCertified: Bool
        /// The setup hash (`sh`), which matches a scanned setup payload to its accessory.
        var setupHash: String?
        /// The addresses at which it can be reached.
        var addresses: [AccessoryAddress]
    }

    /// A change to the servers on the network.
    enum Event: Sendable {
        case seen(Server)
        case gone(DeviceID)
    }

    private struct Awaited {
        var condition: @Sendable (Server) -> Bool
        var continuation: CheckedContinuation<Server?, Never>
    }

    /// The number of identities to store. Beyond it, the identities of servers that are gone are dropped, because any
    /// device on the network can announce very many servers.
    private static let rememberedIdentities = 4_096

    private let network: (any ServiceDiscovery)?
    private let activities: ActivityStream
    private var servers: [ServiceInstance: Server] = [:]
    /// When each server was last found or changed, as a count. A renamed server has two names until the former one expires.
    private var updates: [ServiceInstance: UInt64] = [:]
    private var updateCount: UInt64 = 0
    private var identities: [DeviceID: UUID] = [:]
    private var members: Set<DeviceID> = []
    /// The last advertised names of the servers that belong to homes.
    private var memberNames: [DeviceID: String] = [:]
    /// What browsers were told last.
    private(set) var shown: [DeviceID: DiscoveredAccessory] = [:]
    private var awaited: [UUID: Awaited] = [:]

    /// Creates a view of the network without servers.
    ///
    /// - Parameters:
    ///   - network: The network that ``reconfirm(_:)`` asks, if there is one.
    ///   - activities: The stream that receives discovered and lost accessories.
    init(network: (any ServiceDiscovery)?, activities: ActivityStream) {
        self.network = network
        self.activities = activities
    }

    /// Handles an event of a browser.
    ///
    /// - Returns: The changes in order; empty if the service is not an accessory server or nothing changed.
    func handle(_ event: BrowseEvent) -> [Event] {
        switch event {
        case .found(let service), .changed(let service):
            guard let server = Server(service) else { return [] }
            let previous = servers.updateValue(server, forKey: service.instance)
            guard previous != server else { return [] }
            updateCount += 1
            updates[service.instance] = updateCount
            // The name of a server that left may soon be another's.
            let gone = previous.flatMap { $0.deviceID == server.deviceID ? [] : didLose($0.deviceID) } ?? []
            if members.contains(server.deviceID) { memberNames[server.deviceID] = server.name }
            publish(server.deviceID)
            for (id, awaited) in awaited where awaited.condition(server) { resolve(id, server) }
            return gone + [.seen(server)]
        case .gone(let instance):
            updates[instance] = nil
            return servers.removeValue(forKey: instance).map { didLose($0.deviceID) } ?? []
        }
    }

    private func didLose(_ deviceID: DeviceID) -> [Event] {
        publish(deviceID)
        // A renamed server is still listed, under its new name.
        guard let server = server(deviceID) else { return [.gone(deviceID)] }
        if members.contains(deviceID) { memberNames[deviceID] = server.name }
        return []
    }

    /// Asks the network whether an unreachable server is still there.
    ///
    /// A server that crashed, or whose goodbye was lost, stays listed until its records expire, which takes more than
    /// an hour.
    func reconfirm(_ deviceID: DeviceID) async {
        for (instance, server) in servers where server.deviceID == deviceID { await network?.reconfirm(instance) }
    }

    /// Returns the server with the given device ID, or `nil` if it isn't on the network now. Of several names, the last
    /// one that was found or changed counts.
    func server(_ deviceID: DeviceID) -> Server? {
        let named = servers.lazy.filter { $0.value.deviceID == deviceID }
        return named.max { updates[$0.key, default: 0] < updates[$1.key, default: 0] }?.value
    }

    /// Returns all servers that advertise the given device ID, sorted by name.
    func servers(_ deviceID: DeviceID) -> [Server] {
        servers.values.filter { $0.deviceID == deviceID }.sorted { $0.name < $1.name }
    }

    /// Returns the last advertised name of a server that belongs to a home.
    func lastName(of deviceID: DeviceID) -> String? { memberNames[deviceID] }

    /// Waits for the server with the given device ID, and returns `nil` if it doesn't appear in time.
    func server(_ deviceID: DeviceID, within limit: Duration) async -> Server? {
        await server(within: limit) { $0.deviceID == deviceID }
    }

    /// Waits for a server that satisfies a condition, and returns `nil` if none appears in time.
    func server(within limit: Duration, where condition: @escaping @Sendable (Server) -> Bool) async -> Server? {
        if let server = servers.values.first(where: condition) { return server }
        let id = UUID()
        let timeout = Task {
            try await Task.sleep(for: limit)
            resolve(id, nil)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { awaited[id] = Awaited(condition: condition, continuation: $0) }
    }

    /// The unpaired servers that are in no home of this hub, sorted by name.
    var addable: [Server] {
        shown.keys.compactMap { server($0) }.filter { !$0.isPaired }
            .sorted { ($0.name, $0.deviceID.description) < ($1.name, $1.deviceID.description) }
    }

    private func resolve(_ id: UUID, _ server: Server?) {
        awaited.removeValue(forKey: id)?.continuation.resume(returning: server)
    }

    /// Returns the server with the given ID in browsers, or `nil` if it isn't on the network now.
    func server(discovered id: UUID) -> Server? {
        identities.first { $0.value == id }.flatMap { server($0.key) }
    }

    /// Returns the ID that the accessory has in browsers and keeps when it is added to a home.
    func identity(of deviceID: DeviceID) -> UUID {
        if let id = identities[deviceID] { return id }
        if identities.count >= Self.rememberedIdentities {
            let seen = Set(servers.values.map(\.deviceID))
            identities = identities.filter { seen.contains($0.key) || members.contains($0.key) }
        }
        let id = UUID()
        identities[deviceID] = id
        return id
    }

    /// Records whether a server belongs to a home. Browsers don't list members. A server that leaves its home gets a
    /// new ID.
    func setMembership(of deviceID: DeviceID, _ isMember: Bool) {
        if isMember {
            members.insert(deviceID)
            memberNames[deviceID] = server(deviceID)?.name
            publish(deviceID)
        } else if members.remove(deviceID) != nil {
            identities[deviceID] = nil
            memberNames[deviceID] = nil
            publish(deviceID)
        }
    }

    /// Starts reporting accessories that are in no home to a session, beginning with the accessories that are there
    /// now.
    func startBrowsing(_ session: HubSession) {
        session.isBrowsing = true
        for (_, accessory) in shown.sorted(by: { $0.key.description < $1.key.description }) {
            session.deliver(.event(.discovered(accessory)))
        }
    }

    private func publish(_ deviceID: DeviceID) {
        let server = members.contains(deviceID) ? nil : server(deviceID)
        if let accessory = server.map(discovered) {
            guard shown.updateValue(accessory, forKey: deviceID) != accessory else { return }
            activities.publish(.discovered(accessory))
        } else if shown.removeValue(forKey: deviceID) != nil {
            activities.publish(.discoveryLost(identity(of: deviceID)))
        }
    }

    private func discovered(_ server: Server) -> DiscoveredAccessory {
        DiscoveredAccessory(
            id: identity(of: server.deviceID),
            name: server.name,
            deviceID: server.deviceID.description,
            model: server.model,
            category: server.category,
            isPaired: server.isPaired
        )
    }
}

extension AccessoryDiscovery.Server {
    /// Creates a server from its advertisement; `nil` without a device ID or an address.
    init?(_ service: Service) {
        guard let deviceID = service.txt[TXTKey.deviceID.rawValue].flatMap({ DeviceID($0) }), !service.addresses.isEmpty
        else { return nil }
        let flags = service.txt[TXTKey.statusFlags.rawValue].flatMap { Int($0) }.map(StatusFlags.init(rawValue:))
        name = service.instance.name
        self.deviceID = deviceID
        model = service.txt[TXTKey.model.rawValue] ?? ""
        category =
            service.txt[TXTKey.category.rawValue].flatMap { Int($0) }.map(AccessoryCategory.init(rawValue:)) ?? .other
        configurationNumber = service.txt[TXTKey.configurationNumber.rawValue].flatMap { Int($0) }
        isPaired = !(flags?.contains(.notPaired) ?? false)
        let features = service.txt[TXTKey.featureFlags.rawValue].flatMap { Int($0) }.map(FeatureFlags.init(rawValue:))
        isCertified = !(features ?? []).isDisjoint(with: [.hardwareAuthentication, .softwareAuthentication])
        setupHash = service.txt[TXTKey.setupHash.rawValue]
        addresses = service.addresses.map { AccessoryAddress(host: $0.description, port: Int(service.port)) }
    }
}
