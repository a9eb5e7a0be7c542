/// What the catalog knows about a type of characteristic. An accessory may narrow the metadata.
public struct CharacteristicDefinition: Hashable, Sendable {
    /// The type.
    public let type: HAPType
    /// The name with spaces, for people: `Target Door State`.
    public let name: String
    /// The name without spaces and marks, for command lines and files: `TargetDoorState`.
    public let identifier: String
    /// The constant of Apple's HomeKit framework with the same meaning (`HMCharacteristicTypeTargetDoorState`), if any.
    public let homeKitConstant: String?
    /// What a controller may do with it.
    public let permissions: CharacteristicPermissions
    /// Format, unit and bounds. `validValues` is present where the set of values is closed.
    public let metadata: CharacteristicMetadata
    /// The values that have a name, ascending.
    public let namedValues: [NamedValue]
    /// The permissions among ``permissions`` that only an admin controller has.
    public let adminOnly: CharacteristicPermissions
    /// Whether current accessories use another type in its place.
    public let isLegacy: Bool

    /// A value and what it means.
    public struct NamedValue: Hashable, Sendable {
        /// The value.
        public let value: Int64
        /// What it means, for people: `Counter Clockwise`.
        public let name: String
    }

    /// Every characteristic of the catalog, by type.
    public static let all: [CharacteristicDefinition] = tables.flatMap(\.self)

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    private static let byName = Dictionary(all.map { (CatalogName.fold($0.name) ?? "", $0) }) { first, _ in first }

    /// The definition of a type, `nil` for a type that is not in the catalog.
    public static func of(_ type: HAPType) -> CharacteristicDefinition? {
        byType[type]
    }

    /// The definition with a name, without regard to case, spaces and hyphens: `TargetDoorState`.
    public static func named(_ name: String) -> CharacteristicDefinition? {
        CatalogName.fold(name).flatMap { byName[$0] }
    }

    /// What a value means (`Open`), `nil` if it has no name.
    public func name(of value: CharacteristicValue) -> String? {
        namedValues.first { .integer($0.value) == value || .bool($0.value != 0) == value }?.name
    }

    /// The value with a name, without regard to case, spaces and hyphens (`counterclockwise`).
    public func value(named name: String) -> CharacteristicValue? {
        guard let folded = CatalogName.fold(name),
            let row = namedValues.first(where: { CatalogName.fold($0.name) == folded })
        else { return nil }
        return CharacteristicValue.integer(row.value).converted(to: metadata.format)
    }

    init(
        _ short: UInt32,
        _ name: String,
        _ identifier: String,
        _ homeKitConstant: String?,
        _ format: CharacteristicFormat,
        _ permissions: CharacteristicPermissions,
        unit: CharacteristicUnit? = nil,
        min: CharacteristicValue? = nil,
        max: CharacteristicValue? = nil,
        step: CharacteristicValue? = nil,
        maxLength: Int? = nil,
        values: [Int64]? = nil,
        names: [(Int64, String)] = [],
        adminOnly: CharacteristicPermissions = [],
        legacy: Bool = false
    ) {
        type = HAPType(short: short)
        self.name = name
        self.identifier = identifier
        self.homeKitConstant = homeKitConstant
        self.permissions = permissions
        metadata = CharacteristicMetadata(
            format: format,
            unit: unit,
            minValue: min,
            maxValue: max,
            stepValue: step,
            maxLength: maxLength,
            validValues: values
        )
        namedValues = names.map { NamedValue(value: $0.0, name: $0.1) }
        self.adminOnly = adminOnly
        isLegacy = legacy
    }
}
