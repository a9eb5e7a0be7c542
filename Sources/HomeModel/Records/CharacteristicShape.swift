public import HAPCatalog

/// A characteristic within a shape.
public struct CharacteristicShape: Hashable, Sendable, Codable {
    /// The characteristic's instance id.
    public var iid: UInt64
    /// The characteristic's type.
    public var type: HAPType
    /// What a controller may do with it.
    public var permissions: CharacteristicPermissions
    /// Format, unit and bounds.
    public var metadata: CharacteristicMetadata

    /// Makes a characteristic's shape.
    public init(
        iid: UInt64,
        type: HAPType,
        permissions: CharacteristicPermissions,
        metadata: CharacteristicMetadata
    ) {
        self.iid = iid
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
    }
}
