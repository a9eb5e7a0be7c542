/// What an examination of discovery found, as `--json` prints it.
struct DiscoveryReport: Encodable, Sendable {
    /// An interface, and what went over it meanwhile.
    struct Interface: Encodable, Sendable {
        var name: String
        /// Each with the size of its network, such as `192.168.1.20/24`.
        var addresses: [String]
        var isUp: Bool
        var isRunning: Bool
        var supportsMulticast: Bool
        var isLoopback: Bool
        var isPointToPoint: Bool
        /// The kernel's name for what drives it, such as `veth` or `bridge`; absent if it does not say.
        var driver: String?
        /// Whether its name is one that container engines and virtual machines give their own networks.
        var belongsToContainers: Bool
        /// What was done and heard on it; absent if it is not used.
        var traffic: Traffic?
    }

    /// What was done and heard on an interface.
    struct Traffic: Encodable, Sendable {
        var usesIPv4: Bool
        var usesIPv6: Bool
        /// Messages that were sent.
        var sent: Int
        /// Packets that the system did not take.
        var unsent: Int
        /// Own packets that came back, as multicast does.
        var ownHeard: Int
        /// Messages of others.
        var heard: Int
        /// The addresses of others that were heard.
        var sources: [String]
        /// The error's name if the system refused something.
        var refusal: String?
    }

    /// A program that has UDP port 5353 open.
    struct PortUser: Encodable, Hashable, Sendable {
        /// Its name and number; absent if this process may not see whose it is.
        var process: String?
        var id: Int32?
        /// The account that opened it.
        var user: String
        /// The addresses it is bound to.
        var addresses: [String]
    }

    /// An accessory that was seen on an interface.
    struct Accessory: Encodable, Sendable {
        var name: String
        var interface: String
        /// Its device id; absent if it does not say.
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
