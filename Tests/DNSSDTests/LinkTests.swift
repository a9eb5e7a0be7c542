import Testing

@testable import DNSSD

/// The behavior of a node when its links change or time jumps.
@Suite struct LinkTests {
    private static func addresses(_ texts: String...) -> [IPAddress] {
        texts.compactMap { IPAddress($0) }
    }

    private static func link(_ index: UInt32, _ texts: String...) -> LinkDescription {
        LinkDescription(
            index: index,
            name: "virtual\(index)",
            subnets: texts.compactMap { IPAddress($0) }
                .compactMap { Subnet(address: $0, prefixLength: $0.isIPv4 ? 24 : 64) },
            isLoopback: false
        )
    }

    /// Creates two hosts, one of which has found the lamp of the other.
    private static func found(seed: UInt64) throws -> VirtualNetwork {
        var network = VirtualNetwork(seed: seed, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        #expect(network.services(of: .hap, on: 1).count == 1)
        return network
    }

    // MARK: - Links

    @Test func whatWasFoundOnALinkThatWentIsGoneAtOnceAndFoundWhenItIsBack() throws {
        var network = try Self.found(seed: 1)
        let link = VirtualNetwork.describe(addresses: Self.addresses("10.0.0.2", "fe80::2"))
        network.act(1) { $0.setLinks([], at: $1) }
        #expect(network.hosts[1].events.map { $0.service == nil } == [false, true])
        #expect(network.hosts[1].node.recordCount == 0 && network.hosts[1].node.deadline == nil)
        network.run(for: .seconds(60))
        network.act(1) { $0.setLinks([link], at: $1) }
        let start = network.now
        network.run(for: .seconds(1))
        #expect(network.hosts[1].events.map { $0.service == nil } == [false, true, false])
        let last = try #require(network.hosts[1].events.last)
        #expect(start.duration(to: last.at) < .milliseconds(300))
    }

    @Test func aServiceSeenOnTwoLinksStaysWithWhatTheOtherTells() throws {
        var node = Node(links: [Self.link(1, "10.0.1.9"), Self.link(2, "10.0.2.9")], hostLabel: "h", seed: 1)
        _ = node.browse(.hap, at: Samples.seconds(0))
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let host = try Samples.name("lamp", "local")
        for (link, address) in [(UInt32(1), "10.0.1.1"), (2, "10.0.2.1")] {
            let address = try #require(IPAddress(address))
            let records = [
                ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(name)),
                ResourceRecord(name: name, ttl: 120, data: .srv(priority: 0, weight: 0, port: 80, host: host)),
                ResourceRecord(name: name, ttl: 4500, data: .txt([0])),
                ResourceRecord(name: host, ttl: 120, data: .address(address)),
            ]
            let source = Endpoint(address: address, port: 5353)
            let packet = try #require(DNSMessage.response(records).packets().first)
            _ = node.receive(packet, from: source, on: link, at: Samples.seconds(1))
        }
        let instance = ServiceInstance(name: "Lamp", type: .hap)
        let both = try #require(node.service(instance))
        #expect(both.addresses.map(\.description) == ["10.0.1.1", "10.0.2.1"])
        #expect(both.addresses.map(\.interfaceName) == ["virtual1", "virtual2"])
        let effects = node.setLinks([Self.link(2, "10.0.2.9")], at: Samples.seconds(2))
        let one = try #require(node.service(instance))
        #expect(one.addresses.map(\.description) == ["10.0.2.1"])
        #expect(effects.contains(.service(instance, one, isListed: true)))
    }

    @Test func anotherAddressReachesTheBrowserAndReplacesTheFormerOne() throws {
        var network = try Self.found(seed: 2)
        let link = VirtualNetwork.describe(addresses: Self.addresses("10.0.0.77", "fe80::1"))
        network.act(0) { $0.setLinks([link], at: $1) }
        network.run(for: .seconds(3))
        let service = try #require(network.services(of: .hap, on: 1).first)
        #expect(service.addresses.map(\.description) == ["10.0.0.77", "fe80::1%virtual0"])
        #expect(network.hosts[1].events.filter { $0.service == nil }.isEmpty)
        #expect(network.hosts[0].names.values.map(\.count) == [1])
    }

    @Test func onAnotherNetworkNamesAreProbedAgainAndNumberedIfTaken() throws {
        var network = VirtualNetwork(seed: 3, hosts: 2)
        network.hosts[1].isConnected = false
        let ids = try (0..<2).map { try network.advertise(Samples.lamp(port: UInt16($0 + 1)), on: $0) }
        network.run(for: .seconds(10))
        network.hosts[1].isConnected = true
        let link = VirtualNetwork.describe(addresses: Self.addresses("192.168.7.2"))
        network.act(1) { $0.setLinks([link], at: $1) }
        network.run(for: .seconds(10))
        #expect(network.hosts[0].names[ids[0]] == ["Lamp"])
        #expect(network.hosts[1].names[ids[1]] == ["Lamp", "Lamp (2)"])
    }

