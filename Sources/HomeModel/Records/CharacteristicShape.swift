package import HAPCatalog

/// A characteristic within a shape.
package struct CharacteristicShape: Hashable, Sendable, Codable {
    /// The characteristic's instance ID.
    package var iid: UInt64
    /// The characteristic's type.
    package var type: HAPType
    /// The operations that controllers may perform.
    package var permissions: CharacteristicPermissions
    /// The format, unit and bounds.
    package var metadata: CharacteristicMetadata

    /// Creates a characteristic's shape.
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
