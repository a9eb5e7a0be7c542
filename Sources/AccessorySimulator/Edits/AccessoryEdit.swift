public import HAPCatalog
public import HAPServer

/// A change of one accessory, as a person makes it while the accessory runs.
///
/// Services are named by their keys. An edit that breaks a rule changes nothing: each type of characteristic is once in a
/// service; Accessory Information and what a service's type requires stay.
public enum AccessoryEdit: Hashable, Sendable {
    /// Who made the accessory and what it is called.
    case information(InformationChange)
    /// A service more, with the time that it takes, `nil` takes its type's, and what it does by itself besides.
    case addService(HostedService, delay: Duration?, habits: [Habit] = [])
    /// Another standing of a service.
    case changeService(String, ServiceChange)
    /// A service less, with its habits; its ids stay reserved.
    case removeService(String)
    /// A characteristic more.
    case addCharacteristic(HostedCharacteristic, service: String)
    /// Other permissions, metadata or another value of a characteristic that is there.
    case changeCharacteristic(HostedCharacteristic, service: String)
    /// A characteristic less, with the habits that need it; its id stays reserved.
    case removeCharacteristic(HAPType, service: String)
}

/// What becomes different in the Accessory Information; `nil` stays. The serial number is the accessory's identity and
/// always stays.
public struct InformationChange: Hashable, Sendable {
    /// The name.
    public var name: String?
    /// The maker.
    public var manufacturer: String?
    /// The model.
    public var model: String?
    /// The version of the firmware.
    public var firmwareRevision: String?
    /// The version of the hardware.
    public var hardwareRevision: String?

    /// Creates a change.
    public init(
        name: String? = nil,
        manufacturer: String? = nil,
        model: String? = nil,
        firmwareRevision: String? = nil,
        hardwareRevision: String? = nil
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.firmwareRevision = firmwareRevision
        self.hardwareRevision = hardwareRevision
    }
}

/// What becomes different of a service; `nil` stays.
public struct ServiceChange: Hashable, Sendable {
    /// The service's name, which is the value of its Name characteristic.
    public var name: String?
    /// Whether it is what the accessory mainly does; then no other is.
    public var isPrimary: Bool?
    /// Whether it is not to be shown to people.
    public var isHidden: Bool?
    /// The keys of the services that belong to it.
    public var linked: [String]?
    /// How long it takes until its current state is the target state.
    public var delay: Duration?

    /// Creates a change.
    public init(
        name: String? = nil,
        isPrimary: Bool? = nil,
        isHidden: Bool? = nil,
        linked: [String]? = nil,
        delay: Duration? = nil
    ) {
        self.name = name
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.delay = delay
    }
}
