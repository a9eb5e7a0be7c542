package import Foundation

/// An accessory that isn't on a network yet, in its own network.
package struct UnconfiguredAccessory: Hashable, Sendable, Codable, Identifiable {
    /// An ID that lasts at least while the accessory is visible.
    package var id: UUID
    /// The name.
    package var name: String
    /// The manufacturer; empty if unknown.
    package var manufacturer: String
    /// The model; empty if unknown.
    package var model: String
    /// The name of the accessory's own network; empty if unknown.
    package var network: String
    /// The MAC address, `XX:XX:XX:XX:XX:XX`.
    package var macAddress: String
    /// What the accessory supports, among ``airPlay``, ``airPrint`` and ``homeKit``. Unknown words are preserved.
    package var supports: [String]

    package static let airPlay = "airPlay"
    package static let airPrint = "airPrint"
    package static let homeKit = "homeKit"

    package init(
        id: UUID,
        name: String,
        manufacturer: String,
        model: String,
        network: String,
        macAddress: String,
        supports: [String]
    ) {
        self.id = id
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.network = network
        self.macAddress = macAddress
        self.supports = supports
    }
}

/// Hands a network to an accessory that isn't on one.
package struct ConfigureAccessory: Hashable, Sendable, Codable {
    /// The accessory's ID.
    package var id: UUID
    /// The network's name, 1 to 32 bytes. If `nil`, the hub asks for it with a ``Question``.
    package var network: String?
    /// The network's passphrase, 8 to 63 characters of printable ASCII. If `nil`, the hub asks for it with a ``Question``.
    package var passphrase: String?

    package init(id: UUID, network: String? = nil, passphrase: String? = nil) {
        self.id = id
        self.network = network
        self.passphrase = passphrase
    }
}

/// The result of a configuration that succeeded.
package struct ConfiguredAccessory: Hashable, Sendable, Codable {
    /// The accessory's name.
    package var name: String
    /// The accessory's HAP device ID, with which it can be added to a home; `nil` if it doesn't support HomeKit.
    package var deviceID: String?

    package init(name: String, deviceID: String?) {
        self.name = name
        self.deviceID = deviceID
    }
}

extension HubError.Code {
    // MARK: Accessories that aren't on the network

    /// The hub has no interface on which to look for accessories that aren't on the network.
    package static let noSetupInterface = Self(rawValue: "noSetupInterface")
    /// The network's name or passphrase is invalid.
    package static let invalidNetwork = Self(rawValue: "invalidNetwork")
    /// The accessory is already being configured.
    package static let alreadyConfiguring = Self(rawValue: "alreadyConfiguring")
    /// The accessory didn't accept the configuration.
    package static let configurationFailed = Self(rawValue: "configurationFailed")
    /// The accessory didn't join the network. Its name or passphrase may be wrong.
    package static let networkNotJoined = Self(rawValue: "networkNotJoined")
}
