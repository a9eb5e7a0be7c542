public import HAP
public import HAPCatalog

/// Something that happened to an ``AccessoryServer``.
public enum AccessoryServerEvent: Hashable, Sendable {
    /// A controller asks an accessory to draw attention to itself. The key is that of the accessory; before pairing it
    /// is the primary one's.
    case identify(accessory: String)
    /// The first controller was paired (`true`), or the last pairing is gone (`false`).
    case pairingChanged(isPaired: Bool)
    /// A characteristic has another value, or a button was pressed.
    case valueChanged(ValueChange)
}

/// A new value of a characteristic.
public struct ValueChange: Hashable, Sendable {
    /// The characteristic.
    public var address: CharacteristicAddress
    /// The new value.
    public var value: CharacteristicValue
    /// The controller that wrote it; `nil` if the owner of the server set it.
    public var controller: PairingID?

    /// Creates a change.
    public init(address: CharacteristicAddress, value: CharacteristicValue, controller: PairingID?) {
        self.address = address
        self.value = value
        self.controller = controller
    }
}
