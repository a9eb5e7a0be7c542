public import HAPCatalog

/// A service of a ``HostedAccessory``.
public struct HostedService: Hashable, Sendable {
    /// A key that identifies the service across restarts, unique within the accessory.
    public var key: String
    /// The type.
    public var type: HAPType
    /// Whether this is the accessory's primary service. At most one service of an accessory is.
    public var isPrimary: Bool
    /// Whether apps should hide the service from users. A service whose characteristics are all hidden is always
    /// hidden.
    public var isHidden: Bool
    /// The keys of linked services, which belong to the same accessory.
    public var linked: [String]
    /// The characteristics, 1 to 100, each of a different type.
    public var characteristics: [HostedCharacteristic]

    /// Creates a service.
    ///
    /// - Parameter key: The key. `nil` selects the name of the type, which is enough for the only service of its type.
    public init(
        _ type: HAPType,
        key: String? = nil,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [String] = [],
        characteristics: [HostedCharacteristic]
    ) {
        self.key = key ?? Self.defaultKey(for: type)
        self.type = type
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }

    /// Returns the default key for services of a type: its name in the catalog, or the type in full.
    public static func defaultKey(for type: HAPType) -> String {
        ServiceDefinition.of(type)?.identifier ?? type.longForm
    }
}
