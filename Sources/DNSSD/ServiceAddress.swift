/// An address of a service, and the interface on which it was received.
public struct ServiceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let address: IPAddress
    /// The name of the local interface on which the address was received, such as `eth0`.
    public let interfaceName: String
    /// The index of that interface.
    public let interfaceIndex: UInt32

    /// Creates an address that was received on an interface.
    public init(address: IPAddress, interfaceName: String, interfaceIndex: UInt32) {
        self.address = address
        self.interfaceName = interfaceName
        self.interfaceIndex = interfaceIndex
    }

    /// The address in the form for a connection: `192.168.1.20`, or with the zone that link-local IPv6 requires,
    /// `fe80::1%eth0`.
    public var description: String {
        address.isIPv6LinkLocal ? "\(address)%\(interfaceName)" : address.description
    }
}
