/// An error in the configuration of an accessory that isn't on the network yet.
package enum WirelessSetupError: Error, Hashable, Sendable {
    /// The network's name has this many bytes, instead of 1 to 32.
    case invalidNetworkName(Int)
    /// The passphrase has this many bytes, instead of 8 to 63.
    case invalidPassphrase(Int)
    /// The passphrase has a character that isn't printable ASCII.
    case invalidPassphraseCharacter
    /// A message is malformed, as described.
    case malformedMessage(String)
    /// A message exceeds the maximum length.
    case messageTooLong
    /// The peer's public key is invalid.
    case invalidKey
    /// The accessory's certificate is of a kind that can't be verified here, such as one of an authentication chip.
    case unsupportedCertificate
    /// The accessory's signature doesn't match the exchanged keys.
    case invalidSignature
    /// A message arrived out of order.
    case outOfOrder
}

extension WirelessSetupError: CustomStringConvertible {
    /// The human-readable reason. It never contains a passphrase or a key.
    package var description: String {
        switch self {
        case .invalidNetworkName(let count):
            "A network's name has 1 to 32 bytes, not \(count). Check the name."
        case .invalidPassphrase(let count):
            "A passphrase has 8 to 63 characters, not \(count). Check the passphrase."
        case .invalidPassphraseCharacter:
            "A passphrase has only letters, digits and other printable ASCII characters. Check the passphrase."
        case .malformedMessage(let detail): "The message is malformed: \(detail)."
        case .messageTooLong: "The message is longer than \(WirelessSetupLimits.messageLength) bytes."
        case .invalidKey: "The public key is invalid."
        case .unsupportedCertificate:
            "The accessory authenticates itself with a certificate that can't be verified here, such as the certificate "
                + "of an MFi authentication chip."
        case .invalidSignature: "The accessory's signature doesn't match the exchanged keys."
        case .outOfOrder: "The message is out of order."
        }
    }
}

/// The limits of the messages that configure an accessory.
package enum WirelessSetupLimits {
    /// The maximum length of a message's body, in bytes.
    package static let messageLength = 4_096
    /// The maximum length of a string in a message or an advertisement, in bytes.
    package static let textLength = 255
}
