/// An interface as the protocol sees it: a link on which names are unique.
struct LinkDescription: Hashable, Sendable {
    /// The system's number of the interface.
    let index: UInt32
    /// The system's name of the interface.
    let name: String
    /// The addresses that this host gives for itself on the link, with their networks.
    let subnets: [Subnet]
    /// Whether packets never leave this host.
    let isLoopback: Bool
    /// Whether this program, and no other on this host, hears what is sent to this host's UDP port 5353.
    var hearsUnicast = false

    /// The addresses that this host gives for itself on the link.
    var addresses: [IPAddress] { subnets.map(\.address) }

    /// The IP versions in use on the link.
    var families: Set<IPFamily> { Set(addresses.map(IPFamily.init)) }

    /// Whether an address is one that hosts of this link have (RFC 6762 section 11).
    func isOnLink(_ address: IPAddress) -> Bool {
        address.isLinkLocal || subnets.contains { $0.contains(address) }
    }

    /// Whether the link has become part of other networks than it was part of: then other hosts are on it, although the
    /// interface is the same.
    func isElsewhere(than former: LinkDescription) -> Bool {
        let before = former.subnets.filter(\.address.isIPv4)
        let after = addresses.filter(\.isIPv4)
        guard !before.isEmpty, !after.isEmpty else { return false }
        return !after.contains { address in before.contains { $0.contains(address) } }
    }
}

extension LinkDescription {
    /// Describes an interface that is in use.
    init(_ interface: NetworkInterface, hearsUnicast: Bool) {
        self.init(
            index: interface.index,
            name: interface.name,
            subnets: interface.subnets,
            isLoopback: interface.isLoopback,
            hearsUnicast: hearsUnicast && !interface.isLoopback
        )
    }
}
