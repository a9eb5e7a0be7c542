import Glibc

extension NetworkInterface {
    /// Returns the interfaces of this host, in the system's order.
    public static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        let unconfirmed = UnconfirmedAddress.all()
        var names: [String] = []
        var flags: [String: CUnsignedInt] = [:]
        var subnets: [String: [Subnet]] = [:]
        var rest = first
        while let entry = rest?.pointee {
            rest = entry.ifa_next
            let name = String(cString: entry.ifa_name)
            if flags[name] == nil {
                names.append(name)
            }
            flags[name] = entry.ifa_flags
            if let subnet = Subnet(entry), !unconfirmed.contains(UnconfirmedAddress(subnet.address, on: name)) {
                subnets[name, default: []].append(subnet)
            }
        }
        return names.compactMap { name -> NetworkInterface? in
            let index = if_nametoindex(name)
            guard index > 0, let flags = flags[name] else { return nil }
            return NetworkInterface(
                name: name,
                index: index,
                subnets: (subnets[name] ?? []).sorted { $0.address < $1.address },
                isUp: flags & CUnsignedInt(IFF_UP) != 0,
                isRunning: flags & CUnsignedInt(IFF_RUNNING) != 0,
                supportsMulticast: flags & CUnsignedInt(IFF_MULTICAST) != 0,
                isPointToPoint: flags & CUnsignedInt(IFF_POINTOPOINT) != 0,
                isLoopback: flags & CUnsignedInt(IFF_LOOPBACK) != 0
            )
        }
    }
}

/// An IPv6 address that the kernel hasn't confirmed to be unique on its link, or has found to be a duplicate.
private struct UnconfirmedAddress: Hashable {
    /// The kernel's flags `IFA_F_TENTATIVE` and `IFA_F_DADFAILED`. `IFA_F_OPTIMISTIC` means that the address can be
    /// used.
    private static let (tentative, failed, optimistic): (UInt32, UInt32, UInt32) = (0x40, 0x08, 0x04)

    let address: IPAddress
    let interface: String

    init(_ address: IPAddress, on interface: String) {
        self.address = address
        self.interface = interface
    }

    /// Parses a line of `/proc/net/if_inet6`: address, index, prefix length, scope and flags in hexadecimal, and the
    /// name.
    private init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 6, words[0].utf8.count == 32, let flags = UInt32(words[4], radix: 16),
            flags & Self.failed != 0 || (flags & Self.tentative != 0 && flags & Self.optimistic == 0)
        else { return nil }
        let digits = Array(words[0])
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        guard let address = IPAddress(bytes: bytes) else { return nil }
        self.init(address, on: String(words[5]))
    }

    static func all() -> Set<UnconfirmedAddress> {
        guard let file = fopen("/proc/net/if_inet6", "re") else { return [] }
        defer { fclose(file) }
        var found: Set<UnconfirmedAddress> = []
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, CInt(buffer.count), file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let address = UnconfirmedAddress(line: line.filter { $0 != "\n" }[...]) {
                found.insert(address)
            }
        }
        return found
    }
}

extension Subnet {
    /// Creates a subnet from the address and the mask of an entry; `nil` for other address families.
    fileprivate init?(_ entry: ifaddrs) {
        guard let address = entry.ifa_addr.flatMap({ IPAddress(socketAddress: $0) }) else { return nil }
        let mask = entry.ifa_netmask.flatMap { IPAddress(socketAddress: $0) }
        let bits = address.bytes.count * UInt8.bitWidth
        self.init(address: address, prefixLength: mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? bits)
    }
}

extension IPAddress {
    /// Creates an address from a socket address; `nil` for other address families.
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
