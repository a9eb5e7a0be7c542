import NIOCore
import NIOPosix
import WebServer

extension HTTPAddress {
    /// Whether the port is open on all addresses of the machine.
    var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// The addresses of the machine, without those of link-local IPv6, which only work together with an interface.
    private static var machineAddresses: [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { $0.address?.ipAddress }.filter { !$0.hasPrefix("fe80") && !$0.contains("%") }
    }

    /// The hosts under which other machines and this one reach the port, the best first.
    var reachableHosts: [String] {
        guard isWildcard else { return [host] }
        return Self.machineAddresses.filter { !$0.hasPrefix("127.") && !$0.contains(":") } + ["127.0.0.1"]
    }

    /// The names and addresses under which clients reach the port, for its certificate.
    var certificateNames: [String] {
        let addresses = isWildcard ? Self.machineAddresses + ["127.0.0.1", "::1"] : [host]
        return RequestOrigin.machineNames + addresses
    }

    /// Returns a host as in a URL, with brackets around an IPv6 address.
    static func hostText(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }
}
