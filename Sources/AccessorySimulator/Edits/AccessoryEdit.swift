public import HAPCatalog
public import HAPServer

/// An edit of an accessory while it runs.
///
/// Services are identified by their keys. An edit that violates a rule changes nothing: a service has each
/// characteristic type at most once, and Accessory Information and required characteristics can't be removed.
public enum AccessoryEdit: Hashable, Sendable {
    /// Changes the accessory's information.
    case information(InformationChange)
    /// Adds a service, with the time that it takes (`nil` for its type's default) and its habits.
    case addService(HostedService, delay: Duration?, habits: [Habit] = [])
    /// Changes the settings of a service.
    case changeService(String, ServiceChange)
    /// Removes a service and its habits. Its IDs stay reserved.
    case removeService(String)
    /// Adds a characteristic.
    case addCharacteristic(HostedCharacteristic, service: String)
    /// Changes the permissions, metadata or value of an existing characteristic.
    case changeCharacteristic(HostedCharacteristic, service: String)
    /// Removes a characteristic and the habits that require it. Its ID stays reserved.
    case removeCharacteristic(HAPType, service: String)
}

/// A change of the Accessory Information. `nil` values aren't changed. The serial number is the accessory's identity
/// and can't be changed.
public struct InformationChange: Hashable, Sendable {
    /// The name.
    public var name: String?
    /// The manufacturer.
    public var manufacturer: String?
    /// The model.
    public var model: String?
    /// The firmware version.
    public var firmwareRevision: String?
    /// The hardware version.
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

/// A change of a service. `nil` values aren't changed.
public struct ServiceChange: Hashable, Sendable {
    /// The value of the service's Name characteristic.
    public var name: String?
    /// Whether it is the primary service. If `true`, no other service is.
    public var isPrimary: Bool?
    /// Whether it is hidden from users.
    public var isHidden: Bool?
    /// The keys of its linked services.
    public var linked: [String]?
    /// The time until the current state reaches the target state.
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
