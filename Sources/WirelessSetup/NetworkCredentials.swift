/// The name and passphrase of a Wi-Fi network, for an accessory that should join it.
///
/// The passphrase isn't part of any description, so that logging the value doesn't reveal it.
package struct NetworkCredentials: Hashable, Sendable {
    /// The number of bytes that a network's name can have. Source: IEEE 802.11, SSID element.
    package static let nameLength = 1...32
    /// The number of characters that a passphrase can have. Source: IEEE 802.11, WPA passphrase.
    package static let passphraseLength = 8...63
    /// The characters of a passphrase: printable ASCII.
    private static let passphraseBytes: ClosedRange<UInt8> = 0x20...0x7E

    /// The network's name (SSID).
    package let name: String
    /// The network's passphrase.
    package let passphrase: String

    /// Creates credentials.
    ///
    /// - Throws: ``WirelessSetupError/invalidNetworkName(_:)``, ``WirelessSetupError/invalidPassphrase(_:)`` or
    ///   ``WirelessSetupError/invalidPassphraseCharacter``.
    package init(name: String, passphrase: String) throws(WirelessSetupError) {
        guard Self.nameLength.contains(name.utf8.count) else { throw .invalidNetworkName(name.utf8.count) }
        guard Self.passphraseLength.contains(passphrase.utf8.count) else {
            throw .invalidPassphrase(passphrase.utf8.count)
        }
        guard passphrase.utf8.allSatisfy(Self.passphraseBytes.contains) else { throw .invalidPassphraseCharacter }
        self.name = name
        self.passphrase = passphrase
    }
}

extension NetworkCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The network's name in quotation marks.
    package var description: String { "“\(name)”" }
    /// The network's name in quotation marks.
    package var debugDescription: String { description }
    /// A mirror without the passphrase.
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
