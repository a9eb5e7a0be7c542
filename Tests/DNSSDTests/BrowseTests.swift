import Testing

@testable import DNSSD

/// Browsing by type, by subtype and by name.
@Suite struct BrowseTests {
    private static func lamps(seed: UInt64) throws -> VirtualNetwork {
        var network = VirtualNetwork(seed: seed, hosts: 2)
        var printer = Samples.lamp("Printer", port: 1)
        printer.subtypes = ["_printer", "_Colour"]
        _ = try network.advertise(printer, on: 0)
        _ = try network.advertise(Samples.lamp("Lamp", port: 2), on: 0)
        network.run(for: .seconds(10))
        return network
    }

    @Test func aSubtypeListsOnlyThoseWhoGoByIt() throws {
        var network = try Self.lamps(seed: 1)
        let scope = try BrowseScope(.hap, subtype: "_PRINTER")
        network.act(1) { $0.browse(scope, at: $1) }
        network.run(for: .seconds(5))
        let found = network.hosts[1].node.services(in: scope)
        #expect(found.map(\.instance) == [ServiceInstance(name: "Printer", type: .hap)])
        #expect(found.first?.port == 1 && found.first?.addresses.isEmpty == false)
        #expect(network.services(of: .hap, on: 1).isEmpty)
        let asked = network.log.filter { $0.host == 1 }.flatMap(\.message.questions)
        #expect(asked.contains { $0.name.description == "_PRINTER._sub._hap._tcp.local" })
    }

    @Test func typeAndSubtypeAreEndedEachForItself() throws {
        var network = try Self.lamps(seed: 2)
        let (all, some) = try (BrowseScope(.hap), BrowseScope(.hap, subtype: "_colour"))
        network.act(1) { $0.browse(all, at: $1) + $0.browse(some, at: $1) }
        network.run(for: .seconds(5))
        #expect(network.hosts[1].node.services(in: all).count == 2)
        #expect(network.hosts[1].node.services(in: some).count == 1)
        network.act(1) { $0.endBrowse(all, at: $1) }
        #expect(network.hosts[1].node.services(in: some).map(\.instance.name) == ["Printer"])
        #expect(!network.hosts[1].node.isListed(ServiceInstance(name: "Printer", type: .hap), in: all))
        network.act(1) { $0.endBrowse(some, at: $1) }
        #expect(network.hosts[1].node.recordCount == 0 && network.hosts[1].node.deadline == nil)
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "a\u{7}"])
    func anImpossibleSubtypeIsRefused(subtype: String) {
        #expect { try BrowseScope(.hap, subtype: subtype) } throws: { ($0 as? DNSSDError)?.code == .invalidName }
    }

    @Test func aPointerToAServiceOfAnotherTypeIsNotBelieved() throws {
        var network = VirtualNetwork(seed: 3, hosts: 2)
        let scope = try BrowseScope(.hap, subtype: "_printer")
        network.act(1) { $0.browse(scope, at: $1) }
        let foreign = try Samples.name("Lamp", "_http", "_tcp", "local")
        network.inject(.response([ResourceRecord(name: scope.name, ttl: 4500, data: .ptr(foreign))]), from: 0)
        network.run(for: .seconds(1))
        #expect(network.hosts[1].node.recordCount == 0)
    }

    @Test func aServiceFollowedByNameIsToldOfAsItComesChangesAndGoes() throws {
        var network = VirtualNetwork(seed: 4, hosts: 2)
        let instance = ServiceInstance(name: "lamp", type: .hap)
        try network.act(1) { try $0.follow(instance, at: $1) }
        network.run(for: .seconds(30))
        let id = try network.advertise(Samples.lamp(txt: ["c#": "1"]), on: 0)
        network.run(for: .seconds(10))
        let txt = try TXTRecord(dictionaryLiteral: ("c#", "2")).wire()
        network.act(0) { $0.update(id, txt: txt, at: $1) }
        network.run(for: .seconds(10))
        #expect(network.hosts[1].node.service(instance)?.txt["c#"] == "2")
        network.act(0) { $0.withdraw(id, at: $1) }
        network.run(for: .seconds(10))
        #expect(network.hosts[1].node.service(instance) == nil)
        // Once more after the return.
        _ = try network.advertise(Samples.lamp(txt: ["c#": "3"]), on: 0)
        network.run(for: .seconds(10))
        #expect(network.hosts[1].node.service(instance)?.txt["c#"] == "3")
    }

    @Test func aServiceInDoubtThatAnswersStays() throws {
        var network = try Self.lamps(seed: 5)
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(5))
        let count = network.hosts[1].events.count
        network.act(1) { $0.reconfirm(ServiceInstance(name: "Lamp", type: .hap), at: $1) }
        network.run(for: .seconds(60))
        #expect(network.hosts[1].events.count == count && network.services(of: .hap, on: 1).count == 2)
    }

    @Test func aServiceInDoubtThatIsSilentIsGoneAfterTenSecondsAndTheOthersStay() throws {
        var network = VirtualNetwork(seed: 6, hosts: 3)
        for host in 0..<2 {
            _ = try network.advertise(Samples.lamp("Lamp \(host)"), on: host)
        }
        network.act(2) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(5))
        network.hosts[0].isConnected = false
        let start = network.now
        network.act(2) { $0.reconfirm(ServiceInstance(name: "Lamp 0", type: .hap), at: $1) }
        network.run(for: .seconds(60))
        #expect(network.services(of: .hap, on: 2).map(\.instance.name) == ["Lamp 1"])
        let event = try #require(network.hosts[2].events.last)
        #expect(event.service == nil && start.duration(to: event.at) == CacheTiming.reconfirmationTime)
        let asked = network.log.filter { $0.host == 2 && $0.at > start && $0.at < event.at }
            .filter { $0.message.questions.contains { $0.type == .ptr } }
        #expect(asked.count >= 2)
        // Records that aren't being reconfirmed aren't queried again.
        let known = asked.flatMap(\.message.answers).filter { $0.type == .ptr }
        #expect(known.count == asked.count)
    }

    @Test func aFloodDoesNotKeepAFollowedServiceFromBeingFound() throws {
        var node = Node(links: [VirtualNetwork.describe(addresses: [])], hostLabel: "host", seed: 7)
        let now = Samples.seconds(1)
        func receive(_ records: [ResourceRecord], from source: String) throws {
            let source = Endpoint(address: try #require(IPAddress(source)), port: 5353)
            for packet in DNSMessage.response(records).packets() {
                _ = node.receive(packet, from: source, on: VirtualNetwork.link, at: now)
            }
        }
        _ = node.browse(.hap, at: now)
        for sender in 0..<2 {
            let records = try (0..<CacheTiming.maximumRecordsOfSource).map { number in
                let name = try Samples.name("\(sender) \(number)", "_hap", "_tcp", "local")
                return ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(name))
            }
            try receive(records, from: "10.0.0.\(200 + sender)")
        }
        #expect(node.recordCount == CacheTiming.maximumRecords)
        let lamp = ServiceInstance(name: "Lamp", type: .hap)
        _ = try node.follow(lamp, at: now)
        let (name, host) = try (lamp.domainName(), Samples.name("lamp", "local"))
        let records = [
            ResourceRecord(name: name, ttl: 120, data: .srv(priority: 0, weight: 0, port: 80, host: host)),
            ResourceRecord(name: name, ttl: 4500, data: .txt([0])),
            ResourceRecord(name: host, ttl: 120, data: .address(try #require(IPAddress("10.0.0.1")))),
        ]
        try receive(records, from: "10.0.0.1")
        #expect(node.service(lamp)?.port == 80)
    }
}
