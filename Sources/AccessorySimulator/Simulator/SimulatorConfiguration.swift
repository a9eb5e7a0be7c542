package import HAPServer

/// What a ``Simulator`` hosts, and where.
public struct SimulatorConfiguration: Sendable {
    /// Accessory files to host.
    public var files: [String]
    /// Accessories to host beside those of the files.
    public var accessories: [AccessoryDescription]
    /// How many lamps to host behind bridges made for them, for load: see ``AccessoryDescription/lights(_:)``.
    public var lights: Int
    /// The folder in which identities, pairings, ids and what was edited are kept, a folder for each accessory; made if it
    /// is not there. What was added to a simulator with the same folder while it ran is hosted as well.
    public var dataFolder: String
    /// The IP address on which to listen; `nil` listens on every address of this host.
    public var bindAddress: String?
    /// The TCP port of the first accessory, the next has the next port; 0 takes any that are free.
    public var port: Int
    /// Whether a simulator may begin with no accessory at all, to be given some while it runs.
    public var mayBeEmpty: Bool
    /// The interfaces on which to advertise, by name or address; an empty list means every interface that carries
    /// multicast, `nil` that nothing is advertised.
    public var interfaces: [String]?

    /// Whether every accessory begins as from the factory: nobody is paired with it, and its keys are new. Setup codes
    /// stay.
    public var isFactoryReset: Bool
    /// From what everything random comes that accessories do by themselves and faults do to them. With the same seed and
    /// the same order of events it is the same.
    public var seed: UInt64

    /// Keeps the state of an accessory server in place of a folder in ``dataFolder``.
    package var storage: (@Sendable (AccessoryDescription) -> any AccessoryStorage)?
    /// Creates the servers known in place of multicast DNS; its owner shuts it down.
    package var advertiser: Advertiser?
    /// Where the servers take connections in place of TCP ports.
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
        mayBeEmpty: Bool = false
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
        self.mayBeEmpty = mayBeEmpty
    }
}
