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
        case .v4(let address):
            return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? Array(bytes.suffix(4)) : bytes
        case .unixDomainSocket: return nil
        }
    }

    /// The network that an address belongs to for limits: the address itself for IPv4, the first 64 bits for IPv6.
    var network: String {
        guard let bytes = ipBytes else { return "" }
        return bytes.prefix(bytes.count == 4 ? 4 : 8).map { String($0, radix: 16) }.joined(separator: ".")
    }
}
