public import HAP
public import HAPCatalog

/// The configuration of an ``AccessoryServer``.
public struct AccessoryServerConfiguration: Sendable {
    /// The name under which to advertise the server, 1 to 63 bytes of UTF-8 without control characters. `nil` selects
    /// the primary accessory's name, truncated to 63 bytes.
    public var name: String?
    /// The category of the accessory.
    public var category: AccessoryCategory
    /// The device ID. `nil` selects the stored one, or generates one on the first start. An ID other than the stored
    /// one is an error.
    public var deviceID: DeviceID?
    /// The setup code. `nil` selects the stored one, or generates one on the first start.
    public var setupCode: SetupCode?
    /// The setup ID. `nil` selects the stored one, or generates one on the first start.
    public var setupID: SetupID?
    /// The IP address on which to listen, such as `127.0.0.1`. `nil` and `::` mean all addresses of this host,
    /// `0.0.0.0` all IPv4 addresses.
    public var bindAddress: String?
    /// The TCP port, 0 to 65535, where 0 means any free port.
    public var port: Int
    /// Whether to reset the accessory to factory settings. This removes pairings, failed attempts and assigned IDs, and
    /// generates new long-term keys and, unless ``deviceID`` is set, a new device ID. The setup code and setup ID stay
    /// the same, because they are printed on the accessory.
    public var isFactoryReset: Bool
    /// A source of connections that replaces the TCP port. ``bindAddress`` is then only advertised, and ``port`` is
    /// ignored.
    package var listener: ServerListener.Open?
    /// The limits of the server.
    var limits = ServerLimits()
    /// The clock that determines when a stalled pairing is abandoned.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The fault injector that makes the server misbehave, if any.
    package var faultInjector: (any ServerFaultInjector)?
    /// The closures that replace the server's messages, if any.
    package var rewriter: TrafficRewriter?
    /// The fault in the server's structure at this start, if any.
    package var structureFault: StructureFault?
    /// The timer for events, or `nil` for the system's clock.
    package var timer: ServerTimer?

    /// Creates a configuration.
    public init(
        name: String? = nil,
        category: AccessoryCategory,
        deviceID: DeviceID? = nil,
        setupCode: SetupCode? = nil,
        setupID: SetupID? = nil,
        bindAddress: String? = nil,
        port: Int = 0,
        isFactoryReset: Bool = false
    ) {
        self.name = name
        self.category = category
        self.deviceID = deviceID
        self.setupCode = setupCode
        self.setupID = setupID
        self.bindAddress = bindAddress
        self.port = port
        self.isFactoryReset = isFactoryReset
    }
}
