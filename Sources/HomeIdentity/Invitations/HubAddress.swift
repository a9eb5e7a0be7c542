import Foundation

/// An IP address and a TCP port at which a hub listens.
package struct HubAddress: Hashable, Sendable {
    /// The numbers of bytes that addresses have: those of IPv4 and of IPv6.
    package static let byteCounts: Set<Int> = [4, 16]

    /// The IP address, in network byte order.
    package let ip: [UInt8]
    /// The TCP port.
    package let port: UInt16

    /// Creates an address. Returns `nil` unless the IP address has 4 or 16 bytes and the port isn't 0.
    package init?(ip: some Sequence<UInt8>, port: UInt16) {
        let ip = Array(ip)
        guard Self.byteCounts.contains(ip.count), port != 0 else { return nil }
        self.ip = ip
        self.port = port
    }
}

extension HubAddress: Codable {
    private enum Key: String, CodingKey {
        case ip, port
    }

    /// Reads an address, whose IP address is in base64.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let address = HubAddress(
            ip: try values.decode(Data.self, forKey: .ip),
            port: try values.decode(UInt16.self, forKey: .port)
        )
        guard let address else {
            throw DecodingError.dataCorruptedError(
                forKey: .ip,
                in: values,
                debugDescription: "An address has 4 or 16 bytes and a port."
            )
        }
        self = address
    }

    /// Writes the address.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Data(ip), forKey: .ip)
        try values.encode(port, forKey: .port)
    }
}
