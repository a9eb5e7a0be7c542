/// A network interface of this host, as the system described it at one moment.
public struct NetworkInterface: Hashable, Sendable {
    /// The system's name, such as `eth0`.
    public let name: String
    /// The system's number of the interface, greater than zero.
    public let index: UInt32
    /// The addresses of the interface, IPv4 first.
    public let addresses: [IPAddress]
    /// Whether the interface is up.
    public let isUp: Bool
    /// Whether the interface says that it carries multicast. `lo` usually does not say so, yet carries it.
    public let supportsMulticast: Bool
    /// Whether packets never leave this host.
    public let isLoopback: Bool
}
