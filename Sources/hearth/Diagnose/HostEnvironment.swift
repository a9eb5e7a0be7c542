import Foundation

/// Facts about the host that the DNSSD module doesn't report: drivers, containers and tunnels.
enum HostEnvironment {
    /// The kernel's constants (`linux/sockios.h`, `linux/ethtool.h`).
    private enum Ethtool {
        static let request: UInt = 0x8946
        static let driverInformation: UInt32 = 3
        /// The size of `struct ethtool_drvinfo`, and the range of the driver's name in it.
        static let informationSize = 196
        static let driverName = 4..<36
    }

    /// The prefixes that container engines and virtual machines use for their interfaces.
    private static let containerNames = [
        "docker", "br-", "veth", "virbr", "cni", "podman", "lxcbr", "lxdbr", "vmnet", "flannel",
    ]

    /// Whether an interface's name is typical of container engines and virtual machines.
    static func belongsToContainers(_ interface: String) -> Bool {
        containerNames.contains { interface.hasPrefix($0) }
    }

    /// Whether this process runs in a container, judging by the files and variables that container engines create.
    static var isContainer: Bool {
        let marks = ["/.dockerenv", "/run/.containerenv"]
        return marks.contains { FileManager.default.fileExists(atPath: $0) }
            || ProcessInfo.processInfo.environment["container"]?.isEmpty == false
    }

    /// The names of the point-to-point interfaces, such as tunnels.
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

    /// Returns the name of an interface's driver, such as `veth`, or `nil` if it is unknown.
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
