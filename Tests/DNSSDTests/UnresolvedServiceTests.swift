import Testing

@testable import DNSSD

/// Services that are listed but lack records that are needed to connect to them.
@Suite struct UnresolvedServiceTests {
    private static let scope = BrowseScope(.hap)

    /// The records of a service: its PTR, SRV and TXT records, and its host's address.
    private struct Records {
        let listing, service, description, address: ResourceRecord

        init(_ name: String) throws {
            let (instance, host) = try (Samples.name(name, "_hap", "_tcp", "local"), Samples.name(name, "local"))
            let txt = try TXTRecord(dictionaryLiteral: ("id", name)).wire()
            listing = ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(instance))
            service = ResourceRecord(
                name: instance,
                ttl: 120,
                data: .srv(priority: 0, weight: 0, port: 80, host: host)
            )
            description = ResourceRecord(name: instance, ttl: 4500, data: .txt(txt))
            address = ResourceRecord(name: host, ttl: 120, data: .address(try #require(IPAddress("10.0.0.200"))))
        }
    }

    /// A network of two hosts, the second of which browses.
    private static func network(seed: UInt64) -> VirtualNetwork {
        var network = VirtualNetwork(seed: seed, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        network.run(for: .seconds(1))
        return network
    }

    private static func listed(on network: VirtualNetwork) -> [UnresolvedService] {
        network.hosts[1].node.unresolvedServices(in: scope)
    }

    @Test func eachSaysWhatIsMissingFirst() throws {
        var network = Self.network(seed: 1)
        let (bare, lost, mute, whole) = try (Records("a"), Records("b"), Records("c"), Records("d"))
        network.inject(
            .response([
                bare.listing, bare.description, lost.listing, lost.service, lost.description, mute.listing,
                mute.service,
                mute.address, whole.listing, whole.service, whole.description, whole.address,
            ]),
            from: 0
        )
        network.run(for: .seconds(3))
        #expect(network.services(of: .hap, on: 1).map(\.instance.name) == ["d"])
        let listed = Self.listed(on: network)
        #expect(listed.map(\.instance.name) == ["a", "b", "c"])
        #expect(listed.map(\.missingPart) == [.host, .address(ofHost: "b.local"), .description])
        #expect(listed.map { $0.txt?["id"] } == ["a", "b", nil])
    }

    @Test func whoeverHasLeftWithoutAGoodbyeIsNotCounted() throws {
        var network = Self.network(seed: 2)
        let (gone, present) = try (Records("gone"), Records("present"))
        network.inject(.response([gone.listing, gone.service, gone.description, gone.address]), from: 0)
        network.inject(.response([present.listing]), from: 0)
        // The SRV record lives for two minutes, the PTR record for more than an hour.
        network.run(for: .seconds(180))
        #expect(network.services(of: .hap, on: 1).isEmpty)
        #expect(Self.listed(on: network).map(\.instance.name) == ["gone", "present"])

        let start = network.now
        network.act(1) { $0.reconfirmUnresolved(in: Self.scope, at: $1) }
        network.run(for: .seconds(1))
        network.inject(.response([present.listing]), from: 0)
        network.run(for: .seconds(1))
        #expect(Self.listed(on: network).map(\.instance.name) == ["present"])
        let asked = network.log.filter { $0.host == 1 && $0.at > start }
            .filter { $0.message.questions.contains { $0.type == .ptr } }
        // The question has no known answers, so that all present hosts respond.
        let first = try #require(asked.first)
        #expect(first.message.answers.filter { $0.type == .ptr }.isEmpty)
    }

    @Test func whatIsResolvedIsNotAskedForAgain() throws {
        var network = Self.network(seed: 3)
        _ = try network.advertise(Samples.lamp(), on: 0)
        network.run(for: .seconds(10))
        #expect(network.services(of: .hap, on: 1).count == 1 && Self.listed(on: network).isEmpty)
        let count = network.log.count { $0.host == 1 }
        network.act(1) { $0.reconfirmUnresolved(in: Self.scope, at: $1) }
        network.run(for: .seconds(1))
        #expect(network.log.count { $0.host == 1 } == count)
    }
}
