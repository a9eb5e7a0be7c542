public import HAPCatalog

/// A characteristic of a ``HostedService``.
public struct HostedCharacteristic: Hashable, Sendable {
    /// The type, unique within the service.
    public var type: HAPType
    /// What a controller may do with it.
    public var permissions: CharacteristicPermissions
    /// The permissions among ``permissions`` that only an admin controller has.
    public var adminOnly: CharacteristicPermissions
    /// Format, unit and bounds.
    public var metadata: CharacteristicMetadata
    /// The value that it starts with; `nil` for one that has none, such as a button's event.
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

    /// Creates a characteristic as the catalog describes it.
    ///
    /// - Parameter value: `nil` takes the value nearest to 0 that is allowed, or the empty text.
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

    /// Creates a characteristic of a type that the catalog knows; `nil` for any other type.
    public init?(_ type: HAPType, value: CharacteristicValue? = nil) {
        guard let definition = CharacteristicDefinition.of(type) else { return nil }
        self.init(definition, value: value)
    }

    /// Whether it announces something that happened instead of a state: it has no value to read, and an event of it is
    /// sent each time, also if the value is the same.
    public var isStateless: Bool {
        type == HAPType.Characteristic.programmableSwitchEvent || type == HAPType.Characteristic.buttonEvent
    }

    /// The value of a characteristic that was given none: the one nearest to 0 that is allowed, or the empty text.
    /// `nil` if it has nothing to read.
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
