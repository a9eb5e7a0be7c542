public import PeerProcess
import Foundation

/// Hosts and networks for a test, built from network namespaces, pairs of virtual interfaces, and bridges.
///
/// A lab is isolated from the outside and from other labs, so all labs can use the same names and addresses. It
/// requires root.
public struct NetworkLab: Sendable {
    /// The maximum number of labs at a time in a test process.
    static let maximumCount = 4
    private static let semaphore = AsyncSemaphore(maximumCount)

    private let hosts: [String: LabHost]
    /// The namespace in which the cables of all hosts end. Each network is a bridge in it.
    private let patchPanel: LabHost

    /// Creates a lab, runs `body` with it, and removes it.
    ///
    /// - Parameter networks: The names of the networks. They are connected only by hosts with cables to both.
    /// - Throws: ``PeerProcessError`` if this machine doesn't allow the test to create a lab, so that nothing was
    ///   tested.
    public static func with<Result>(
        networks: [String] = ["net"],
        _ plans: HostPlan...,
        body: (NetworkLab) async throws -> Result
    ) async throws -> Result {
        guard geteuid() == 0 else {
            throw PeerProcessError("network namespaces require root. Run the tests as root, for example sudo make test")
        }
        await semaphore.enter()
        let outcome: Swift.Result<Result, any Error>
        do {
            let panel = try LabHost(name: "panel")
            let hosts = try plans.map { try LabHost(name: $0.name) }
            do {
                let lab = try await NetworkLab(networks, plans, hosts, panel)
                outcome = .success(try await body(lab))
            } catch {
                outcome = .failure(error)
            }
            await withTaskGroup { group in
                for host in hosts + [panel] {
                    group.addTask { await host.end() }
                }
            }
        } catch {
            outcome = .failure(error)
        }
        await semaphore.leave()
        return try outcome.get()
    }

    private init(_ networks: [String], _ plans: [HostPlan], _ hosts: [LabHost], _ panel: LabHost) async throws {
        for host in hosts + [panel] {
            try await host.awaitKept()
        }
        // The bridges flood, because multicast snooping in switches isn't the subject of these tests.
        var script = networks.map { "ip link add \($0) type bridge mcast_snooping 0; ip link set \($0) up\n" }.joined()
        for (plan, host) in zip(plans, hosts) {
            for cable in plan.cables {
                script += Self.plugging(cable, into: host)
            }
        }
        try await panel.run(script)
        self.hosts = Dictionary(uniqueKeysWithValues: zip(plans.map(\.name), hosts))
        patchPanel = panel
    }

    /// Returns the host with a name.
    public subscript(name: String) -> LabHost {
        guard let host = hosts[name] else { preconditionFailure("the lab has no host \(name)") }
        return host
    }

    /// Adds a cable to a running host.
    public func plugIn(_ host: String, _ cable: HostPlan.Cable) async throws {
        try await patchPanel.run(Self.plugging(cable, into: self[host]))
    }

    private static func plugging(_ cable: HostPlan.Cable, into host: LabHost) -> String {
        let (port, identifier) = (port(host.name, cable.interface), host.keeper.processIdentifier)
        return """
            ip link add \(port) type veth peer name \(cable.interface) netns \(identifier)
            ip link set \(port) master \(cable.network) up
            nsenter --target \(identifier) --net bash -e <<'HOST'
            \(cable.hasIPv6 ? "" : "echo 1 >/proc/sys/net/ipv6/conf/\(cable.interface)/disable_ipv6")
            \(cable.addresses.map { "ip addr add \($0) dev \(cable.interface)" }.joined(separator: "\n"))
            ip link set \(cable.interface) up
            HOST

            """
    }

    /// Returns the name of a cable's end at the patch panel. Names of interfaces have at most 15 characters.
    private static func port(_ host: String, _ interface: String) -> String {
        "\(host)-\(interface)"
    }

    /// Unplugs a host's cable or plugs it in again: the host's interface loses or gets its carrier.
    public func setCable(of host: String, _ interface: String = "eth0", isIn: Bool) async throws {
        try await patchPanel.run("ip link set \(Self.port(host, interface)) \(isIn ? "up" : "down")")
    }

    /// Joins two networks with a bidirectional link that loses mDNS packets, depending on a seed.
    ///
    /// - Parameter percentage: The percentage of packets that are lost.
    public func join(_ one: String, _ other: String, losing percentage: Int, seed: Int) async throws -> PeerProcess {
        try await join(one, other, ["--loss", "\(percentage)", "--seed", "\(seed)"])
    }

    /// Joins two networks with a bidirectional link that loses and swaps packets of audio.
    ///
    /// - Parameters:
    ///   - drop: Each packet with a multiple of this number is lost when it is sent first.
    ///   - swap: Each packet after a multiple of this number arrives after the next one.
    public func join(_ one: String, _ other: String, droppingAudio drop: Int, swapping swap: Int) async throws
        -> PeerProcess
    {
        try await join(one, other, ["--drop-audio", "\(drop)", "--swap-audio", "\(swap)"])
    }

    private func join(_ one: String, _ other: String, _ faults: [String]) async throws -> PeerProcess {
        try await patchPanel.run(
            """
            for network in \(one) \(other); do
                ip link add lossy-$network type veth peer name tap-$network
                ip link set tap-$network master $network up
                ip link set lossy-$network up
            done
            """
        )
        let link = try patchPanel.startPeer("lossy_link.py", ["lossy-\(one)", "lossy-\(other)"] + faults)
        _ = try await link.line("the link") { $0.contains("ready") }
        return link
    }
}
