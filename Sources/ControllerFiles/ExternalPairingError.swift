/// Why an entry of a controller's file is of no use. It never tells what the entry holds.
package enum ExternalPairingError: Error, Hashable, Sendable {
    /// The entry is no JSON object.
    case notAnObject
    /// The entry lacks the member of this name.
    case missing(String)
    /// The member of this name is not what it should be.
    case malformed(String)
    /// The controller's public key is not that of its secret key: one of the two was altered.
    case keysDiffer
    /// The accessory is reached by something else than IP, of this name.
    case transport(String)
}

extension ExternalPairingError: CustomStringConvertible {
    /// What is wrong, and what to do about it, for people.
    package var description: String {
        switch self {
        case .notAnObject: "The entry is no pairing."
        case .missing(let name): "The entry is incomplete: it has no \(name). Take a whole copy of the file."
        case .malformed(let name): "The entry is damaged: its \(name) can't be read. Take a fresh copy of the file."
        case .keysDiffer:
            "The entry is damaged: its \(ControllerFileKey.controllerSecret) and its "
                + "\(ControllerFileKey.controllerPublicKey) don't belong together. Take a fresh copy of the file."
        case .transport(ControllerFileKey.bluetooth):
            "The accessory is paired over Bluetooth, which Hearth does not speak. It stays where it is."
        case .transport(ControllerFileKey.thread):
            "The accessory is paired over Thread, which Hearth does not speak. It stays where it is."
        case .transport: "The accessory is reached in a way that Hearth does not know. It stays where it is."
        }
    }
}
