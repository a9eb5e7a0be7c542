/// A snapshot of a network interface of this host.
public struct NetworkInterface: Hashable, Sendable {
    /// The system's name, such as `eth0`.
    public let name: String
    /// The system's index of the interface, greater than zero.
    public let index: UInt32
    /// The addresses of the interface with their networks, IPv4 first. IPv6 addresses that aren't yet confirmed to be
    /// unique on the link are left out.
    public let subnets: [Subnet]
    /// Whether the interface is up.
    public let isUp: Bool
    /// Whether the interface can carry packets: the cable is plugged in, or the radio is connected.
    public let isRunning: Bool
    /// Whether the interface declares multicast support. `lo` usually doesn't declare it, but supports it.
    public let supportsMulticast: Bool
    /// Whether the interface leads to a single other host, such as a tunnel. Such an interface is used only if it is
    /// selected.
    public let isPointToPoint: Bool
    /// Whether this is a loopback interface, whose packets never leave the host.
    public let isLoopback: Bool

    /// The addresses of the interface, IPv4 first.
    public var addresses: [IPAddress] { subnets.map(\.address) }
}
