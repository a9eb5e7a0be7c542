import HAP

/// The configuration that a controller sends to an accessory.
package struct SetupConfiguration: Hashable, Sendable {
    /// The network to join.
    package var network: NetworkCredentials
    /// The name for the accessory; `nil` to keep its own.
    package var name: String?

    /// Creates a configuration.
    package init(network: NetworkCredentials, name: String? = nil) {
        self.network = network
        self.name = name
    }

    /// Decodes a configuration.
    ///
    /// - Throws: ``WirelessSetupError/malformedMessage(_:)``, or an error about the network's name or passphrase.
    package init(decoding bytes: [UInt8]) throws(WirelessSetupError) {
        let elements = try TLV8(decodingSetup: bytes)
        name = try elements.text(.name)
        guard let network = try elements.text(.network) else {
            throw .malformedMessage("the network's name is missing")
        }
        guard let passphrase = try elements.text(.passphrase) else {
            throw .malformedMessage("the passphrase is missing")
        }
        self.network = try NetworkCredentials(name: network, passphrase: passphrase)
    }

    /// Returns the configuration's bytes.
    package func encoded() throws(WirelessSetupError) -> [UInt8] {
        var elements = TLV8()
        try elements.append(.name, name)
        try elements.append(.passphrase, network.passphrase)
        try elements.append(.network, network.name)
        return elements.encoded()
    }
}
