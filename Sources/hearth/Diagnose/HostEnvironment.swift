import Foundation

/// What the system tells of an interface beyond its addresses, and of where this process runs.
enum HostEnvironment {
    /// The kernel's numbers (`linux/sockios.h`, `linux/ethtool.h`).
    private enum Ethtool {
        static let request: UInt = 0x8946
        static let driverInformation: UInt32 = 3
        /// The size of `struct ethtool_drvinfo`, and where in it the driver's name is.
        static let informationSize = 196
        static let driverName = 4..<36
    }

    /// How container engines and virtual machines name their networks.
    private static let containerNames = [
        "docker", "br-", "veth", "virbr", "cni", "podman", "lxcbr", "lxdbr", "vmnet", "flannel",
    ]

    /// Whether an interface's name is one that container engines and virtual machines give.
    static func belongsToContainers(_ interface: String) -> Bool {
        containerNames.contains { interface.hasPrefix($0) }
    }

    /// Whether this process runs in a container, by the marks that engines leave.
    static var isContainer: Bool {
        let marks = ["/.dockerenv", "/run/.containerenv"]
        return marks.contains { FileManager.default.fileExists(atPath: $0) }
            || ProcessInfo.processInfo.environment["container"]?.isEmpty == false
    }

    /// The names of the interfaces with one other end only, such as tunnels.
    static var pointToPointInterfaces: Set<String> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var names: Set<String> = []
        var rest = first
        while let entry = rest?.pointee {
            rest = entry.ifa_next
            if entry.ifa_flags & CUnsignedInt(IFF_POINTOPOINT) != 0 {
                names.insert(String(cString: entry.ifa_name))
            }
        }
        return names
    }

    /// What drives an interface, such as `veth`; `nil` if the system does not tell.
    static func driver(of interface: String) -> String? {
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var information = [UInt8](repeating: 0, count: Ethtool.informationSize)
        withUnsafeBytes(of: Ethtool.driverInformation) { information.replaceSubrange(0..<4, with: $0) }
        let isKnown = information.withUnsafeMutableBytes { buffer in
            var request = ifreq()
            withUnsafeMutableBytes(of: &request.ifr_ifrn) {
                $0.copyBytes(from: interface.utf8.prefix(Int(IFNAMSIZ) - 1))
            }
            request.ifr_ifru.ifru_data = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return ioctl(descriptor, Ethtool.request, &request) == 0
        }
        let name = String(decoding: information[Ethtool.driverName].prefix { $0 != 0 }, as: UTF8.self)
        return isKnown && !name.isEmpty ? name : nil
    }
}
