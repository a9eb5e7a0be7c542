@testable import DNSSD

extension FuzzTarget {
    /// A multicast DNS node on a link with hostile hosts: its memory is bounded, it becomes idle, and it sends valid
    /// messages.
    static let dnsNode = FuzzTarget("dns-node", maximumLength: 1_024) { input throws(Violation) in
        var node = try NodeUnderAttack()
        return try node.run(PlanReader(input))
    }
}

private struct NodeUnderAttack {
    /// The maximum number of packets that a node may send per received packet, and per second on its own.
    private static let packetsForEach = 16
    /// The maximum number of deadlines in a row at the same instant.
    private static let turns = 4
    private static let sensor = ServiceInstance(name: "Sensor", type: .hap)
    private static let names = [
        name("Lamp", "_hap", "_tcp"), name("Lamp (2)", "_hap", "_tcp"), name("_hap", "_tcp"), name("host"),
        name("other"), name("Sensor", "_hap", "_tcp"), name("_services", "_dns-sd", "_udp"), name("_x", "_udp"), .root,
        name("2.1.168.192", "in-addr", "arpa"),
    ]
    private static let types: [RecordType] = [.a, .aaaa, .ptr, .srv, .txt, .nsec, .any, RecordType(rawValue: 99)]
    private static let lifetimes: [UInt32] = [0, 1, 2, 120, 4_500, .max]

    private var node = Node(links: links(address: 1), hostLabel: "host", seed: 5)
    private var now = Instant(sinceStart: .zero)
    private var lamp: RegistrationID?
    private var sent: [[UInt8]] = []
    /// The services that the node has reported.
    private var reported: [ServiceInstance: Service] = [:]
    private var allowance = 64
    private var isSomethingTaken = false

    init() throws(Violation) {
        lamp = try advertised()
        try perform(node.browse(.hap, at: now))
    }

    mutating func run(_ plan: PlanReader) throws(Violation) -> Bool {
        var plan = plan
        while !plan.isAtEnd {
            try step(&plan)
            try checkState()
        }
        // The node becomes idle from any state.
        try pass(.seconds(30))
        try perform(node.withdrawAll(at: now))
        try perform(node.endBrowse(.hap, at: now))
        try pass(.seconds(5))
        return isSomethingTaken
    }

    private mutating func step(_ plan: inout PlanReader) throws(Violation) {
        switch plan.choice(of: 16) {
        case 0:
            try receive(plan.block(isLong: true), &plan)
        case 1...5:
            let message = composed(&plan)
            for packet in message.packets() { try receive(packet, &plan) }
        case 6:
            guard !sent.isEmpty else { return }
            try receive(sent[plan.choice(of: sent.count)], &plan)
        case 7, 8:
            try pass(.milliseconds(10 * plan.number(below: 2_000)))
        case 9:
            let text = TXTRecord(entries: [TXTRecord.Entry(key: "c#", value: [plan.byte()])])
            if let lamp, let wire = try? text.wire() { try perform(node.update(lamp, txt: wire, at: now)) }
        case 10:
            if let lamp {
                try perform(node.withdraw(lamp, at: now))
                self.lamp = nil
            } else {
                lamp = try advertised()
            }
        case 11:
            let follows = plan.byte() < 0x80
            try perform(follows ? (try? node.follow(Self.sensor, at: now)) ?? [] : node.unfollow(Self.sensor, at: now))
        case 12:
            try perform(node.reconfirm(Self.sensor, at: now))
        case 13:
            try perform(node.setLinks(Array(Self.links(address: plan.byte()).prefix(plan.choice(of: 3))), at: now))
        case 14:
            try perform(node.wake(at: now))
        default:
            try perform(node.endBrowse(.hap, at: now))
            try perform(node.browse(.hap, at: now))
        }
    }

    private mutating func advertised() throws(Violation) -> RegistrationID {
        let service = ServiceAdvertisement(instanceName: "Lamp", type: .hap, port: 80, txt: ["c#": "1"])
        guard let id = try? node.advertise(service, at: now) else {
            throw Violation(description: "a service can be advertised")
        }
        return id
    }

    /// Returns a message about the relevant names.
    private func composed(_ plan: inout PlanReader) -> DNSMessage {
        let kind = plan.byte()
        var message = DNSMessage(flags: kind & 1 == 0 ? [.response, .authoritative] : [])
        if kind & 2 != 0 { message.flags.insert(.truncated) }
        for _ in 0..<plan.choice(of: 4) {
            let question = DNSQuestion(
                name: Self.names[plan.choice(of: Self.names.count)],
                type: Self.types[plan.choice(of: Self.types.count)],
                wantsUnicast: kind & 4 != 0
            )
            message.questions.append(question)
        }
        for _ in 0..<plan.choice(of: 6) {
            let record = record(&plan)
            switch plan.choice(of: 3) {
            case 0: message.answers.append(record)
            case 1: message.authorities.append(record)
            default: message.additionals.append(record)
            }
        }
        return message
    }

