import Glibc

/// Opens sockets for unicast packets to this host's port 5353.
extension UnicastSocket {
    /// Whether no other program on this host has bound the port. Checked by briefly binding it without sharing.
    static var isPortFree: Bool {
        [true, false].allSatisfy { isIPv4 in
            let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, kind, 0)
            // If the system lacks an IP version, no program uses it.
            guard descriptor >= 0 else { return true }
            defer { Glibc.close(descriptor) }
            guard isPrepared(descriptor, isIPv4: isIPv4) else { return false }
            return isBound(descriptor, isIPv4: isIPv4) || errno != EADDRINUSE
        }
    }

    /// Opens a socket that is bound to all addresses and isn't a member of any group.
    ///
    /// - Returns: The non-blocking descriptor, which the caller must close; `nil` if the system refuses.
    static func descriptor(isIPv4: Bool) -> CInt? {
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { return nil }
        guard SocketOption.canSet(descriptor, SOL_SOCKET, SO_REUSEADDR, CInt(1)),
            SocketOption.canSet(descriptor, SOL_SOCKET, SO_REUSEPORT, CInt(1)),
            isPrepared(descriptor, isIPv4: isIPv4), isBound(descriptor, isIPv4: isIPv4)
        else {
            Glibc.close(descriptor)
            return nil
        }
        return descriptor
    }

    private static let kind = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Excludes packets to groups and, from the IPv6 socket, packets over IPv4.
    private static func isPrepared(_ descriptor: CInt, isIPv4: Bool) -> Bool {
        if isIPv4 {
            return SocketOption.canSet(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_ALL, CInt(0))
        }
        return SocketOption.canSet(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, CInt(1))
            && SocketOption.canSet(descriptor, CInt(IPPROTO_IPV6), IPV6_MULTICAST_ALL, CInt(0))
    }

    private static func isBound(_ descriptor: CInt, isIPv4: Bool) -> Bool {
        if isIPv4 {
            var any = sockaddr_in()
            any.sin_family = sa_family_t(AF_INET)
            any.sin_port = MulticastEndpoint.port.bigEndian
            return SocketOption.canBind(descriptor, to: any)
        }
        var any = sockaddr_in6()
        any.sin6_family = sa_family_t(AF_INET6)
        any.sin6_port = MulticastEndpoint.port.bigEndian
        return SocketOption.canBind(descriptor, to: any)
    }
}
