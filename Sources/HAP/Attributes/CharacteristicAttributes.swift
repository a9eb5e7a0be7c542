public import HAPCatalog

/// A characteristic in the attribute database.
public struct CharacteristicAttributes: Hashable, Sendable {
    /// The instance ID, unique within the accessory among services and characteristics.
    public var iid: UInt64
    /// The type.
    public var type: HAPType
    /// The operations that controllers may perform.
    public var permissions: CharacteristicPermissions
    /// Format, unit and bounds.
    public var metadata: CharacteristicMetadata
    /// The value, or `nil` if it wasn't or can't be read. It is encoded only if ``permissions`` allow reading; `nil`
    /// then becomes null, or an empty string if the format is tlv8 or data.
    public var value: CharacteristicValue?
    /// Whether the requesting connection is subscribed to the characteristic, or `nil` if unknown.
    public var events: Bool?

    /// Creates a characteristic.
    public init(
        iid: UInt64,
        type: HAPType,
        permissions: CharacteristicPermissions,
        metadata: CharacteristicMetadata,
        value: CharacteristicValue? = nil,
        events: Bool? = nil
    ) {
        self.iid = iid
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
        self.value = value
        self.events = events
    }

    /// Creates a characteristic from its definition in the catalog.
    public init(iid: UInt64, _ definition: CharacteristicDefinition, value: CharacteristicValue? = nil) {
        self.init(
            iid: iid,
            type: definition.type,
            permissions: definition.permissions,
            metadata: definition.metadata,
            value: value
        )
    }

    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        iid = try object.id(AttributeKey.iid)
        type = try object.type(AttributeKey.type)
        let catalogPermissions = CharacteristicDefinition.of(type)?.permissions
        permissions = try object.permissions(AttributeKey.permissions, orElse: catalogPermissions)
        metadata = CharacteristicMetadata(decoding: object, type: type)
        value = object.value(AttributeKey.value, as: metadata.format)
        events = object.flag(AttributeKey.events)
    }

    func encode(to writer: inout JSONWriter, includingValues: Bool) {
        writer.object { writer in
            writer.member(AttributeKey.iid, iid)
            writer.member(AttributeKey.type, type.shortForm)
            writer.member(AttributeKey.permissions, permissions)
            metadata.encode(to: &writer)
            guard includingValues else { return }
            if permissions.contains(.read) {
                writer.member(AttributeKey.value, value ?? (metadata.format.isBytes ? .data([]) : nil))
            }
            if let events { writer.member(AttributeKey.events, events) }
        }
    }
}
