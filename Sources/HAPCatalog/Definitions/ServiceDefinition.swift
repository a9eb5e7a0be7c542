/// What the catalog knows about a type of service.
public struct ServiceDefinition: Hashable, Sendable {
    /// The type.
    public let type: HAPType
    /// The name with spaces, for people: `Garage Door Opener`.
    public let name: String
    /// The name without spaces and marks, for command lines and files: `GarageDoorOpener`.
    public let identifier: String
    /// The constant of Apple's HomeKit framework with the same meaning (`HMServiceTypeGarageDoorOpener`), if any.
    public let homeKitConstant: String?
    /// The characteristics that every service of the type has.
    public let required: [HAPType]
    /// The characteristics that a service of the type may have. Vendors add others.
    public let optional: [HAPType]
    /// Whether current accessories use another type in its place.
    public let isLegacy: Bool

    /// Every service of the catalog, by type.
    public static let all: [ServiceDefinition] = tables.flatMap(\.self)

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    private static let byName = Dictionary(all.map { (CatalogName.fold($0.name) ?? "", $0) }) { first, _ in first }

    /// The definition of a type, `nil` for a type that is not in the catalog.
    public static func of(_ type: HAPType) -> ServiceDefinition? {
        byType[type]
    }

    /// The definition with a name, without regard to case, spaces and hyphens: `GarageDoorOpener`.
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
