public import HAPCatalog

/// The address of a characteristic: the keys that the server's owner assigned, and the type. Unlike the IDs that
/// controllers use, it is stable.
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

    /// The parts separated by slashes: `Hall Lamp/Lightbulb/Brightness`.
    public var description: String { "\(accessory)/\(service)/\(type)" }
}
