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
