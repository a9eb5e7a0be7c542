package import HAPCatalog

/// A service within a shape.
package struct ServiceShape: Hashable, Sendable {
    /// The service's instance ID.
    package var iid: UInt64
    /// The service's type.
    package var type: HAPType
    /// The name that the service reported when the accessory was read (its Name characteristic), if any.
    package var reportedName: String?
    /// Whether it is the accessory's primary service.
    package var isPrimary: Bool
    /// Whether the service should be hidden from users.
    package var isHidden: Bool
    /// The instance IDs of linked services.
    package var linked: [UInt64]
    /// The characteristics in the accessory's order.
    package var characteristics: [CharacteristicShape]

    /// Creates a service's shape.
    package init(
        iid: UInt64,
        type: HAPType,
        reportedName: String? = nil,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [UInt64] = [],
        characteristics: [CharacteristicShape]
    ) {
        self.iid = iid
        self.type = type
        self.reportedName = reportedName
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }
}
