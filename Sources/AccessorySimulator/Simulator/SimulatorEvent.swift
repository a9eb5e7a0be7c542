public import HAPServer

/// Something that happened to a simulated accessory.
public enum SimulatorEvent: Hashable, Sendable {
    /// A characteristic has another value, or a button was pressed. The change's controller is `nil` if it came from
    /// the simulator's side: by hand, or by the accessory's own behaviour.
    case valueChanged(ValueChange)
    /// A controller asks an accessory to draw attention to itself. The serial number is that of the accessory.
    case identify(serialNumber: String)
    /// A standalone accessory or bridge was paired, or its last pairing is gone. The name is that of the accessory.
    case pairingChanged(name: String, isPaired: Bool)
    /// An accessory was added while the simulator runs.
    case added(serialNumber: String)
    /// An accessory has other services, characteristics or names than before.
    case edited(serialNumber: String)
    /// An accessory is gone.
    case removed(serialNumber: String)
}
