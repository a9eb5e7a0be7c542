public import HAP
public import HAPCatalog

/// How an ``AccessoryServer`` introduces itself and where it listens.
public struct AccessoryServerConfiguration: Sendable {
    /// The name under which it is advertised, 1 to 63 bytes of UTF-8 without control characters; `nil` takes the primary
    /// accessory's, without the characters past 63 bytes.
    public var name: String?
    /// What the accessory mainly is.
    public var category: AccessoryCategory
    /// The device ID. `nil` takes the stored one, or draws one on the first start. One that contradicts the stored one
    /// stops the start: it would be another accessory.
    public var deviceID: DeviceID?
    /// The setup code. `nil` takes the stored one, or draws one on the first start.
    public var setupCode: SetupCode?
    /// The setup ID. `nil` takes the stored one, or draws one on the first start.
    public var setupID: SetupID?
    /// The IP address on which to listen, such as `127.0.0.1`; `nil` and `::` listen on every address of this host,
    /// `0.0.0.0` on every one of IPv4.
    public var bindAddress: String?
    /// The TCP port, 0 to 65535; 0 takes any that is free.
    public var port: Int
    /// Whether to begin as from the factory: without pairings, failed tries and allotted IDs, with new long-term keys and,
    /// unless ``deviceID`` names one, a new device ID. Setup code and setup ID stay, as they are printed on the accessory.
    public var isFactoryReset: Bool
    /// Where connections come from in place of a TCP port; then ``bindAddress`` is only advertised, and ``port`` has no
    /// meaning.
    package var listener: ServerListener.Open?
    /// How much the server takes from the network.
    var limits = ServerLimits()
    /// The clock by which pairing that has stalled is given up.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// What goes wrong with the server, and watches it; `nil` if nothing does.
    package var faultInjector: (any ServerFaultInjector)?
    /// What the server gets wrong about its structure at this start; `nil` if nothing.
    package var structureFault: StructureFault?
    /// The time by which events are sent; `nil` takes the system's.
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