    @Test func aNodeWithoutLinksEstablishesServicesAndSaysNothing() throws {
        var node = Node(links: [], hostLabel: "h", seed: 1)
        let id = try node.advertise(Samples.lamp(), at: Samples.seconds(0))
        #expect(node.browse(.hap, at: Samples.seconds(0)) == [.established(id, name: "Lamp")])
        #expect(node.deadline == nil)
    }

    // MARK: - Sleep

    @Test func afterASleepNamesAreClaimedAgainAndQuestionsAskedAnew() throws {
        var network = try Self.found(seed: 4)
        network.run(for: .seconds(100))
        let start = network.now
        for host in 0..<2 {
            network.act(host) { $0.wake(at: $1) }
        }
        network.run(for: .seconds(15))
        let sent = network.log.filter { $0.at >= start }
        #expect(sent.filter { $0.host == 0 && !$0.message.authorities.isEmpty }.count == ClaimTiming.probeCount)
        let asked = sent.filter { $0.host == 1 && !$0.message.isResponse }
        #expect(asked.contains { $0.message.questions.contains { $0.type == .ptr } && $0.message.answers.isEmpty })
        #expect(network.hosts[1].events.count == 1 && network.services(of: .hap, on: 1).count == 1)
        #expect(network.hosts[0].names.values.map(\.self) == [["Lamp", "Lamp"]])
    }

    @Test func whatWentDuringASleepIsGoneTenSecondsAfterIt() throws {
        var network = try Self.found(seed: 5)
        network.hosts[0].isConnected = false
        network.run(for: .seconds(20))
        let start = network.now
        network.act(1) { $0.wake(at: $1) }
        network.run(for: .seconds(20))
        let event = try #require(network.hosts[1].events.last)
        #expect(event.service == nil && start.duration(to: event.at) == CacheTiming.reconfirmationTime)
    }

    @Test func theNameThatAnotherTookDuringASleepIsLeftToIt() throws {
        var network = VirtualNetwork(seed: 6, hosts: 2)
        let first = try network.advertise(Samples.lamp(port: 1), on: 0)
        network.run(for: .seconds(10))
        network.hosts[0].isConnected = false
        let second = try network.advertise(Samples.lamp(port: 2), on: 1)
        network.run(for: .seconds(10))
        network.hosts[0].isConnected = true
        network.act(0) { $0.wake(at: $1) }
        network.run(for: .seconds(10))
        #expect(network.hosts[0].names[first] == ["Lamp", "Lamp (2)"] && network.hosts[1].names[second] == ["Lamp"])
    }

    @Test(arguments: [
        // (continuous, suspending, is a sleep), after a reading at 100 and 100 seconds
        (110.0, 110.0, false), (111, 109.1, false), (112, 110, true), (3700, 101, true), (159.9, 159.9, false),
        (160, 160, true),
    ])
    func anAbsenceIsSeenByTwoClocks(continuous: Double, suspending: Double, isAbsence: Bool) {
        var detector = SleepDetector()
        let first = detector.observe(continuous: .seconds(100), suspending: .seconds(100))
        #expect(!first)
        let second = detector.observe(continuous: .seconds(continuous), suspending: .seconds(suspending))
        #expect(second == isAbsence)
        let third = detector.observe(continuous: .seconds(continuous + 1), suspending: .seconds(suspending + 1))
        #expect(!third)
    }

    // MARK: - Goodbyes

    @Test func aGoodbyeIsSaidTwiceMoreThanASecondApart() throws {
        var network = try Self.found(seed: 7)
        let id = try #require(network.hosts[0].names.keys.first)
        network.act(0) { $0.withdraw(id, at: $1) }
        #expect(network.hosts[0].node.isSayingGoodbye)
        network.run(for: .seconds(10))
        let goodbyes = network.log.filter { $0.message.answers.contains { $0.ttl == RecordTTL.goodbye } }
        #expect(goodbyes.count == 2)
        #expect(goodbyes[0].at.duration(to: goodbyes[1].at) == ResponseTiming.goodbyeInterval)
        #expect(Set(goodbyes[0].message.answers.map(\.type)) == [.ptr, .srv, .txt, .a, .aaaa])
        #expect(!network.hosts[0].node.isSayingGoodbye && network.hosts[0].node.deadline == nil)
    }

