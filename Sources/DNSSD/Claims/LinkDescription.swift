/// An interface from the protocol's point of view: a link on which names are unique.
struct LinkDescription: Hashable, Sendable {
    /// The system's index of the interface.
    let index: UInt32
    /// The system's name of the interface.
    let name: String
    /// The addresses that this host advertises on the link, with their networks.
    let subnets: [Subnet]
    /// Whether this is a loopback interface, whose packets never leave the host.
    let isLoopback: Bool
    /// Whether this program, and no other on this host, receives unicast packets to UDP port 5353.
    var receivesUnicast = false

    /// The addresses that this host advertises on the link.
    var addresses: [IPAddress] { subnets.map(\.address) }

    /// The IP versions in use on the link.
    var families: Set<IPFamily> { Set(addresses.map(IPFamily.init)) }

    /// Returns whether an address can belong to a host on this link (RFC 6762 section 11).
    func isOnLink(_ address: IPAddress) -> Bool {
        address.isLinkLocal || subnets.contains { $0.contains(address) }
    }

    /// Returns whether the link has been connected to a different network since a previous description, so that it has
    /// different hosts although the interface is the same.
    func isOnDifferentNetwork(from previous: LinkDescription) -> Bool {
        let before = previous.subnets.filter(\.address.isIPv4)
        let after = addresses.filter(\.isIPv4)
        guard !before.isEmpty, !after.isEmpty else { return false }
        return !after.contains { address in before.contains { $0.contains(address) } }
    }
}

extension LinkDescription {
    /// Creates the description of an interface in use.
    init(_ interface: NetworkInterface, receivesUnicast: Bool) {
        self.init(
            index: interface.index,
            name: interface.name,
            subnets: interface.subnets,
            isLoopback: interface.isLoopback,
            receivesUnicast: receivesUnicast && !interface.isLoopback
        )
    }
}
