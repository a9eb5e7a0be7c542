package import HAPCatalog

/// A characteristic within a shape.
package struct CharacteristicShape: Hashable, Sendable, Codable {
    /// The characteristic's instance id.
    package var iid: UInt64
    /// The characteristic's type.
    package var type: HAPType
    /// What a controller may do with it.
    package var permissions: CharacteristicPermissions
    /// Format, unit and bounds.
    package var metadata: CharacteristicMetadata

    /// Makes a characteristic's shape.
    package init(
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
