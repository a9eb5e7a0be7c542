/// An error in an entry of a controller's file. It never contains the entry's values.
package enum ExternalPairingError: Error, Hashable, Sendable {
    /// The entry is not a JSON object.
    case notAnObject
    /// The entry lacks the member with this name.
    case missing(String)
    /// The member with this name is malformed.
    case malformed(String)
    /// The controller's public and secret keys don't match, so one of them was altered.
    case keysDiffer
    /// The accessory uses this transport, which is not IP.
    case transport(String)
}

extension ExternalPairingError: CustomStringConvertible {
    /// The human-readable reason, and what to do.
    package var description: String {
        switch self {
        case .notAnObject: "The entry is not a pairing."
        case .missing(let name): "The entry is incomplete: it has no \(name). Make a complete copy of the file."
        case .malformed(let name): "The entry is damaged: its \(name) can't be read. Make a new copy of the file."
        case .keysDiffer:
            "The entry is damaged: its \(ControllerFileKey.controllerSecret) and its "
                + "\(ControllerFileKey.controllerPublicKey) don't match. Make a new copy of the file."
        case .transport(ControllerFileKey.bluetooth):
            "The accessory is paired over Bluetooth, which Hearth doesn't support. It was not imported."
        case .transport(ControllerFileKey.thread):
            "The accessory is paired over Thread, which Hearth doesn't support. It was not imported."
        case .transport: "The accessory uses a transport that Hearth doesn't support. It was not imported."
        }
    }
}
