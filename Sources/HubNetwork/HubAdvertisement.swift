package import HomeIdentity

/// How a hub is found on the network. It is a hint only: the key decides.
///
/// Nothing in it names a home, a person or an accessory.
package struct HubAdvertisement: Hashable, Sendable {
    /// The DNS-SD type.
    package static let serviceType = "_hearth._tcp"
    /// The key of the protocol's version in the TXT record.
    package static let versionKey = "v"
    /// The key of the hub's ID in the TXT record.
    package static let idKey = "id"
    /// The protocol's version.
    package static let version = "1"

    /// The instance's name.
    package let name: String
    /// The first bytes of the digest of the hub's key, in hexadecimal.
    package let id: String
    /// The port.
    package let port: Int

    /// Creates the advertisement of a hub.
    package init(hub: PublicKey, host: String, port: Int) {
        name = "Hearth on \(host)"
        id = hub.discoveryID
        self.port = port
    }

    /// The strings of the TXT record.
    package var text: [(key: String, value: String)] {
        [(Self.versionKey, Self.version), (Self.idKey, id)]
    }
}
