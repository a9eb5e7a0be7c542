import Foundation
package import NIOCore

extension SocketAddress {
    /// The network that an address belongs to for limits: the address itself for IPv4, the first 64 bits for IPv6.
    package var network: String? {
        guard case .v6 = self, let text = ipAddress, text != "::1", !text.hasPrefix("::ffff:") else { return ipAddress }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
