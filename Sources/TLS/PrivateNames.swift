import Foundation

/// The names and addresses that only private networks have, and that a hub's authority is valid for.
package enum PrivateNames {
    /// The domains, with all names in them.
    static let domains = ["local", "localhost"]
    /// The networks, as an address and a mask: private and shared addresses, link-local ones and the machine itself.
    static let networks = [
        "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "100.64.0.0/255.192.0.0",
        "169.254.0.0/255.255.0.0", "127.0.0.0/255.0.0.0",
        "fc00:0:0:0:0:0:0:0/fe00:0:0:0:0:0:0:0", "fe80:0:0:0:0:0:0:0/ffc0:0:0:0:0:0:0:0",
        "0:0:0:0:0:0:0:1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ]

    /// Returns whether an address belongs to one of the networks.
    ///
    /// - Parameter address: 4 or 16 bytes, in network byte order. An IPv4 address can be mapped into IPv6.
    package static func contains(_ address: [UInt8]) -> Bool {
        let isMapped =
            address.count == 16 && address.prefix(10).allSatisfy { $0 == 0 } && address[10...11] == [0xFF, 0xFF]
        let address = isMapped ? Array(address.suffix(4)) : address
        return ranges.contains { range in
            range.address.count == address.count
                && zip(address, zip(range.address, range.mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
        }
    }

    /// ``networks`` as bytes.
    private static let ranges = networks.map { network in
        let parts = network.split(separator: "/").map { bytes(of: String($0)) }
        return (address: parts[0], mask: parts[1])
    }

    private static func bytes(of address: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : []
    }

    /// Returns whether a text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    /// Returns whether a text is a host name without a domain.
    static func isHostName(_ text: String) -> Bool {
        !text.contains(".") && isName(text) && text.lowercased() != "localhost"
    }

    /// Returns whether a text is a host name or an address.
    static func isNameOrAddress(_ text: String) -> Bool {
        isAddress(text) || isName(text)
    }

    private static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
    }
}
