internal import DNSSD
public import HAP
internal import HAPCatalog
internal import NIOCore
public import NIOPosix

/// A HAP accessory server over IP: one accessory, or a bridge with up to 149 accessories behind it, on a TCP port.
///
/// ```swift
/// let server = try AccessoryServer(
///     AccessoryServerConfiguration(category: .lightbulb),
///     accessories: [lamp],
///     storage: FolderStorage(folder: "/var/lib/lamp"),
///     advertiser: Advertiser(interfaces: [])
/// )
/// let port = try await server.start()
/// try await server.update(.bool(true), of: on)
/// await server.stop()
/// ```
///
/// The actor runs on one event loop, on which all its connections are served as well, so that a request needs no change
/// of threads. Pair-setup and the storage have a thread of their own.
public actor AccessoryServer {
    /// The name under which the server is advertised, unless another host had it. It follows that of the primary accessory,
    /// unless the configuration states one.
    public internal(set) var name: String
    /// The device ID, which stays the same over restarts.
    public nonisolated let deviceID: DeviceID
    /// The code that a person types in to pair.
    public nonisolated let setupCode: SetupCode
    /// What the QR code for setup holds.
    public nonisolated let setupPayload: SetupPayload
    /// The configuration number: it rises whenever the accessories have another structure than before, over restarts too.
    public var configurationNumber: Int { attributes.configurationNumber }
    /// The TCP port; `nil` unless the server listens.
    public var port: Int? { listener?.port }

    let registry: PairingRegistry
    let handlers: AccessoryServerHandlers
    nonisolated let identity: AccessoryIdentity
    /// The key of the primary accessory.
    let primaryKey: String
    var database: HostedDatabase
    /// The IDs that were given, as they are stored.
    var attributes: StoredAttributes
    /// Whether other accessories are about to be served.
    var isChanging = false
    var connections: [ConnectionID: Connection] = [:]
    var lastConnection: UInt64 = 0
    var random = SystemRandomNumberGenerator()
    var pairings: PairingList
    nonisolated let configuration: AccessoryServerConfiguration
    var model: String
    nonisolated let setupID: SetupID
    let advertiser: Advertiser?
    /// The port that the network is to know; `nil` while it is to know nothing of the server.
    var advertisedPort: UInt16?
    /// How the network knows the server.
    var published: PublishedService?
    let advertisingLock = AsyncLock()
    /// The description that was advertised last.
    var announced: TXTRecord?
    var isAnnouncing = false

    private let storage: any AccessoryStorage
    private let loop: any EventLoop
    private(set) var state = State.idle
    private var listener: ServerListener?

    struct PublishedService {
        var name: String
        var port: UInt16
        var service: any ServiceAnnouncement
    }

    enum State {
        case idle
        case starting
        case running
        case stopped
    }

    /// Runs the actor on its event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Checks the accessories and loads what the storage holds; on the first start identity, setup code and setup ID
    /// are made. Reads and writes the storage before it returns.
    ///
    /// - Parameters:
    ///   - accessories: The accessory or bridge first, then those behind the bridge; 1 to 150.
    ///   - storage: Belongs to this server until ``stop()``.
    ///   - handlers: What the owner does when controllers ask for something.
    ///   - advertiser: Makes the server known; without one it has to be told where it listens.
    ///   - group: Where to run; must not be shut down before the server has stopped.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`, `invalidConfiguration`, `storageUnreadable`
    ///   or `storageUnwritable`. Nothing is stored unless all is well.
    public init(
        _ configuration: AccessoryServerConfiguration,
        accessories: [HostedAccessory],
        storage: any AccessoryStorage,
        handlers: AccessoryServerHandlers = AccessoryServerHandlers(),
        advertiser: Advertiser? = nil,
        group: MultiThreadedEventLoopGroup = .singleton
    ) throws(AccessoryServerError) {
        try Self.check(configuration)
        let (primary, accessories) = try Self.complete(accessories)
        let name = if let name = configuration.name { name } else { try Self.instanceName(of: primary) }
        let state = try StoredState(configuration, accessories: accessories, storage: storage)
        self.name = name
        identity = state.credentials.identity
        deviceID = identity.deviceID
        setupCode = state.credentials.setupCode
        setupID = state.credentials.setupID
        setupPayload = SetupPayload(
            category: UInt8(truncatingIfNeeded: configuration.category.rawValue),
            setupCode: setupCode,
            setupID: setupID
        )
        attributes = state.attributes
        registry = PairingRegistry(state, storage: storage, now: configuration.now)
        pairings = PairingList(state.pairings.pairings)
        database = state.database
        primaryKey = primary.key
        model = primary.information.model
        self.configuration = configuration
        self.storage = storage
        self.handlers = handlers
        self.advertiser = advertiser
        loop = group.next()
    }

    /// Checks what ``init(_:accessories:storage:handlers:advertiser:group:)`` would refuse, and makes nothing.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`.
    public static func check(_ accessories: [HostedAccessory]) throws(AccessoryServerError) {
        _ = try instanceName(of: try complete(accessories).primary)
    }

    private static func check(_ configuration: AccessoryServerConfiguration) throws(AccessoryServerError) {
        guard UInt16(exactly: configuration.port) != nil else {
            throw AccessoryServerError(.invalidConfiguration, reason: "\(configuration.port) is no TCP port")
        }
        if let address = configuration.bindAddress, IPAddress(address) == nil {
            throw AccessoryServerError(.invalidConfiguration, reason: "'\(address)' is no IP address to listen on")
        }
        if let name = configuration.name, let problem = ServiceInstance.problem(withName: name) {
            throw AccessoryServerError(.invalidConfiguration, reason: "It cannot be advertised: \(problem)")
        }
    }

    /// The name under which to advertise an accessory: its own, which may have one byte more than a name of DNS, cut
    /// between two characters.
    static func instanceName(of accessory: HostedAccessory) throws(AccessoryServerError) -> String {
        let name = ServiceInstance.shortened(name: accessory.information.name)
        if let problem = ServiceInstance.problem(withName: name) {
            throw AccessoryServerError(
                .invalidAccessory,
                reason: "\(accessory.key) cannot be advertised: \(problem)"
            )
        }
        return name
    }

    static func complete(
        _ accessories: [HostedAccessory]
    ) throws(AccessoryServerError) -> (primary: HostedAccessory, all: [HostedAccessory]) {
        guard accessories.count <= HAPLimits.accessories else {
            throw AccessoryServerError(
                .invalidAccessory,
                reason: "\(accessories.count) accessories are too many; one server may have \(HAPLimits.accessories)"
            )
        }
        var keys: Set<String> = []
        var completed: [HostedAccessory] = []
        for accessory in accessories {
            guard keys.insert(accessory.key).inserted else {
                throw AccessoryServerError(
                    .invalidAccessory,
                    reason: "Two accessories have the key '\(accessory.key)'; give each its own"
                )
            }
            completed.append(try accessory.completed(isPrimary: completed.isEmpty))
        }
        guard let primary = completed.first else {
            throw AccessoryServerError(.invalidAccessory, reason: "A server needs an accessory")
        }
        return (primary, completed)
    }
}

