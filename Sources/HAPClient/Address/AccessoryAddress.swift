/// An address at which an accessory server may listen. It is only a hint: pair-verify determines which accessory
/// answers.
package struct AccessoryAddress: Hashable, Sendable, Codable {
    /// An IPv4 or IPv6 address, with its zone if it is link-local (`fe80::1%eth0`), or a host name.
    package let host: String
    /// The TCP port, 1 to 65535.
    package let port: Int

    /// Creates an address, without resolving it.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Returns the addresses without duplicates, in the order in which to try them: IPv4 first, then all others.
    package static func sortedByPreference(_ addresses: [AccessoryAddress]) -> [AccessoryAddress] {
        var seen: Set<AccessoryAddress> = []
        let distinct = addresses.filter { seen.insert($0).inserted }
        return distinct.filter(\.isIPv4) + distinct.filter { !$0.isIPv4 }
    }

    private var isIPv4: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    private var isIPv6: Bool { host.contains(":") }

    /// The authority for a request's `Host` field. IPv6 addresses are in brackets and have no zone.
    var authority: String {
        let host = host.prefix { $0 != "%" }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension AccessoryAddress: CustomStringConvertible {
    /// The host and port, separated by a colon. IPv6 addresses are in brackets.
    package var description: String {
        isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
