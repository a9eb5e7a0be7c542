public import HAPCatalog

/// A service in the attribute database.
public struct ServiceAttributes: Hashable, Sendable {
    /// The instance ID, unique within the accessory among services and characteristics.
    public var iid: UInt64
    /// The type.
    public var type: HAPType
    /// Whether this is the accessory's primary service. At most one service of an accessory is.
    public var isPrimary: Bool
    /// Whether apps should hide the service from users.
    public var isHidden: Bool
    /// The instance IDs of linked services, which belong to the same accessory.
    public var linked: [UInt64]
    /// The characteristics.
    public var characteristics: [CharacteristicAttributes]

    /// Creates a service.
    public init(
        iid: UInt64,
        type: HAPType,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [UInt64] = [],
        characteristics: [CharacteristicAttributes]
    ) {
        self.iid = iid
        self.type = type
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }

    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        iid = try object.id(AttributeKey.iid)
        type = try object.type(AttributeKey.type)
        isPrimary = object.flag(AttributeKey.primary) ?? false
        isHidden = object.flag(AttributeKey.hidden) ?? false
        linked = object.optionalList(AttributeKey.linked)?.compactMap(\.wholeUnsignedInteger) ?? []
        characteristics = try object.readableList(
            AttributeKey.characteristics,
            CharacteristicAttributes.init(decoding:)
        )
    }

    func encode(to writer: inout JSONWriter, includingValues: Bool) {
        writer.object { writer in
            writer.member(AttributeKey.iid, iid)
            writer.member(AttributeKey.type, type.shortForm)
            if isPrimary { writer.member(AttributeKey.primary, true) }
            if isHidden { writer.member(AttributeKey.hidden, true) }
            if !linked.isEmpty {
                writer.key(AttributeKey.linked)
                writer.array { writer in
                    for iid in linked { writer.write(iid) }
                }
            }
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                for characteristic in characteristics {
                    characteristic.encode(to: &writer, includingValues: includingValues)
                }
            }
        }
    }
}
