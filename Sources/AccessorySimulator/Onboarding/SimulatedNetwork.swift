internal import HAP
package import HAPServer

/// The Wi-Fi network that a simulator's accessories can join.
///
/// Until an accessory has joined it, the accessory is only in its own network, where a controller can configure it. There
/// is no radio: interfaces stand in for both networks.
public struct SimulatedNetwork: Sendable {
    /// The interfaces that stand in for the accessories' own networks, by name or address. At least one.
    public var setupInterfaces: [String]
    /// The network's name, 1 to 32 bytes.
    public var name: String
    /// The network's passphrase, 8 to 63 characters of printable ASCII.
    public var passphrase: String

    /// The advertiser in the accessories' own networks, in place of multicast DNS. Its owner shuts it down.
    package var advertiser: Advertiser?

    /// Creates a network.
    public init(setupInterfaces: [String], name: String, passphrase: String) {
        self.setupInterfaces = setupInterfaces
        self.name = name
        self.passphrase = passphrase
    }
}
