/// The catalog's definition of a characteristic type. An accessory may narrow the metadata.
public struct CharacteristicDefinition: Hashable, Sendable {
    /// The type.
    public let type: HAPType
    /// The display name, with spaces: `Target Door State`.
    public let name: String
    /// The name without spaces and punctuation, for command lines and files: `TargetDoorState`.
    public let identifier: String
    /// The constant of Apple's HomeKit framework with the same meaning (`HMCharacteristicTypeTargetDoorState`), if any.
    public let homeKitConstant: String?
    /// The operations that controllers may perform.
    public let permissions: CharacteristicPermissions
    /// The format, unit and bounds. `validValues` is present if the set of values is closed.
    public let metadata: CharacteristicMetadata
    /// The named values, in ascending order.
    public let namedValues: [NamedValue]
    /// The subset of ``permissions`` that only admin controllers have.
    public let adminOnly: CharacteristicPermissions
    /// Whether current accessories use another type instead.
    public let isLegacy: Bool

    /// A value with a name.
    public struct NamedValue: Hashable, Sendable {
        /// The value.
        public let value: Int64
        /// The display name: `Counter Clockwise`.
        public let name: String
    }

    /// All characteristic definitions, by type.
    public static let all: [CharacteristicDefinition] = tables.flatMap(\.self)

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    private static let byName = Dictionary(all.map { (CatalogName.fold($0.name) ?? "", $0) }) { first, _ in first }

    /// Returns the definition of a type, or `nil` if it is not in the catalog.
    public static func of(_ type: HAPType) -> CharacteristicDefinition? {
        byType[type]
    }

    /// Returns the definition with a name such as `TargetDoorState`. Case, spaces and hyphens are ignored.
    public static func named(_ name: String) -> CharacteristicDefinition? {
        CatalogName.fold(name).flatMap { byName[$0] }
    }

    /// Returns the name of a value (`Open`), or `nil` if it has none.
    public func name(of value: CharacteristicValue) -> String? {
        namedValues.first { .integer($0.value) == value || .bool($0.value != 0) == value }?.name
    }

    /// Returns the value with a name such as `counterclockwise`. Case, spaces and hyphens are ignored.
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
