/// The plan of a host of a ``NetworkLab``: its name and its cables.
public struct HostPlan: Sendable {
    /// A cable from a host to a network.
    public struct Cable: Sendable {
        /// The name of the host's interface.
        public var interface: String
        /// The network that the cable leads to.
        public var network: String
        /// The interface's IPv4 and global IPv6 addresses with their prefix lengths, such as `10.77.0.1/24`.
        public var addresses: [String]
        /// Whether the interface has a link-local IPv6 address.
        public var hasIPv6: Bool

        /// Creates a cable.
        public init(
            _ interface: String = "eth0",
            to network: String = "net",
            _ addresses: [String] = [],
            hasIPv6: Bool = true
        ) {
            self.interface = interface
            self.network = network
            self.addresses = addresses
            self.hasIPv6 = hasIPv6
        }
    }

    /// The name, which is also the host's name for programs on it.
    public var name: String
    /// The cables.
    public var cables: [Cable]

    /// Creates a plan.
    public init(_ name: String, _ cables: [Cable]) {
        self.name = name
        self.cables = cables
    }

    /// Creates a host with one cable to the network `net`.
    public init(_ name: String, _ addresses: String..., hasIPv6: Bool = true) {
        self.init(name, [Cable(addresses, hasIPv6: hasIPv6)])
    }
}

extension HostPlan.Cable {
    fileprivate init(_ addresses: [String], hasIPv6: Bool) {
        self.init("eth0", to: "net", addresses, hasIPv6: hasIPv6)
    }
}
