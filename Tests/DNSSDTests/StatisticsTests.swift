import Testing

@testable import DNSSD

@Suite struct StatisticsTests {
    private func traffic(_ network: VirtualNetwork, _ host: Int) throws -> LinkTraffic {
        try #require(network.hosts[host].node.traffic(on: VirtualNetwork.link))
    }

    @Test func whatGoesOverALinkIsCountedByKindAndSender() throws {
        var network = VirtualNetwork(seed: 1, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        let (lamp, browser) = try (traffic(network, 0), traffic(network, 1))
        let sent = Dictionary(grouping: network.log, by: \.host)
        #expect(lamp.sent.responses == sent[0]?.filter(\.message.isResponse).count)
        #expect(lamp.sent.queries == sent[0]?.filter { !$0.message.isResponse }.count)
        #expect(browser.received.responses == lamp.sent.responses && browser.received.queries == lamp.sent.queries)
        // Own packets are looped back and don't count as messages of another host.
        #expect(lamp.echoes == sent[0]?.count)
        #expect(Array(browser.sources.keys) == [network.hosts[0].address])
        let source = try #require(browser.sources[network.hosts[0].address])
        #expect(source.counts == browser.received && source.lastReceived <= network.now)
        #expect(network.hosts[1].node.isOwn(network.hosts[1].address))
        #expect(!network.hosts[1].node.isOwn(network.hosts[0].address))
    }

    @Test func whatIsNotBelievedIsCountedToo() throws {
        var network = VirtualNetwork(seed: 2, hosts: 1)
        let address = try #require(IPAddress("10.0.0.9"))
        let query = DNSMessage(flags: [], questions: [DNSQuestion(name: Samples.typeName, type: .ptr)])
        let asking = try #require(query.packets().first)
        let operation = DNSMessage(flags: [.operationMask], questions: query.questions).packets()[0]
        let answer = DNSMessage(flags: [.response], questions: query.questions).packets()[0]
        for (packet, port): ([UInt8], UInt16) in [
            ([1, 2, 3], 5353), (asking, 4000), (operation, 5353), (answer, 4000),
        ] {
            network.act(0) {
                $0.receive(packet, from: Endpoint(address: address, port: port), on: VirtualNetwork.link, at: $1)
            }
        }
        let traffic = try traffic(network, 0)
        #expect(traffic.malformed == 1 && traffic.rejected == 2)
        #expect(traffic.received.plainQueries == 1 && traffic.received.queries == 0 && traffic.received.responses == 0)
    }

    @Test func theCountsOfAnInterfaceGoOnWhenItComesBack() throws {
        func messages(_ queries: Int, _ responses: Int) -> InterfaceMessages {
            var messages = InterfaceMessages()
            messages.received.queries = queries
            messages.sent.responses = responses
            return messages
        }
        var history = MessageCountHistory()
        #expect(history.total(with: ["eth0": messages(1, 2)]) == ["eth0": messages(1, 2)])
        history.add(messages(5, 7), on: "eth0")
        #expect(history.total(with: [:]) == ["eth0": messages(5, 7)])
        #expect(
            history.total(with: ["eth0": messages(1, 2), "wlan0": messages(3, 0)]) == [
                "eth0": messages(6, 9), "wlan0": messages(3, 0),
            ]
        )
        for number in 1..<MessageCountHistory.limit { history.add(messages(1, 1), on: "veth\(number)") }
        history.add(messages(1, 1), on: "one more")
        history.add(messages(1, 1), on: "eth0")
        let total = history.total(with: [:])
        #expect(total.count == MessageCountHistory.limit && total["eth0"] == messages(6, 8) && total["one more"] == nil)
    }

    @Test func theSenderHeardLongestAgoMakesRoomForANewOne() throws {
        var traffic = LinkTraffic()
        let query = DNSMessage(flags: [])
        func address(_ number: Int) throws -> IPAddress {
            try #require(IPAddress(bytes: [10, 0, UInt8(number >> 8), UInt8(number & 0xFF)]))
        }
        for number in 0..<InterfaceStatistics.maximumSources {
            let source = Endpoint(address: try address(number), port: 5353)
            traffic.didReceive(query, from: source, at: Samples.seconds(Double(number)))
        }
        #expect(traffic.sources.count == InterfaceStatistics.maximumSources)
        let last = Endpoint(address: try address(1000), port: 5353)
        traffic.didReceive(query, from: last, at: Samples.seconds(1000))
        #expect(traffic.sources.count == InterfaceStatistics.maximumSources)
        #expect(try traffic.sources[address(0)] == nil && traffic.sources[address(1)] != nil)
    }
}
