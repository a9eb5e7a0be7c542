public import HAP
public import HAPCatalog

/// An event of an ``AccessoryServer``.
public enum AccessoryServerEvent: Hashable, Sendable {
    /// A controller asked an accessory to identify itself. The value is the key of the accessory; before pairing, the
    /// primary one.
    case identify(accessory: String)
    /// The first controller was paired (`true`), or the last pairing was removed (`false`).
    case pairingChanged(isPaired: Bool)
    /// A characteristic's value changed, or a button was pressed.
    case valueChanged(ValueChange)
}

/// A new value of a characteristic.
public struct ValueChange: Hashable, Sendable {
    /// The characteristic.
    public var address: CharacteristicAddress
    /// The new value.
    public var value: CharacteristicValue
    /// The controller that wrote the value, or `nil` if the owner of the server set it.
    public var controller: PairingID?

    /// Creates a change.
    public init(address: CharacteristicAddress, value: CharacteristicValue, controller: PairingID?) {
        self.address = address
        self.value = value
        self.controller = controller
    }
}
