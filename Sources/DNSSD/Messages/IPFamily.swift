/// A version of the Internet Protocol. Hosts that use one of them only do not hear what is sent over the other.
enum IPFamily: Hashable, Sendable {
    case ipv4
    case ipv6

    /// The version that an address belongs to.
    init(_ address: IPAddress) {
        self = address.isIPv4 ? .ipv4 : .ipv6
    }
}
