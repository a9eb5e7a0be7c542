/// The result of a discovery check, and its JSON output.
struct DiscoveryReport: Encodable, Sendable {
    /// An interface and its traffic during the check.
    struct Interface: Encodable, Sendable {
        var name: String
        /// The addresses with their prefix lengths, such as `192.168.1.20/24`.
        var addresses: [String]
        var isUp: Bool
        var isRunning: Bool
        var supportsMulticast: Bool
        var isLoopback: Bool
        var isPointToPoint: Bool
        /// The kernel's name for the driver, such as `veth` or `bridge`, or `nil` if it is unknown.
        var driver: String?
        /// Whether the name is typical of container engines and virtual machines.
        var belongsToContainers: Bool
        /// The traffic, or `nil` if the interface isn't used.
        var traffic: Traffic?
    }

    /// The multicast DNS traffic of an interface.
    struct Traffic: Encodable, Sendable {
        var usesIPv4: Bool
        var usesIPv6: Bool
        /// The number of messages sent.
        var sent: Int
        /// The number of packets that the system refused to send.
        var unsent: Int
        /// The number of this process's own packets that looped back.
        var ownHeard: Int
        /// The number of messages received from others.
        var heard: Int
        /// The addresses of the senders.
        var sources: [String]
        /// The error's code, if the system refused an operation.
        var refusal: String?
    }

    /// A program that has UDP port 5353 open.
    struct PortUser: Encodable, Hashable, Sendable {
        /// The process's name, or `nil` if this process may not inspect it. The same applies to its ID.
        var process: String?
        var id: Int32?
        /// The user that opened the port.
        var user: String
        /// The addresses that the sockets are bound to.
        var addresses: [String]
    }

    /// An accessory that was seen on an interface.
    struct Accessory: Encodable, Sendable {
        var name: String
        var interface: String
        /// The device ID, or `nil` if it isn't advertised.
        var id: String?
        var isPaired: Bool
        var port: UInt16
        var addresses: [String]
    }

    var interfaces: [Interface]
    var portUsers: [PortUser]
    var accessories: [Accessory]
    /// Whether this process runs in a container.
    var isContainer: Bool
    var findings: [DiscoveryFinding] = []
}
