package import HAPServer

/// The configuration of a ``Simulator``.
public struct SimulatorConfiguration: Sendable {
    /// Accessory files to host.
    public var files: [String]
    /// Accessories to host in addition to those of the files.
    public var accessories: [AccessoryDescription]
    /// The number of lamps to host behind generated bridges, for load tests; see ``AccessoryDescription/lights(_:)``.
    public var lights: Int
    /// The folder for identities, pairings, IDs and edits, with a subfolder for each accessory. It is created if
    /// necessary. Accessories that were added to an earlier simulator with the same folder are hosted too.
    public var dataFolder: String
    /// The IP address to listen on, or `nil` for all addresses of the host.
    public var bindAddress: String?
    /// The TCP port of the first accessory. Further accessories use the following ports. 0 selects free ports.
    public var port: Int
    /// Whether the simulator can start without accessories. They can be added while it runs.
    public var canBeEmpty: Bool
    /// The interfaces to advertise on, by name or address. An empty list means all interfaces that support multicast,
    /// `nil` means none.
    public var interfaces: [String]?

    /// Whether all accessories start with factory settings: unpaired and with new keys. Setup codes are kept.
    public var isFactoryReset: Bool
    /// The seed of random behavior and faults. The same seed and order of events yield the same behavior.
    public var seed: UInt64

    /// The Wi-Fi network that accessories must be configured for before they are reachable; `nil` if they are on the
    /// network from the start. An accessory that has joined it stays there, also after a restart.
    public var network: SimulatedNetwork?

    /// A closure that returns the storage of an accessory server, in place of a folder in ``dataFolder``.
    package var storage: (@Sendable (AccessoryDescription) -> any AccessoryStorage)?
    /// The advertiser of the servers, in place of multicast DNS. Its owner shuts it down.
    package var advertiser: Advertiser?
    /// The function that opens the servers' listeners, in place of TCP ports.
    package var entrance: ServerListener.Open?

    /// Creates a configuration.
    public init(
        files: [String] = [],
        accessories: [AccessoryDescription] = [],
        lights: Int = 0,
        dataFolder: String,
        bindAddress: String? = nil,
        port: Int = 0,
        interfaces: [String]? = [],
        isFactoryReset: Bool = false,
        seed: UInt64 = 0,
        canBeEmpty: Bool = false
    ) {
        self.files = files
        self.accessories = accessories
        self.lights = lights
        self.dataFolder = dataFolder
        self.bindAddress = bindAddress
        self.port = port
        self.interfaces = interfaces
        self.isFactoryReset = isFactoryReset
        self.seed = seed
        self.canBeEmpty = canBeEmpty
    }
}