// MARK: Start and stop

extension AccessoryServer {
    /// Listens, and makes itself known if it was given an ``Advertiser``. Returns once both are done.
    ///
    /// - Returns: The TCP port.
    /// - Throws: ``AccessoryServerError`` with the code `portRefused`, `advertisingFailed` or `wrongState`. The server
    ///   cannot be started again then.
    public func start() async throws(AccessoryServerError) -> Int {
        guard case .idle = state else {
            throw AccessoryServerError(.wrongState, reason: "\(name) was started before; make another server")
        }
        state = .starting
        do throws(AccessoryServerError) {
            let port = try await listen(port: configuration.port)
            guard state == .starting else {
                throw AccessoryServerError(.wrongState, reason: "\(name) was stopped while it was starting")
            }
            state = .running
            return port
        } catch {
            state = .stopped
            await end()
            throw error
        }
    }

    /// Says goodbye, closes the port and every connection, and releases the storage. Does nothing the second time.
    public func stop() async {
        guard state != .stopped else { return }
        state = .stopped
        await end()
    }

    /// Lets go of everything, also of what a start that was overtaken by the stop has brought.
    private func end() async {
        await stopListening()
        await withdrawAdvertisement()
        await closeConnections()
        await registry.drain()
        storage.release()
    }

    /// Listens, and makes itself known.
    func listen(port: Int) async throws(AccessoryServerError) -> Int {
        guard state != .stopped else {
            throw AccessoryServerError(.wrongState, reason: "\(name) was stopped; make another server")
        }
        let listener = try await open(port: port)
        self.listener = listener
        try await advertise(port: listener.port)
        return listener.port
    }

    /// Accepts no more connections. Those that stand stay.
    func stopListening() async {
        await listener.take()?.close()
    }

    /// Closes every connection. Returns once they have ended.
    func closeConnections() async {
        for connection in Array(connections.values) {
            connection.close()
            try? await connection.closed.get()
        }
    }

    /// Begins to take connections.
    private func open(port: Int) async throws(AccessoryServerError) -> ServerListener {
        let accept: ServerListener.Accept = { channel in try self.assumeIsolated { try $0.accept(channel) } }
        if let open = configuration.listener { return open(loop, port, accept) }
        let channel = try await bind(port: port, accept)
        guard let port = channel.localAddress?.port else {
            throw AccessoryServerError(.portRefused, reason: "\(name) was given no port by the system")
        }
        return ServerListener(port: port) { try? await channel.close() }
    }

    private func bind(
        port: Int,
        _ accept: @escaping ServerListener.Accept
    ) async throws(AccessoryServerError) -> any Channel {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: ServerLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
        // Without an address: both versions of IP, or only the older one where the host has no other.
        let hosts = configuration.bindAddress.map { [$0] } ?? ["::", "0.0.0.0"]
        var failure: (any Error)?
        for host in hosts {
            do {
                return try await bootstrap.bind(host: host, port: port).get()
            } catch {
                failure = failure ?? error
            }
        }
        throw AccessoryServerError(
            .portRefused,
            reason: "\(name) cannot listen on \(hosts[0]) port \(port)"
                + (failure.map { ": \($0)" } ?? "")
        )
    }
}
