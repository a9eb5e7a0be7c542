@testable import DNSSD

/// A link with hosts in virtual time. Packets take a millisecond, and some are lost, depending on a seed.
struct VirtualNetwork {
    struct Host {
        var node: Node
        let address: IPAddress
        /// Whether unicast packets to this host reach it.
        var receivesUnicast: Bool
        var isConnected = true
        var names: [RegistrationID: [String]] = [:]
        var events: [(at: Instant, instance: ServiceInstance, service: Service?)] = []
    }

    struct Transmission {
        let at: Instant
        let host: Int
        let message: DNSMessage
        let packet: [UInt8]
        let destination: Outgoing.Destination

        var size: Int { packet.count }
    }

    private struct InFlight {
        let arrival: Instant
        let sender: Int
        let receiver: Int
        let packet: [UInt8]
        let isUnicast: Bool
    }

    static let latency: Duration = .milliseconds(1)
    static let link: UInt32 = 7

    private(set) var now = Instant(sinceStart: .zero)
    var hosts: [Host] = []
    /// The percentage of deliveries to other hosts that are lost.
    var loss = 0
    private(set) var log: [Transmission] = []
    private var inFlight: [InFlight] = []
    private var random: Jitter
    private let seed: UInt64

    init(seed: UInt64, hosts count: Int = 0) {
        self.seed = seed
        random = Jitter(seed: seed &+ 0xBAD)
        for _ in 0..<count {
            addHost()
        }
    }

    /// Adds a host to the link.
    @discardableResult
    mutating func addHost(addresses: [String]? = nil, receivesUnicast: Bool = false) -> Int {
        let index = hosts.count
        let own = (addresses ?? ["10.0.0.\(index + 1)", "fe80::\(index + 1)"]).compactMap { IPAddress($0) }
        let node = Node(
            links: [Self.describe(addresses: own, receivesUnicast: receivesUnicast)],
            hostLabel: "host\(index)",
            seed: seed &* 31 &+ UInt64(index)
        )
        hosts.append(Host(node: node, address: own[0], receivesUnicast: receivesUnicast))
        return index
    }

    /// Returns the description of the link for a host with the given addresses.
    static func describe(addresses: [IPAddress], receivesUnicast: Bool = false) -> LinkDescription {
        let subnets = addresses.compactMap { Subnet(address: $0, prefixLength: $0.isIPv4 ? 24 : 64) }
        return LinkDescription(
            index: link,
            name: "virtual0",
            subnets: subnets,
            isLoopback: false,
            receivesUnicast: receivesUnicast
        )
    }

    mutating func advertise(_ service: ServiceAdvertisement, on host: Int) throws -> RegistrationID {
        try hosts[host].node.advertise(service, at: now)
    }

    /// Runs a closure on a host and delivers the packets that it sends.
    mutating func act(_ host: Int, _ body: (inout Node, Instant) throws -> [Effect]) rethrows {
        let effects = try body(&hosts[host].node, now)
        perform(effects, host)
    }

    /// Sends a packet from a host unchanged.
    mutating func inject(_ message: DNSMessage, from host: Int) {
        for packet in message.packets() {
            transmit(packet, from: host, to: .group)
        }
    }

    /// Advances time, event by event.
    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        var steps = 0
        while let next = nextEvent, next <= end {
            steps += 1
            precondition(steps < 1_000_000, "the network does not come to rest")
            now = max(now, next)
            let arrived = inFlight.filter { $0.arrival <= now }
            inFlight.removeAll { $0.arrival <= now }
            for delivery in arrived {
                let source = Endpoint(address: hosts[delivery.sender].address, port: MulticastEndpoint.port)
                act(delivery.receiver) {
                    $0.receive(delivery.packet, from: source, on: Self.link, isUnicast: delivery.isUnicast, at: $1)
                }
            }
            for host in hosts.indices where hosts[host].node.deadline.map({ $0 <= now }) ?? false {
                act(host) { $0.advance(to: $1) }
            }
        }
        now = end
    }

    /// Returns the instances of a type that a host has found, by name.
    func services(of type: ServiceType, on host: Int) -> [Service] {
        hosts[host].node.services(of: type)
    }

    private var nextEvent: Instant? {
        (hosts.compactMap(\.node.deadline) + inFlight.map(\.arrival)).min()
    }

    private mutating func perform(_ effects: [Effect], _ host: Int) {
        for effect in effects {
            switch effect {
            case .send(let packet, _, let destination):
                transmit(packet, from: host, to: destination)
            case .established(let id, let name):
                hosts[host].names[id, default: []].append(name)
            case .service(let instance, let service, let isListed):
                hosts[host].events.append((now, instance, isListed ? service : nil))
            }
        }
    }

    private mutating func transmit(_ packet: [UInt8], from host: Int, to destination: Outgoing.Destination) {
        guard let message = try? MessageDecoder.decode(packet) else {
            preconditionFailure("a host sent a packet that cannot be read")
        }
        log.append(Transmission(at: now, host: host, message: message, packet: packet, destination: destination))
        for receiver in hosts.indices {
            if case .unicast(let endpoint) = destination, endpoint.address != hosts[receiver].address { continue }
            let isUnicast = destination != .group
            guard !isUnicast || hosts[receiver].receivesUnicast else { continue }
            if receiver != host {
                guard hosts[host].isConnected, hosts[receiver].isConnected else { continue }
                if Int.random(in: 0..<100, using: &random) < loss { continue }
            }
            inFlight.append(
                InFlight(
                    arrival: now.advanced(by: Self.latency),
                    sender: host,
                    receiver: receiver,
                    packet: packet,
                    isUnicast: isUnicast
                )
            )
        }
    }
}
