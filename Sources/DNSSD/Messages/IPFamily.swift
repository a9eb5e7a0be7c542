/// An IP version. Hosts that use only one of them don't receive what is sent over the other.
enum IPFamily: Hashable, Sendable {
    case ipv4
    case ipv6

    /// The version of an address.
    init(_ address: IPAddress) {
        self = address.isIPv4 ? .ipv4 : .ipv6
    }
}
