public import HAP
public import HAPCatalog
public import HAPServer

/// A description of one accessory server: a standalone accessory, or a bridge and its bridged accessories.
public struct AccessoryDescription: Sendable {
    /// A service of the description.
    public struct ServiceAddress: Hashable, Sendable {
        /// The key of the accessory, which is its serial number.
        public var accessory: String
        /// The key of the service.
        public var service: String

        /// Creates an address.
        public init(accessory: String, service: String) {
            self.accessory = accessory
            self.service = service
        }
    }

    /// The accessory's category.
    public var category: AccessoryCategory
    /// The setup code. If it is `nil`, one is generated at the first start and stored.
    public var setupCode: SetupCode?
    /// The setup ID. If it is `nil`, one is generated at the first start and stored.
    public var setupID: SetupID?
    /// The device ID. If it is `nil`, one is generated at the first start and stored.
    public var deviceID: DeviceID?
    /// The standalone accessory, or the bridge and its bridged accessories. The key of each is its serial number.
    public var accessories: [HostedAccessory]
    /// The time that a service takes to reach its target state (default: the default time of its type).
    public var delays: [ServiceAddress: Duration]
    /// The habits of services, in addition to the behavior of their types.
    public var habits: [ServiceAddress: [Habit]]
    /// The parts of the file that the description omits, with their paths. Only Apple's files have any.
    public internal(set) var omitted: [String] = []
    /// The source of the description, for errors.
    public var source: String

    /// Creates a description. It isn't validated until it is passed to a ``Simulator``.
    public init(
        category: AccessoryCategory,
        setupCode: SetupCode? = nil,
        setupID: SetupID? = nil,
        deviceID: DeviceID? = nil,
        accessories: [HostedAccessory],
        delays: [ServiceAddress: Duration] = [:],
        habits: [ServiceAddress: [Habit]] = [:],
        source: String
    ) {
        self.category = category
        self.setupCode = setupCode
        self.setupID = setupID
        self.deviceID = deviceID
        self.accessories = accessories
        self.delays = delays
        self.habits = habits
        self.source = source
    }

    /// The maximum size of an accessory file, in bytes.
    static let fileSize = 4_194_304

    /// Reads an accessory file, or a file of Apple's simulator.
    ///
    /// - Throws: ``SimulatorError`` with the code `unreadableFile` or `invalidFile`.
    public init(file path: String) throws(SimulatorError) {
        let bytes = try Self.file(path).bytes()
        guard bytes.starts(with: PropertyList.magic) else {
            try self.init(parsing: bytes, source: path)
            return
        }
        let imported = try Self.importing(archive: bytes, source: path)
        self = imported.description
        omitted = imported.omitted
    }

    /// Returns an accessory file that hasn't been read.
    static func file(_ path: String) -> BoundedFile {
        BoundedFile(kind: "accessory file", path: path, limit: fileSize)
    }

    /// The name of the standalone accessory or bridge.
    public var name: String { accessories.first?.information.name ?? source }
}
