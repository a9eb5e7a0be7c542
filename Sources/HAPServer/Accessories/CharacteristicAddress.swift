public import HAPCatalog

/// A characteristic by the names that its owner gave: stable, unlike the IDs that controllers use.
public struct CharacteristicAddress: Hashable, Sendable, CustomStringConvertible {
    /// The ``HostedAccessory/key`` of the accessory.
    public var accessory: String
    /// The ``HostedService/key`` of the service.
    public var service: String
    /// The type of the characteristic, unique within the service.
    public var type: HAPType

    /// Creates an address.
    public init(accessory: String, service: String, type: HAPType) {
        self.accessory = accessory
        self.service = service
        self.type = type
    }

    /// The parts with slashes between them: `Hall Lamp/Lightbulb/Brightness`.
    public var description: String { "\(accessory)/\(service)/\(type)" }
}
