internal import Glibc
package import NIOCore
internal import NIOPosix
internal import TLS

/// The peers that can connect, by their address.
package enum NetworkScope: String, Hashable, Sendable {
    /// Those with private addresses, and those on a network that this machine is on.
    case local
    /// Everybody, such as when the router forwards the port.
    case any

    /// Returns whether a peer can connect.
    func contains(_ address: SocketAddress) -> Bool {
        guard self == .local else { return true }
        guard let bytes = address.ipBytes else { return false }
        return PrivateNames.contains(bytes) || Self.isNeighbor(address)
    }

    /// Returns whether an address is on a network that this machine is on: with IPv6, homes have public addresses.
    private static func isNeighbor(_ address: SocketAddress) -> Bool {
        guard let peer = address.ipBytes else { return false }
        return ((try? System.enumerateDevices()) ?? []).contains { device in
            guard let own = device.address?.ipBytes, let mask = device.netmask?.ipBytes, own.count == peer.count,
                mask.count == peer.count, mask.contains(where: { $0 != 0 })
            else { return false }
            return zip(peer, zip(own, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
        }
    }
}

extension SocketAddress {
    /// The bytes of the IP address: 4 or 16, or 4 of one that is mapped into IPv6.
    package var ipBytes: [UInt8]? {
        switch self {
        case .v4: return ipBytes(AF_INET, count: MemoryLayout<in_addr>.size)
        case .v6:
            guard let bytes = ipBytes(AF_INET6, count: MemoryLayout<in6_addr>.size) else { return nil }
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? Array(bytes.suffix(4)) : bytes
        case .unixDomainSocket: return nil
        }
    }

    /// Returns the bytes from the address's text: which module defines the fields of C's structure depends on which one
    /// the compiler loads first.
    private func ipBytes(_ family: Int32, count: Int) -> [UInt8]? {
        guard let ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, ipAddress, &bytes) == 1 ? bytes : nil
    }

    /// The network that an address belongs to for limits: the address itself for IPv4, the first 64 bits for IPv6.
    var network: String {
        guard let bytes = ipBytes else { return "" }
        return bytes.prefix(bytes.count == 4 ? 4 : 8).map { String($0, radix: 16) }.joined(separator: ".")
    }
}
