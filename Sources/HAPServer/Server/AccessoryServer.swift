internal import DNSSD
public import HAP
internal import HAPCatalog
internal import NIOCore
public import NIOPosix

/// A HAP accessory server over IP, which hosts one accessory, or a bridge with up to 149 bridged accessories, on a TCP
/// port.
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
/// The actor and all its connections run on one event loop, so that requests don't switch threads. Pair-setup and the
/// storage have their own thread.
public actor AccessoryServer {
    /// The name under which the server is advertised, unless another host already uses it. It is the configuration's
    /// name, or else the primary accessory's.
    public internal(set) var name: String
    /// The device ID, which stays the same across restarts.
    public nonisolated let deviceID: DeviceID
    /// The setup code.
    public nonisolated let setupCode: SetupCode
    /// The payload of the setup QR code.
    public nonisolated let setupPayload: SetupPayload
    /// The configuration number, which increases whenever the structure of the accessories changes, even across
    /// restarts.
    public var configurationNumber: Int { attributes.configurationNumber }
    /// The TCP port, or `nil` if the server isn't listening.
    public var port: Int? { listener?.port }

    let registry: PairingRegistry
    let handlers: AccessoryServerHandlers
    nonisolated let identity: AccessoryIdentity
    /// The key of the primary accessory.
    let primaryKey: String
    var database: HostedDatabase
    /// The assigned IDs in their stored form.
    var attributes: StoredAttributes
    /// Whether a change of the hosted accessories is in progress.
    var isChanging = false
    var connections: [ConnectionID: Connection] = [:]
    var lastConnection: UInt64 = 0
    /// The event that was encoded last.
    var lastEvent: EncodedEvent?
    var random = SystemRandomNumberGenerator()
    var pairings: PairingList
    nonisolated let configuration: AccessoryServerConfiguration
    /// Whether a rewriter looks at the traffic. The server checks this for each message, because to copy the rewriter takes
    /// longer.
    let hasRewriter: Bool
    var model: String
    nonisolated let setupID: SetupID
    let advertiser: Advertiser?
    /// The port to advertise, or `nil` while the server isn't to be advertised.
    var advertisedPort: UInt16?
    /// The published advertisement.
    var published: PublishedService?
    let advertisingLock = AsyncLock()
    /// The TXT record that was advertised last.
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

    /// The actor's event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Creates a server.
    ///
    /// It validates the accessories and loads the storage. On the first start, it generates an identity, a setup code
    /// and a setup ID. It reads and writes the storage before it returns.
    ///
    /// - Parameters:
    ///   - accessories: The accessory or bridge first, then the bridged accessories; 1 to 150.
    ///   - storage: The storage, which belongs to this server until ``stop()``.
    ///   - handlers: The closures that handle requests of controllers.
    ///   - advertiser: The advertiser. Without one, controllers must know the server's address.
    ///   - group: The event loop group, which must not be shut down before the server has stopped.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`, `invalidConfiguration`, `storageUnreadable`
    ///   or `storageUnwritable`. Nothing is stored then.
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
        hasRewriter = configuration.rewriter != nil
        self.storage = storage
        self.handlers = handlers
        self.advertiser = advertiser
        loop = group.next()
    }

    /// Validates accessories as ``init(_:accessories:storage:handlers:advertiser:group:)`` does, without creating a
    /// server.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`.
    public static func check(_ accessories: [HostedAccessory]) throws(AccessoryServerError) {
        _ = try instanceName(of: try complete(accessories).primary)
    }

    private static func check(_ configuration: AccessoryServerConfiguration) throws(AccessoryServerError) {
        guard UInt16(exactly: configuration.port) != nil else {
            throw AccessoryServerError(
                .invalidConfiguration,
                reason: "\(configuration.port) is not a TCP port; use 0 to 65535"
            )
        }
        if let address = configuration.bindAddress, IPAddress(address) == nil {
            throw AccessoryServerError(.invalidConfiguration, reason: "'\(address)' is not an IP address")
        }
        if let name = configuration.name, let problem = ServiceInstance.problem(withName: name) {
            throw AccessoryServerError(.invalidConfiguration, reason: "The name can't be advertised: \(problem)")
        }
    }

    /// Returns the name under which to advertise an accessory: its own, truncated at a character if it is longer than a
    /// DNS label.
    static func instanceName(of accessory: HostedAccessory) throws(AccessoryServerError) -> String {
        let name = ServiceInstance.shortened(name: accessory.information.name)
        if let problem = ServiceInstance.problem(withName: name) {
            throw AccessoryServerError(
                .invalidAccessory,
                reason: "\(accessory.key) can't be advertised: \(problem)"
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
                reason:
                    "\(accessories.count) accessories are too many; the maximum per server is \(HAPLimits.accessories)"
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
    /// Starts listening, and advertises the server if it has an ``Advertiser``. Returns once both are done.
    ///
    /// - Returns: The TCP port.
    /// - Throws: ``AccessoryServerError`` with the code `portRefused`, `advertisingFailed` or `wrongState`. The server
    ///   can't be started again then.
    public func start() async throws(AccessoryServerError) -> Int {
        guard case .idle = state else {
            throw AccessoryServerError(.wrongState, reason: "\(name) was already started; create another server")
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
            await shutDown()
            throw error
        }
    }

    /// Withdraws the advertisement, closes the port and all connections, and releases the storage. Repeated calls have
    /// no effect.
    public func stop() async {
        guard state != .stopped else { return }
        state = .stopped
        await shutDown()
    }

    /// Releases everything, including the results of a start that was still in progress.
    private func shutDown() async {
        await stopListening()
        await withdrawAdvertisement()
        await closeConnections()
        await registry.drain()
        storage.release()
    }

    /// Starts listening, and advertises the server.
    func listen(port: Int) async throws(AccessoryServerError) -> Int {
        guard state != .stopped else {
            throw AccessoryServerError(.wrongState, reason: "\(name) was stopped; create another server")
        }
        let listener = try await open(port: port)
        self.listener = listener
        try await advertise(port: listener.port)
        return listener.port
    }

    /// Stops accepting connections. Open connections stay open.
    func stopListening() async {
        await listener.take()?.close()
    }

    /// Closes all connections. Returns once they are closed.
    func closeConnections() async {
        for connection in Array(connections.values) {
            connection.close()
            try? await connection.closed.get()
        }
    }

    /// Starts accepting connections.
    private func open(port: Int) async throws(AccessoryServerError) -> ServerListener {
        let accept: ServerListener.Accept = { channel in try self.assumeIsolated { try $0.accept(channel) } }
        if let open = configuration.listener { return open(loop, port, accept) }
        let channel = try await bind(port: port, accept)
        guard let port = channel.localAddress?.port else {
            throw AccessoryServerError(.portRefused, reason: "\(name) didn't get a port from the system")
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
        // Without an address, listen on IPv6 and IPv4, or only on IPv4 if the host has no IPv6.
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
            reason: "\(name) can't listen on \(hosts[0]) port \(port)"
                + (failure.map { ": \($0)" } ?? "")
        )
    }
}
