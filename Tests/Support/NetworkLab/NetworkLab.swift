public import PeerProcess
import Foundation

/// Hosts and networks of a test, made of network namespaces, pairs of virtual interfaces and bridges.
///
/// Nothing of a lab can be seen from outside, and nothing in it reaches outside: every lab may use the same names and
/// addresses as any other. It needs root.
public struct NetworkLab: Sendable {
    /// How many labs exist at a time in one test process.
    static let places = 4
    private static let turnstile = AsyncSemaphore(places)

    private let hosts: [String: LabHost]
    /// Where the cables of all hosts end. Each network is a bridge there.
    private let patchPanel: LabHost

    /// Makes a lab, runs `body` with it, and takes it down.
    ///
    /// - Parameter networks: The names of the networks. Nothing leads from one to another but hosts with cables to both.
    /// - Throws: ``PeerProcessError`` if this machine does not let the test make a lab: it has then tested nothing.
    public static func with<Result>(
        networks: [String] = ["net"],
        _ plans: HostPlan...,
        body: (NetworkLab) async throws -> Result
    ) async throws -> Result {
        guard geteuid() == 0 else {
            throw PeerProcessError("network namespaces need root: run the tests as root, for example sudo make test")
        }
        await turnstile.enter()
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
        await turnstile.leave()
        return try outcome.get()
    }

    private init(_ networks: [String], _ plans: [HostPlan], _ hosts: [LabHost], _ panel: LabHost) async throws {
        for host in hosts + [panel] {
            try await host.awaitKept()
        }
        // The bridges flood: what a switch with multicast snooping does to mDNS is not what these tests are about.
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

    /// A host by its name.
    public subscript(name: String) -> LabHost {
        guard let host = hosts[name] else { preconditionFailure("the lab has no host \(name)") }
        return host
    }

    /// Gives a host a cable while it runs.
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

    /// The end of a cable at the patch panel. Names of interfaces have at most 15 characters.
    private static func port(_ host: String, _ interface: String) -> String {
        "\(host)-\(interface)"
    }

    /// Pulls a host's cable out, or puts it in again: the host's interface loses and gets its carrier.
    public func setCable(of host: String, _ interface: String = "eth0", isIn: Bool) async throws {
        try await patchPanel.run("ip link set \(Self.port(host, interface)) \(isIn ? "up" : "down")")
    }

    /// Joins two networks by a link that carries both ways and loses packets of mDNS, chosen by a seed.
    ///
    /// - Parameter percentage: Of every hundred packets, how many are lost.
    public func join(_ one: String, _ other: String, losing percentage: Int, seed: Int) async throws -> PeerProcess {
        try await patchPanel.run(
            """
            for network in \(one) \(other); do
                ip link add lossy-$network type veth peer name tap-$network
                ip link set tap-$network master $network up
                ip link set lossy-$network up
            done
            """
        )
        let arguments = ["lossy-\(one)", "lossy-\(other)", "--loss", "\(percentage)", "--seed", "\(seed)"]
        let link = try patchPanel.startPeer("lossy_link.py", arguments)
        _ = try await link.line("the link") { $0.contains("ready") }
        return link
    }
}
