public import HAP
public import HAPCatalog
public import HAPServer

/// What the simulator hosts as one accessory server: a standalone accessory, or a bridge with what is behind it.
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

    /// What the accessory mainly is.
    public var category: AccessoryCategory
    /// The setup code; `nil` draws one on the first start and keeps it.
    public var setupCode: SetupCode?
    /// The setup id; `nil` draws one on the first start and keeps it.
    public var setupID: SetupID?
    /// The device ID; `nil` draws one on the first start and keeps it.
    public var deviceID: DeviceID?
    /// The standalone accessory, or the bridge and what is behind it. The key of each is its serial number.
    public var accessories: [HostedAccessory]
    /// How long a service takes until its current state is the target state; others take their type's usual time.
    public var delays: [ServiceAddress: Duration]
    /// What services do by themselves, beside what their types do.
    public var habits: [ServiceAddress: [Habit]]
    /// What the file has that the description has not, each with its place; only Apple's files have such.
    public internal(set) var omitted: [String] = []
    /// Where the description comes from, for errors.
    public var source: String

    /// Creates a description. Nothing is checked before it is given to a ``Simulator``.
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

    /// The largest accessory file that is read, in bytes.
    static let fileSize = 4_194_304

    /// Reads an accessory file, or one of Apple's simulator.
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

    /// An accessory file that is not read yet.
    static func file(_ path: String) -> BoundedFile {
        BoundedFile(kind: "accessory file", path: path, limit: fileSize)
    }

    /// The name of the standalone accessory or bridge.
    public var name: String { accessories.first?.information.name ?? source }
}
