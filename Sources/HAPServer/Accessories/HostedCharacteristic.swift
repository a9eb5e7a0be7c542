public import HAPCatalog

/// A characteristic of a ``HostedService``.
public struct HostedCharacteristic: Hashable, Sendable {
    /// The type, unique within the service.
    public var type: HAPType
    /// The operations that controllers may perform.
    public var permissions: CharacteristicPermissions
    /// The subset of ``permissions`` that only admin controllers have.
    public var adminOnly: CharacteristicPermissions
    /// Format, unit and bounds.
    public var metadata: CharacteristicMetadata
    /// The initial value, or `nil` if the characteristic has none, such as a button's event.
    public var value: CharacteristicValue?

    /// Creates a characteristic from its parts.
    public init(
        type: HAPType,
        permissions: CharacteristicPermissions,
        adminOnly: CharacteristicPermissions = [],
        metadata: CharacteristicMetadata,
        value: CharacteristicValue?
    ) {
        self.type = type
        self.permissions = permissions
        self.adminOnly = adminOnly
        self.metadata = metadata
        self.value = value
    }

    /// Creates a characteristic from its definition in the catalog.
    ///
    /// - Parameter value: The initial value. `nil` selects the allowed value nearest to 0, or an empty string.
    public init(_ definition: CharacteristicDefinition, value: CharacteristicValue? = nil) {
        self.init(
            type: definition.type,
            permissions: definition.permissions,
            adminOnly: definition.adminOnly,
            metadata: definition.metadata,
            value: nil
        )
        self.value = value ?? defaultValue
    }

    /// Creates a characteristic of a type in the catalog. Returns `nil` for any other type.
    public init?(_ type: HAPType, value: CharacteristicValue? = nil) {
        guard let definition = CharacteristicDefinition.of(type) else { return nil }
        self.init(definition, value: value)
    }

    /// Whether the characteristic reports occurrences instead of a state. It has no readable value, and an event is
    /// sent each time, even if the value is the same.
    public var isStateless: Bool {
        type == HAPType.Characteristic.programmableSwitchEvent || type == HAPType.Characteristic.buttonEvent
    }

    /// The default value: the allowed value nearest to 0, or an empty string. `nil` if the characteristic has no
    /// readable value.
    public var defaultValue: CharacteristicValue? {
        guard permissions.contains(.read), !isStateless else { return nil }
        switch metadata.format {
        case .bool: return .bool(false)
        case .string: return .string("")
        case .tlv8, .data, .other: return .data([])
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            let zero = CharacteristicValue.integer(0)
            let candidates =
                [zero] + [metadata.minValue, metadata.maxValue].compactMap(\.self)
                + (metadata.validValues ?? []).map { .integer($0) }
                + (metadata.validRanges ?? []).map { .integer($0.lowerBound) }
            return candidates.lazy.compactMap { try? metadata.validate($0) }.first ?? zero
        }
    }
}
