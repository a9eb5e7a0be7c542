public import HAPServer

/// An event of a simulated accessory.
public enum SimulatorEvent: Hashable, Sendable {
    /// A value changed, or a button was pressed. The change's controller is `nil` if it originates from the simulator:
    /// set at the accessory, or by its behavior.
    case valueChanged(ValueChange)
    /// A controller asked the accessory with this serial number to identify itself.
    case identify(serialNumber: String)
    /// A standalone accessory or bridge with this name was paired, or lost its last pairing.
    case pairingChanged(name: String, isPaired: Bool)
    /// An accessory was added to the running simulator.
    case added(serialNumber: String)
    /// The services, characteristics or names of an accessory changed.
    case edited(serialNumber: String)
    /// An accessory was removed.
    case removed(serialNumber: String)
    /// An accessory received a network's name and passphrase, and left its own network.
    case joining(serialNumber: String)
    /// An accessory joined the network.
    case joined(serialNumber: String)
    /// An accessory couldn't join the network, and returned to its own.
    case joinFailed(serialNumber: String)
}
