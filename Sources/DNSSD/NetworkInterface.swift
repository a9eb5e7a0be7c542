/// A network interface of this host, as the system described it at one moment.
public struct NetworkInterface: Hashable, Sendable {
    /// The system's name, such as `eth0`.
    public let name: String
    /// The system's number of the interface, greater than zero.
    public let index: UInt32
    /// The addresses of the interface, each with its network, IPv4 first. IPv6 addresses that are not confirmed yet to be
    /// unique on the link are left out.
    public let subnets: [Subnet]
    /// Whether the interface is switched on.
    public let isUp: Bool
    /// Whether the interface is able to carry packets: its cable is in, its radio connected, the other end there.
    public let isRunning: Bool
    /// Whether the interface says that it carries multicast. `lo` usually does not say so, yet carries it.
    public let supportsMulticast: Bool
    /// Whether the interface leads to one other host only, as a tunnel does. Such an interface is used only if it is selected.
    public let isPointToPoint: Bool
    /// Whether packets never leave this host.
    public let isLoopback: Bool

    /// The addresses of the interface, IPv4 first.
    public var addresses: [IPAddress] { subnets.map(\.address) }
}