    private func record(_ plan: inout PlanReader) -> ResourceRecord {
        let name = Self.names[plan.choice(of: Self.names.count)]
        let other = Self.names[plan.choice(of: Self.names.count)]
        let number = plan.byte()
        let data: RecordData =
            switch Self.types[plan.choice(of: Self.types.count)] {
            case .a: .a(Self.addresses(number)[0])
            case .aaaa: .aaaa(Self.addresses(number)[1])
            case .ptr: .ptr(other)
            case .srv: .srv(priority: 0, weight: 0, port: UInt16(number), host: other)
            case .txt: .txt([4] + Array("c#=1".utf8) + [1, number])
            case .nsec: .nsec(next: name, types: [.a, .srv])
            case let type: .opaque(type, [number])
            }
        return ResourceRecord(
            name: name,
            isUnique: number & 1 != 0,
            ttl: Self.lifetimes[plan.choice(of: Self.lifetimes.count)],
            data: data
        )
    }

    private mutating func receive(_ packet: [UInt8], _ plan: inout PlanReader) throws(Violation) {
        let origin = plan.byte()
        let link = origin & 1 == 0 ? 1 : 2
        let source = Endpoint(
            address: Self.addresses(origin & 2 == 0 ? 77 : UInt8(link))[origin & 4 == 0 ? 0 : 1],
            port: origin & 24 == 24 ? 5_354 : 5_353
        )
        isSomethingTaken = isSomethingTaken || (try? MessageDecoder.decode(packet)) != nil
        allowance += Self.packetsForEach
        try perform(node.receive(packet, from: source, on: origin >= 0xF8 ? 9 : UInt32(link), at: now))
    }

    /// Advances time from one deadline to the next.
    private mutating func pass(_ duration: Duration) throws(Violation) {
        let end = now.advanced(by: duration)
        allowance += Self.packetsForEach * Int(duration.components.seconds + 1)
        var turns = 0
        while let deadline = node.deadline, deadline <= end {
            turns = deadline > now ? 0 : turns + 1
            try hold(turns < Self.turns, "due work is completed")
            now = max(now, deadline)
            try perform(node.advance(to: now))
        }
        now = end
        try perform(node.advance(to: now))
    }

    private mutating func perform(_ effects: [Effect]) throws(Violation) {
        for case .service(let instance, let service, let isListed) in effects {
            reported[instance] = isListed ? service : nil
        }
        for case .send(let packet, _, _) in effects {
            allowance -= 1
            try hold(allowance >= 0, "a node does not flood the link")
            try hold(packet.count <= DNSFormat.maximumMessageSize, "a packet is limited")
            try hold((try? MessageDecoder.decode(packet))?.isMulticastDNS ?? false, "sent packets are valid")
            sent = sent.suffix(15) + [packet]
        }
    }

    private func checkState() throws(Violation) {
        let limit = CacheTiming.maximumRecords + CacheTiming.followedReserve
        try hold(node.recordCount <= limit * 2, "the cache is limited")
        let services = node.services(of: .hap)
        for service in services {
            try hold(!service.addresses.isEmpty, "reported services have an address")
            try hold((try? service.instance.domainName()) != nil, "reported services have a name")
        }
        try hold(
            services == reported.values.sorted { $0.instance.name < $1.instance.name },
            "all known services were reported"
        )
    }

    private static func name(_ labels: String...) -> DomainName {
        DomainName(wire: labels.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + WellKnownName.local.wire)
    }

    /// Returns two interfaces of the node, of which the first has an address that may change.
    private static func links(address: UInt8) -> [LinkDescription] {
        [(UInt32(1), address), (2, 2)].map { index, host in
            LinkDescription(
                index: index,
                name: "link\(index)",
                subnets: addresses(host).compactMap { Subnet(address: $0, prefixLength: $0.isIPv4 ? 24 : 64) },
                isLoopback: false
            )
        }
    }

    /// Returns an IPv4 and an IPv6 address of a host on the link.
    private static func addresses(_ host: UInt8) -> [IPAddress] {
        [[10, 0, 0, host], [0xFE, 0x80] + Array(repeating: 0, count: 13) + [host]].compactMap { IPAddress(bytes: $0) }
    }
}
