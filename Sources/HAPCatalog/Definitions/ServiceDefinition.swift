/// The catalog's definition of a service type.
public struct ServiceDefinition: Hashable, Sendable {
    /// The type.
    public let type: HAPType
    /// The display name, with spaces: `Garage Door Opener`.
    public let name: String
    /// The name without spaces and punctuation, for command lines and files: `GarageDoorOpener`.
    public let identifier: String
    /// The constant of Apple's HomeKit framework with the same meaning (`HMServiceTypeGarageDoorOpener`), if any.
    public let homeKitConstant: String?
    /// The required characteristics.
    public let required: [HAPType]
    /// The optional characteristics. Manufacturers may add others.
    public let optional: [HAPType]
    /// Whether current accessories use another type instead.
    public let isLegacy: Bool

    /// All service definitions, by type.
    public static let all: [ServiceDefinition] = tables.flatMap(\.self)

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    private static let byName = Dictionary(all.map { (CatalogName.fold($0.name) ?? "", $0) }) { first, _ in first }

    /// Returns the definition of a type, or `nil` if it is not in the catalog.
    public static func of(_ type: HAPType) -> ServiceDefinition? {
        byType[type]
    }

    /// Returns the definition with a name such as `GarageDoorOpener`. Case, spaces and hyphens are ignored.
    public static func named(_ name: String) -> ServiceDefinition? {
        CatalogName.fold(name).flatMap { byName[$0] }
    }

    init(
        _ short: UInt32,
        _ name: String,
        _ identifier: String,
        _ homeKitConstant: String?,
        required: [UInt32],
        optional: [UInt32],
        legacy: Bool = false
    ) {
        type = HAPType(short: short)
        self.name = name
        self.identifier = identifier
        self.homeKitConstant = homeKitConstant
        self.required = required.map { HAPType(short: $0) }
        self.optional = optional.map { HAPType(short: $0) }
        isLegacy = legacy
    }
}
