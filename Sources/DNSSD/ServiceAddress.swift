/// An address at which a service can be reached, and the interface on which it was heard.
public struct ServiceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let address: IPAddress
    /// The name of this host's interface on which the address was heard, such as `eth0`.
    public let interfaceName: String
    /// The number of that interface.
    public let interfaceIndex: UInt32

    /// Creates an address heard on an interface.
    public init(address: IPAddress, interfaceName: String, interfaceIndex: UInt32) {
        self.address = address
        self.interfaceName = interfaceName
        self.interfaceIndex = interfaceIndex
    }

    /// The address as a connection needs it: `192.168.1.20`, or with the zone that link-local IPv6 requires,
    /// `fe80::1%eth0`.
    public var description: String {
        address.isIPv6LinkLocal ? "\(address)%\(interfaceName)" : address.description
    }
}
