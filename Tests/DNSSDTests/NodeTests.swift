import Testing

@testable import DNSSD

/// Nodes on a virtual link.
@Suite struct NodeTests {
    @Test func aServiceIsFoundWithEverythingNeededToConnect() throws {
        var network = VirtualNetwork(seed: 1, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(txt: ["c#": "7", "id": "AA"]), on: 0)
        network.run(for: .seconds(2))
        #expect(network.hosts[0].names[id] == ["Lamp"])
        let found = try #require(network.services(of: .hap, on: 1).first)
        #expect(found.instance == ServiceInstance(name: "Lamp", type: .hap))
        #expect(found.port == 8080 && found.hostName == "host0.local")
        #expect(found.addresses.map(\.description) == ["10.0.0.1", "fe80::1%virtual0"])
        #expect(found.txt["ID"] == "AA" && found.txt["c#"] == "7")
        #expect(network.hosts[1].events.count == 1)
    }

    @Test func nothingIsAnsweredOrAnnouncedBeforeTheNameIsProbed() throws {
        var network = VirtualNetwork(seed: 2, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(3))
        let sent = network.log.filter { $0.host == 0 }
        let probes = sent.filter { !$0.message.authorities.isEmpty }
        let responses = sent.filter(\.message.isResponse)
        #expect(probes.count == 3)
        let (first, last) = try (#require(probes.first), #require(probes.last))
        #expect(first.at.duration(to: last.at) == .milliseconds(500))
        #expect(try #require(responses.first).at >= last.at.advanced(by: .milliseconds(250)))
        // Service and host are probed in one packet, for any type, with their records as authorities.
        #expect(first.message.questions.map(\.type) == [.any, .any])
        #expect(Set(first.message.authorities.map(\.type)) == [.srv, .txt, .a, .aaaa])
    }

    @Test func aLateJoinerFindsWhatWasAnnouncedLongAgo() throws {
        var network = VirtualNetwork(seed: 3, hosts: 2)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(600))
        let start = network.now
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(1))
        let event = try #require(network.hosts[1].events.first)
        #expect(event.service != nil && start.duration(to: event.at) < .milliseconds(300))
    }

    @Test func anUpdateReachesTheBrowserOnceAndKeepsTheName() throws {
        var network = VirtualNetwork(seed: 4, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(txt: ["c#": "1"]), on: 0)
        network.run(for: .seconds(5))
        let txt = try TXTRecord(dictionaryLiteral: ("c#", "2")).wire()
        network.act(0) { $0.update(id, txt: txt, at: $1) }
        network.run(for: .seconds(5))
        #expect(network.hosts[1].events.map { $0.service?.txt["c#"] } == ["1", "2"])
        #expect(network.hosts[0].names[id] == ["Lamp"])
    }

    @Test func severalUpdatesInAMomentEndInTheLastOneWithoutConflict() throws {
        var network = VirtualNetwork(seed: 5, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(1))
        for number in 2...6 {
            let txt = try TXTRecord(dictionaryLiteral: ("c#", "\(number)")).wire()
            network.act(0) { $0.update(id, txt: txt, at: $1) }
            network.run(for: .microseconds(300))
        }
        network.run(for: .seconds(5))
        #expect(network.services(of: .hap, on: 1).first?.txt["c#"] == "6")
        #expect(network.hosts[0].names[id] == ["Lamp"])
    }

    @Test func aGoodbyeIsBelievedAfterOneSecond() throws {
        var network = VirtualNetwork(seed: 6, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        let start = network.now
        network.act(0) { $0.withdraw(id, at: $1) }
        network.run(for: .seconds(5))
        let event = try #require(network.hosts[1].events.last)
        #expect(event.service == nil)
        #expect(start.duration(to: event.at) == .milliseconds(1001))
        #expect(network.services(of: .hap, on: 1).isEmpty)
        #expect(network.hosts[1].node.recordCount == 0)
        #expect(network.hosts[0].node.deadline == nil)
    }

    @Test func aServiceThatIsProbingAgainStillSaysGoodbye() throws {
        var network = VirtualNetwork(seed: 26, hosts: 3)
        network.act(1) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let stale = ResourceRecord(name: name, isUnique: true, ttl: 4500, data: .txt([1, 0x61]))
        network.inject(.response([stale]), from: 2)
        network.run(for: .milliseconds(300))
        network.act(0) { $0.withdraw(id, at: $1) }
        network.run(for: .seconds(2))
        #expect(network.services(of: .hap, on: 1).isEmpty)
    }

    @Test func aServiceThatWasNeverAnnouncedSaysNoGoodbye() throws {
        var network = VirtualNetwork(seed: 27, hosts: 1)
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .milliseconds(600))
        network.act(0) { $0.withdraw(id, at: $1) }
        network.run(for: .seconds(5))
        #expect(network.log.allSatisfy { !$0.message.isResponse })
    }

    @Test func aServiceThatFallsSilentIsGoneWhenItsHostRecordsEnd() throws {
        var network = VirtualNetwork(seed: 7, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        network.hosts[0].isConnected = false
        let start = network.now
        network.run(for: .seconds(130))
        let event = try #require(network.hosts[1].events.last)
        #expect(event.service == nil)
        #expect((.seconds(110) ... .seconds(121)).contains(start.duration(to: event.at)))
        let asked = network.log.filter { $0.host == 1 && $0.at >= start && $0.at <= event.at }
            .flatMap(\.message.questions).filter { $0.type == .srv }
        #expect(asked.count == QuestionTiming.refreshPercentages.count)
    }

    @Test func aServiceStaysFoundForHoursAndIsRefreshedWithFewQuestions() throws {
        var network = VirtualNetwork(seed: 8, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(4 * 3600))
        #expect(network.hosts[1].events.count == 1)
        // Host records live two minutes and are queried once in each lifetime.
        #expect(network.log.filter { $0.host == 1 }.count < 4 * 3600 / 96 + 40)
    }

    @Test func theQuestionIsAskedEverMoreRarelyUpToAnHour() {
        var network = VirtualNetwork(seed: 9, hosts: 1)
        network.act(0) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(5 * 3600))
        let times = network.log.map(\.at)
        let gaps = zip(times, times.dropFirst()).map { $0.duration(to: $1) }
        let expected = sequence(first: Duration.seconds(1)) { min($0 * 2, .seconds(3600)) }
        #expect(gaps.count > 12)
        #expect(gaps == Array(expected.prefix(gaps.count)))
        #expect((.milliseconds(20) ... .milliseconds(120)).contains(times[0].sinceStart))
        #expect(network.log.allSatisfy { $0.message.questions.allSatisfy { !$0.wantsUnicast } })
    }

    @Test func aBrowserTellsWhatItKnowsAndIsNotAnsweredAgain() throws {
        var network = VirtualNetwork(seed: 10, hosts: 2)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(60))
        let queries = network.log.filter { $0.host == 1 }.filter { $0.message.questions.contains { $0.type == .ptr } }
        #expect(queries.count == 6)
        #expect(queries.dropFirst().allSatisfy { $0.message.answers.count == 1 })
        let answers = network.log.filter { $0.host == 0 && $0.at > Samples.seconds(9) }
        #expect(answers.count == 1)
    }

    @Test func aSecondBrowserOnTheLinkAsksLess() throws {
        var network = VirtualNetwork(seed: 11)
        for host in 1...3 {
            network.addHost(addresses: ["10.0.0.\(host)"])
        }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .milliseconds(500))
        network.act(2) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(600))
        func asked(_ host: Int) -> Int {
            network.log.filter { $0.host == host && $0.message.questions.contains { $0.type == .ptr } }.count
        }
        #expect(asked(1) + asked(2) < 2 * 10)
        #expect(network.services(of: .hap, on: 1).count == 1 && network.services(of: .hap, on: 2).count == 1)
    }

    // MARK: - Conflicts

    @Test func aNameThatIsTakenIsNumbered() throws {
        var network = VirtualNetwork(seed: 12, hosts: 3)
        network.act(2) { $0.browse(.hap, at: $1) }
        let first = try network.advertise(Samples.lamp(port: 1), on: 0)
        network.run(for: .seconds(5))
        let second = try network.advertise(Samples.lamp(port: 2), on: 1)
        network.run(for: .seconds(5))
        #expect(network.hosts[0].names[first] == ["Lamp"])
        #expect(network.hosts[1].names[second] == ["Lamp (2)"])
        #expect(network.services(of: .hap, on: 2).map(\.instance.name) == ["Lamp", "Lamp (2)"])
        #expect(network.services(of: .hap, on: 2).map(\.port) == [1, 2])
    }

    @Test(arguments: 0..<40)
    func hostsThatClaimANameAtOnceEndWithDifferentNames(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, hosts: 3)
        let ids = try (0..<3).map { try network.advertise(Samples.lamp(port: UInt16($0 + 1)), on: $0) }
        network.run(for: .seconds(30))
        let names = ids.enumerated().map { network.hosts[$0].names[$1] ?? [] }
        #expect(Set(names) == [["Lamp"], ["Lamp (2)"], ["Lamp (3)"]])
    }

    @Test(arguments: 0..<20)
    func manyHostsThatClaimANameAtOnceDoNotWaitForEachOtherOneByOne(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, hosts: 10)
        let ids = try (0..<10).map { try network.advertise(Samples.lamp(port: UInt16($0 + 1)), on: $0) }
        network.run(for: .seconds(3))
        let names = ids.enumerated().map { network.hosts[$0].names[$1] ?? [] }
        #expect(Set(names) == Set([["Lamp"]] + (2...10).map { ["Lamp (\($0))"] }))
    }

    @Test(arguments: 0..<20)
    func manyHostsThatClaimANameAtOnceEndWithDifferentNamesThoughPacketsAreLost(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, hosts: 6)
        network.loss = 20
        let ids = try (0..<6).map { try network.advertise(Samples.lamp(port: UInt16($0 + 1)), on: $0) }
        network.run(for: .seconds(60))
        let names = ids.enumerated().compactMap { network.hosts[$0].names[$1]?.last }
        #expect(names.count == 6 && Set(names).count == 6, "\(names)")
    }

    @Test(arguments: 0..<20)
    func whenTwoNetworksJoinOneOfTwoEqualNamesIsGivenUp(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, hosts: 3)
        network.hosts[1].isConnected = false
        let ids = try (0..<2).map { try network.advertise(Samples.lamp(port: UInt16($0 + 1)), on: $0) }
        network.run(for: .seconds(10))
        network.hosts[1].isConnected = true
        network.act(2) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(30))
        let names = ids.enumerated().map { network.hosts[$0].names[$1]?.last }
        #expect(Set(names) == ["Lamp", "Lamp (2)"])
        #expect(network.services(of: .hap, on: 2).map(\.instance.name) == ["Lamp", "Lamp (2)"])
    }

    @Test func aStaleContradictionLeadsToProbingButNotToAnotherName() throws {
        var network = VirtualNetwork(seed: 13, hosts: 2)
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let stale = ResourceRecord(name: name, isUnique: true, ttl: 4500, data: .txt([3, 0x61, 0x3D, 0x62]))
        network.inject(.response([stale]), from: 1)
        network.inject(.response([stale]), from: 1)
        let start = network.now
        network.run(for: .seconds(5))
        #expect(network.log.contains { $0.host == 0 && $0.at > start && !$0.message.authorities.isEmpty })
        #expect(network.hosts[0].names[id] == ["Lamp", "Lamp"])
    }

    @Test func aHostNameThatIsTakenIsNumberedAndTheServiceFollows() throws {
        var network = VirtualNetwork(seed: 14, hosts: 3)
        network.act(2) { $0.browse(.hap, at: $1) }
        for host in 0..<2 {
            var service = Samples.lamp("Lamp \(host)")
            service.hostName = "lamp.local"
            _ = try network.advertise(service, on: host)
            network.run(for: .seconds(5))
        }
        #expect(network.services(of: .hap, on: 2).map(\.hostName) == ["lamp.local", "lamp-2.local"])
        #expect(network.services(of: .hap, on: 2).map { $0.addresses[0].description } == ["10.0.0.1", "10.0.0.2"])
    }

    @Test func twoServicesOfOneNodeWithOneNameAreNumbered() throws {
        var network = VirtualNetwork(seed: 15, hosts: 2)
        let ids = try [1, 2].map { try network.advertise(Samples.lamp(port: $0), on: 0) }
        network.run(for: .seconds(5))
        #expect(ids.map { network.hosts[0].names[$0] } == [["Lamp"], ["Lamp (2)"]])
    }

    // MARK: - Loss, reordering, attacks

    @Test(arguments: 0..<30)
    func withAFifthOfAllPacketsLostEverythingIsFound(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, hosts: 4)
        network.loss = 20
        network.act(3) { $0.browse(.hap, at: $1) }
        for host in 0..<3 {
            _ = try network.advertise(Samples.lamp("Lamp \(host)"), on: host)
        }
        network.run(for: .seconds(60))
        #expect(network.services(of: .hap, on: 3).map(\.instance.name) == ["Lamp 0", "Lamp 1", "Lamp 2"])
    }

    @Test(arguments: 0..<8)
    func mutatedPacketsLeaveANodeAbleToGoOn(seed: UInt64) throws {
        var recording = VirtualNetwork(seed: seed, hosts: 3)
        recording.act(2) { $0.browse(.hap, at: $1) }
        for host in 0..<2 {
            _ = try recording.advertise(Samples.lamp(), on: host)
        }
        recording.run(for: .seconds(10))
        let packets = recording.log.flatMap { $0.message.packets() }

        var network = VirtualNetwork(seed: seed, hosts: 1)
        network.act(0) { $0.browse(.hap, at: $1) }
        let id = try network.advertise(Samples.lamp(), on: 0)
        var random = Jitter(seed: seed)
        let address = try #require(IPAddress("10.0.0.9"))
        for _ in 0..<500 {
            var packet = try #require(packets.randomElement(using: &random))
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                packet[Int.random(in: packet.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            let source = Endpoint(address: address, port: Bool.random(using: &random) ? MulticastEndpoint.port : 999)
            network.act(0) { $0.receive(packet, from: source, on: VirtualNetwork.link, at: $1) }
            network.run(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
        network.run(for: .seconds(60))
        #expect(network.hosts[0].names[id]?.isEmpty == false)
    }

    @Test func aSpoofedGoodbyeIsPutRightWithinItsSecond() throws {
        var network = VirtualNetwork(seed: 16, hosts: 3)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        network.inject(.response([ResourceRecord(name: Samples.typeName, ttl: 0, data: .ptr(name))]), from: 2)
        network.run(for: .seconds(10))
        #expect(network.hosts[1].events.count == 1)
        #expect(network.services(of: .hap, on: 1).count == 1)
    }

    @Test func whatNobodyAskedForIsNotKept() throws {
        var network = VirtualNetwork(seed: 17, hosts: 2)
        network.act(0) { $0.browse(.hap, at: $1) }
        for number in 0..<2000 {
            let name = try Samples.name("Flood \(number)", "_other", "_tcp", "local")
            network.inject(.response([ResourceRecord(name: name, isUnique: true, ttl: 4500, data: .txt([0]))]), from: 1)
        }
        network.run(for: .seconds(1))
        #expect(network.hosts[0].node.recordCount == 0)
    }

    @Test func aFloodOfInstancesIsBounded() throws {
        var network = VirtualNetwork(seed: 18, hosts: 1)
        network.act(0) { $0.browse(.hap, at: $1) }
        let source = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: MulticastEndpoint.port)
        for batch in 0..<(CacheTiming.maximumRecords / 20 + 10) {
            let records = try (0..<20).map { number in
                ResourceRecord(
                    name: Samples.typeName,
                    ttl: 4500,
                    data: .ptr(try Samples.name("Flood \(batch).\(number)", "_hap", "_tcp", "local"))
                )
            }
            let packet = try #require(DNSMessage.response(records).packets().first)
            network.act(0) { $0.receive(packet, from: source, on: VirtualNetwork.link, at: $1) }
        }
        // A single sender can't fill the whole cache.
        #expect(network.hosts[0].node.recordCount == CacheTiming.maximumRecordsOfSource)
    }

    @Test func aResponseFromAnotherPortThan5353IsIgnored() throws {
        var network = VirtualNetwork(seed: 19, hosts: 2)
        network.act(0) { $0.browse(.hap, at: $1) }
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let record = ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(name))
        let packet = try #require(DNSMessage.response([record]).packets().first)
        let address = try #require(IPAddress("10.0.0.2"))
        for port: UInt16 in [53, 5354] {
            let source = Endpoint(address: address, port: port)
            network.act(0) { $0.receive(packet, from: source, on: VirtualNetwork.link, at: $1) }
        }
        #expect(network.hosts[0].node.recordCount == 0)
        let source = Endpoint(address: address, port: MulticastEndpoint.port)
        network.act(0) { $0.receive(packet, from: source, on: VirtualNetwork.link, at: $1) }
        #expect(network.hosts[0].node.recordCount == 1)
    }

    @Test func aLoopbackAddressFromTheNetworkIsNotBelieved() throws {
        var network = VirtualNetwork(seed: 20, hosts: 2)
        network.act(0) { $0.browse(.hap, at: $1) }
        var service = Samples.lamp()
        service.addresses = [try #require(IPAddress("127.0.0.1"))]
        _ = try network.advertise(service, on: 1)
        network.run(for: .seconds(5))
        #expect(network.services(of: .hap, on: 0).isEmpty)
    }

    @Test func noRecordIsMulticastTwiceWithinASecond() throws {
        var network = VirtualNetwork(seed: 21, hosts: 4)
        let id = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(3))
        for round in 0..<40 {
            network.act(1 + round % 3) { $0.browse(.hap, at: $1) }
            network.run(for: .milliseconds(130))
            network.act(1 + round % 3) { $0.endBrowse(.hap, at: $1) }
            if round % 10 == 5 {
                let txt = try TXTRecord(dictionaryLiteral: ("c#", "\(round)")).wire()
                network.act(0) { $0.update(id, txt: txt, at: $1) }
            }
        }
        network.run(for: .seconds(3))
        var last: [RecordIdentity: Instant] = [:]
        var count = 0
        for response in network.log where response.host == 0 && response.message.isResponse {
            for record in response.message.answers + response.message.additionals {
                if let earlier = last[record.identity] {
                    #expect(earlier.duration(to: response.at) >= .seconds(1), "\(record.name) \(record.type)")
                }
                last[record.identity] = response.at
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test func aThousandServicesAreFoundWithinThreeSeconds() throws {
        var network = VirtualNetwork(seed: 22, hosts: 2)
        for number in 0..<1000 {
            _ = try network.advertise(Samples.lamp("Lamp \(number)", port: UInt16(1000 + number)), on: 0)
        }
        network.run(for: .seconds(30))
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(3))
        #expect(network.services(of: .hap, on: 1).count == 1000)
        network.run(for: .seconds(120))
        #expect(network.hosts[1].events.count == 1000)
        #expect(network.log.allSatisfy { $0.size <= DNSFormat.preferredMessageSize })
    }

    // MARK: - Names on demand

    @Test func aServiceIsResolvedByItsNameWithoutBrowsing() throws {
        var network = VirtualNetwork(seed: 23, hosts: 2)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        let instance = ServiceInstance(name: "LAMP", type: .hap)
        try network.act(1) { try $0.follow(instance, at: $1) }
        network.run(for: .seconds(1))
        #expect(network.hosts[1].node.service(instance)?.port == 8080)
        #expect(network.services(of: .hap, on: 1).isEmpty)
        network.act(1) { $0.unfollow(instance, at: $1) }
        #expect(network.hosts[1].node.recordCount == 0)
        #expect(network.hosts[1].node.deadline == nil)
    }

    @Test func theEndOfTheLastBrowseForgetsEverythingAndStopsAsking() throws {
        var network = VirtualNetwork(seed: 24, hosts: 2)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.act(1) { $0.browse(.hap, at: $1) }
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(5))
        network.act(1) { $0.endBrowse(.hap, at: $1) }
        #expect(network.services(of: .hap, on: 1).count == 1)
        network.act(1) { $0.endBrowse(.hap, at: $1) }
        #expect(network.hosts[1].node.recordCount == 0)
        #expect(network.hosts[1].node.deadline == nil)
    }

    @Test func aNodeFindsItsOwnServices() throws {
        var network = VirtualNetwork(seed: 25, hosts: 1)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(5))
        network.act(0) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(1))
        #expect(network.services(of: .hap, on: 0).map(\.instance.name) == ["Lamp"])
    }
}