    @Test func aServiceThatComesBackBetweenItsGoodbyesIsNotTakenBack() throws {
        var network = try Self.found(seed: 8)
        let id = try #require(network.hosts[0].names.keys.first)
        network.act(0) { $0.withdraw(id, at: $1) }
        _ = try network.advertise(Samples.lamp(port: 9), on: 0)
        network.run(for: .seconds(30))
        #expect(network.services(of: .hap, on: 1).map(\.port) == [9])
    }

    @Test func theHostStaysWhileAnotherServiceIsOnIt() throws {
        var network = try Self.found(seed: 9)
        let other = try network.advertise(Samples.lamp("Other"), on: 0)
        network.run(for: .seconds(10))
        network.act(0) { $0.withdraw(other, at: $1) }
        network.run(for: .seconds(3))
        let goodbyes = network.log.flatMap(\.message.answers).filter { $0.ttl == RecordTTL.goodbye }
        #expect(Set(goodbyes.map(\.type)) == [.ptr, .srv, .txt])
        #expect(network.services(of: .hap, on: 1).map(\.instance.name) == ["Lamp"])
    }

    // MARK: - Sources of packets

    @Test func whatWasSentToThisHostAloneIsBelievedFromTheLinkOnly() throws {
        let link = VirtualNetwork.describe(addresses: Self.addresses("10.0.0.1", "fd00::1"), receivesUnicast: true)
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let record = ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(name))
        let packet = try #require(DNSMessage.response([record]).packets().first)
        for (source, isBelieved) in [
            ("10.0.0.200", true), ("10.0.1.200", false), ("8.8.8.8", false), ("169.254.3.4", true), ("fe80::9", true),
            ("fd00::9", true), ("fd00:0:0:1::9", false), ("2001:db8::1", false),
        ] {
            var node = Node(links: [link], hostLabel: "h", seed: 1)
            _ = node.browse(.hap, at: Samples.seconds(0))
            let endpoint = Endpoint(address: try #require(IPAddress(source)), port: 5353)
            _ = node.receive(packet, from: endpoint, on: link.index, isUnicast: true, at: Samples.seconds(1))
            #expect((node.recordCount == 1) == isBelieved, "\(source)")
            #expect(node.traffic(on: link.index)?.rejected == (isBelieved ? 0 : 1))
        }
    }

    @Test func whoeverAsksThisHostAloneIsAnsweredAlone() throws {
        var network = VirtualNetwork(seed: 11, hosts: 1)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        let query = DNSMessage(flags: [], questions: [DNSQuestion(name: Samples.typeName, type: .ptr)])
        let packet = try #require(query.packets().first)
        let querier = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: 5353)
        for (isUnicast, destination) in [(true, Outgoing.Destination.unicast(querier)), (false, .group)] {
            let count = network.log.count
            network.act(0) {
                $0.receive(packet, from: querier, on: VirtualNetwork.link, isUnicast: isUnicast, at: $1)
            }
            network.run(for: .seconds(1))
            #expect(network.log.dropFirst(count).map(\.destination) == [destination])
        }
    }

    @Test func whatWasSentToTheGroupCannotHaveLeftTheLink() throws {
        let link = VirtualNetwork.describe(addresses: Self.addresses("10.0.0.1"))
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let record = ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(name))
        let packet = try #require(DNSMessage.response([record]).packets().first)
        var node = Node(links: [link], hostLabel: "h", seed: 1)
        _ = node.browse(.hap, at: Samples.seconds(0))
        let misconfigured = Endpoint(address: try #require(IPAddress("192.168.1.1")), port: 5353)
        _ = node.receive(packet, from: misconfigured, on: link.index, at: Samples.seconds(1))
        #expect(node.recordCount == 1)
    }

    @Test(arguments: [("10.0.0.9", true), ("172.16.0.9", false)])
    func aPlainQuerierOutsideTheLinkGetsNoReply(source: String, isAnswered: Bool) throws {
        var network = VirtualNetwork(seed: 10, hosts: 1)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        let query = DNSMessage(id: 7, flags: [], questions: [DNSQuestion(name: Samples.typeName, type: .ptr)])
        let packet = try #require(query.packets().first)
        let endpoint = Endpoint(address: try #require(IPAddress(source)), port: 40_000)
        var effects: [Effect] = []
        network.act(0) { node, now in
            effects = node.receive(packet, from: endpoint, on: VirtualNetwork.link, at: now)
            return []
        }
        #expect(effects.contains { if case .send(_, _, .unicast(endpoint)) = $0 { true } else { false } } == isAnswered)
    }
}
