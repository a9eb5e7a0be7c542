public import HAPCatalog

/// A service of a ``HostedAccessory``.
public struct HostedService: Hashable, Sendable {
    /// By what the server knows the service again after a restart: unique within the accessory.
    public var key: String
    /// The type.
    public var type: HAPType
    /// Whether it is what the accessory mainly does; at most one service of an accessory.
    public var isPrimary: Bool
    /// Whether it is not to be shown to people. A service whose characteristics are all hidden is hidden anyway.
    public var isHidden: Bool
    /// The keys of services of the same accessory that belong to this one.
    public var linked: [String]
    /// The characteristics, 1 to 100, each of another type.
    public var characteristics: [HostedCharacteristic]

    /// Creates a service.
    ///
    /// - Parameter key: `nil` takes the name of the type, which is enough for the only service of its type.
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

    /// The key of a service that was given none: the catalog's name of its type, or the type in full.
    public static func defaultKey(for type: HAPType) -> String {
        ServiceDefinition.of(type)?.identifier ?? type.longForm
    }
}
