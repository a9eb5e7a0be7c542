import Glibc

/// Opens a socket for one interface and one IP version.
///
/// The socket is bound to the group's address instead of all addresses, so that it receives exactly the packets to the
/// group on its interface. It is bound to the interface. If that isn't allowed, IPv4 joins the group on that interface
/// only, with `IP_MULTICAST_ALL` off, and IPv6 binds the group's address with the interface as its scope. Every packet
/// therefore comes from the link (RFC 6762 section 11), and unicast packets to port 5353 are left to other programs
/// that share the port; see ``UnicastSocket``.
extension MulticastSocket {
    /// Opens and binds a socket.
    ///
    /// - Returns: The descriptor, non-blocking; the caller closes it.
    /// - Throws: ``DNSSDError`` with the code `portRefused` or `socketRefused`.
    static func descriptor(_ interface: NetworkInterface, isIPv4: Bool) throws(DNSSDError) -> CInt {
        let kind = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { throw SocketOption.refusal("a socket", on: interface.name) }
        do {
            try SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEADDR, CInt(1), on: interface.name)
            // With SO_REUSEPORT, Linux distributes packets over all sockets of a user with the same address, port and
            // device, even multicast packets of a group that only one of them joined. Therefore it requires that the
            // socket is bound to its device.
            if SocketOption.canBind(descriptor, toDevice: interface.name) {
                try SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEPORT, CInt(1), on: interface.name)
            }
            // Bursts of responses are normal. With smaller buffers, more of them are lost.
            try? SocketOption.set(descriptor, SOL_SOCKET, SO_RCVBUF, bufferSize, on: interface.name)
            try? SocketOption.set(descriptor, SOL_SOCKET, SO_SNDBUF, bufferSize, on: interface.name)
            if isIPv4 {
                try configureIPv4(descriptor, interface)
            } else {
                try configureIPv6(descriptor, interface)
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func configureIPv4(_ descriptor: CInt, _ interface: NetworkInterface) throws(DNSSDError) {
        let level = CInt(IPPROTO_IP)
        try SocketOption.set(descriptor, level, IP_MULTICAST_ALL, CInt(0), on: interface.name)
        try SocketOption.set(descriptor, level, IP_MULTICAST_LOOP, CInt(1), on: interface.name)
        try SocketOption.set(descriptor, level, IP_MULTICAST_TTL, MulticastEndpoint.hopLimit, on: interface.name)
        try SocketOption.set(descriptor, level, IP_TTL, MulticastEndpoint.hopLimit, on: interface.name)

        var group = sockaddr_in()
        group.sin_family = sa_family_t(AF_INET)
        group.sin_port = MulticastEndpoint.port.bigEndian
        inet_pton(AF_INET, MulticastEndpoint.groupIPv4, &group.sin_addr)
        try SocketOption.bind(descriptor, to: group, on: interface.name)

        var membership = ip_mreqn()
        membership.imr_multiaddr = group.sin_addr
        membership.imr_ifindex = CInt(interface.index)
        if let address = interface.addresses.first(where: \.isIPv4) {
            inet_pton(AF_INET, address.description, &membership.imr_address)
        }
        try SocketOption.set(descriptor, level, IP_MULTICAST_IF, membership, on: interface.name)
        try SocketOption.set(descriptor, level, IP_ADD_MEMBERSHIP, membership, on: interface.name)
    }

    private static func configureIPv6(_ descriptor: CInt, _ interface: NetworkInterface) throws(DNSSDError) {
        let level = CInt(IPPROTO_IPV6)
        try SocketOption.set(descriptor, level, IPV6_V6ONLY, CInt(1), on: interface.name)
        try SocketOption.set(descriptor, level, IPV6_MULTICAST_LOOP, CInt(1), on: interface.name)
        try SocketOption.set(descriptor, level, IPV6_MULTICAST_HOPS, MulticastEndpoint.hopLimit, on: interface.name)
        try SocketOption.set(descriptor, level, IPV6_UNICAST_HOPS, MulticastEndpoint.hopLimit, on: interface.name)
        try SocketOption.set(descriptor, level, IPV6_MULTICAST_IF, CInt(interface.index), on: interface.name)

        var group = sockaddr_in6()
        group.sin6_family = sa_family_t(AF_INET6)
        group.sin6_port = MulticastEndpoint.port.bigEndian
        group.sin6_scope_id = interface.index
        inet_pton(AF_INET6, MulticastEndpoint.groupIPv6, &group.sin6_addr)
        try SocketOption.bind(descriptor, to: group, on: interface.name)

        var membership = ipv6_mreq()
        membership.ipv6mr_multiaddr = group.sin6_addr
        membership.ipv6mr_interface = interface.index
        try SocketOption.set(descriptor, level, IPV6_ADD_MEMBERSHIP, membership, on: interface.name)
    }
}
