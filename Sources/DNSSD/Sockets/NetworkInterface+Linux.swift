import Glibc

extension NetworkInterface {
    /// The interfaces of this host, in the system's order.
    public static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var names: [String] = []
        var flags: [String: CUnsignedInt] = [:]
        var addresses: [String: [IPAddress]] = [:]
        var rest = first
        while let entry = rest?.pointee {
            rest = entry.ifa_next
            let name = String(cString: entry.ifa_name)
            if flags[name] == nil {
                names.append(name)
            }
            flags[name] = entry.ifa_flags
            if let socketAddress = entry.ifa_addr, let address = IPAddress(socketAddress: socketAddress) {
                addresses[name, default: []].append(address)
            }
        }
        return names.compactMap { name -> NetworkInterface? in
            let index = if_nametoindex(name)
            guard index > 0, let flags = flags[name] else { return nil }
            return NetworkInterface(
                name: name,
                index: index,
                addresses: (addresses[name] ?? []).sorted(),
                isUp: flags & CUnsignedInt(IFF_UP) != 0,
                supportsMulticast: flags & CUnsignedInt(IFF_MULTICAST) != 0,
                isLoopback: flags & CUnsignedInt(IFF_LOOPBACK) != 0
            )
        }
    }
}

extension IPAddress {
    /// Reads the address out of a socket address; `nil` for other families.
    init?(socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        switch CInt(socketAddress.pointee.sa_family) {
        case AF_INET:
            var address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
        case AF_INET6:
            var address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
        default:
            return nil
        }
    }
}
