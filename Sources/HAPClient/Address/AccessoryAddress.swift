/// Where an accessory server listens: a hint that may be wrong at any time. Who answers there is settled by pair-verify.
package struct AccessoryAddress: Hashable, Sendable, Codable {
    /// An IPv4 or IPv6 address, the latter with its zone where it is link-local (`fe80::1%eth0`), or a host name.
    package let host: String
    /// The TCP port, 1 to 65535.
    package let port: Int

    /// Creates an address. Nothing is looked up.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The same addresses without repetitions, in the order in which they are tried: IPv4 first, then all others.
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

    /// The authority for a request's `Host` field: IPv6 in brackets and without its zone.
    var authority: String {
        let host = host.prefix { $0 != "%" }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension AccessoryAddress: CustomStringConvertible {
    /// Host and port with a colon between; IPv6 in brackets.
    package var description: String {
        isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
