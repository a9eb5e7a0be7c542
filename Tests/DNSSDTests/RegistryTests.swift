import Testing

@testable import DNSSD

/// Names on several links that appear, disappear and change.
@Suite struct RegistryTests {
    private var jitter = Jitter(seed: 5)

    private static func link(_ index: UInt32, _ addresses: String...) -> LinkDescription {
        LinkDescription(
            index: index,
            name: "virtual\(index)",
            subnets: addresses.compactMap { IPAddress($0) }
                .compactMap { Subnet(address: $0, prefixLength: $0.isIPv4 ? 24 : 64) },
            isLoopback: false
        )
    }

    private func run(_ registry: inout Registry, until end: Double) -> [(at: Instant, due: Registry.Due)] {
        var log: [(Instant, Registry.Due)] = []
        while let deadline = registry.deadline, deadline <= Samples.seconds(end) {
            log.append((deadline, registry.advance(to: deadline)))
        }
        return log
    }

    @Test mutating func aNewLinkIsProbedAndAnnouncedAndTheOthersAreLeftInPeace() throws {
        let (one, two) = (Self.link(1, "10.0.1.1"), Self.link(2, "10.0.2.1"))
        var registry = Registry(links: [one], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        #expect(run(&registry, until: 20).flatMap(\.due.established) == [id])
        #expect(registry.deadline == nil)

        #expect(registry.setLinks([one, two], at: Samples.seconds(20), jitter: &jitter).isEmpty)
        #expect(registry.claimedRecords(on: two).isEmpty && !registry.claimedRecords(on: one).isEmpty)
        let log = run(&registry, until: 40)
        #expect(log.filter { $0.due.probes[2] != nil }.count == ClaimTiming.probeCount)
        #expect(log.filter { $0.due.announcements[2] != nil }.count == ClaimTiming.announceCount)
        #expect(log.filter { $0.due.probes[1] != nil || $0.due.announcements[1] != nil }.isEmpty)
        let addresses = registry.claimedRecords(on: two).filter { $0.type == .a }
        #expect(addresses.map(\.data) == [.a(try #require(IPAddress("10.0.2.1")))])
    }

    @Test mutating func withoutAnyLinkAServiceIsEstablishedAtOnceAndProbedOnceThereIsOne() throws {
        var registry = Registry(links: [], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        #expect(registry.advance(to: Samples.seconds(0)).established == [id])
        _ = registry.setLinks([Self.link(1, "10.0.1.1")], at: Samples.seconds(10), jitter: &jitter)
        let log = run(&registry, until: 30)
        #expect(log.filter { $0.due.probes[1] != nil }.count == ClaimTiming.probeCount)
    }

    @Test mutating func aServiceDoesNotWaitForALinkThatWent() throws {
        let (one, two) = (Self.link(1, "10.0.1.1"), Self.link(2, "10.0.2.1"))
        var registry = Registry(links: [one], defaultHostLabel: "host")
        _ = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        _ = registry.setLinks([one, two], at: Samples.seconds(20), jitter: &jitter)
        let other = try registry.add(Samples.lamp("Other"), at: Samples.seconds(20), jitter: &jitter)
        _ = registry.setLinks([], at: Samples.seconds(20.1), jitter: &jitter)
        #expect(run(&registry, until: 21).flatMap(\.due.established) == [other])
        #expect(registry.deadline == nil)
    }

    @Test mutating func anotherAddressIsAnnouncedAndTheFormerOneTakenBack() throws {
        let (before, after) = (Self.link(1, "10.0.1.1", "fd00::1"), Self.link(1, "10.0.1.7"))
        var registry = Registry(links: [before], defaultHostLabel: "host")
        _ = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        let farewells = registry.setLinks([after], at: Samples.seconds(20), jitter: &jitter)
        let taken = try #require(farewells[1])
        #expect(taken.map(\.type) == [.a, .aaaa] && taken.filter { $0.ttl != 0 }.isEmpty)
        let log = run(&registry, until: 40)
        #expect(log.filter { $0.due.probes[1] != nil }.isEmpty)
        #expect(log.first?.at == Samples.seconds(20) && log.compactMap { $0.due.announcements[1] }.count == 3)
        let announced = try #require(log.first?.due.announcements[1]?.first)
        let records = registry.announcement(of: announced, on: after)
        #expect(records.map(\.data) == [.a(try #require(IPAddress("10.0.1.7")))])
        #expect(records.filter { !$0.isUnique }.isEmpty)
    }

    @Test mutating func onAnotherNetworkEveryNameIsProbedAgain() throws {
        let (before, after) = (Self.link(1, "10.0.1.1", "fe80::1"), Self.link(1, "192.168.7.1", "fe80::1"))
        #expect(after.isOnDifferentNetwork(from: before) && !before.isOnDifferentNetwork(from: before))
        #expect(!Self.link(1, "10.0.1.1", "10.9.9.9").isOnDifferentNetwork(from: before))
        #expect(!Self.link(1, "fe80::1").isOnDifferentNetwork(from: before))
        var registry = Registry(links: [before], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        #expect(registry.setLinks([after], at: Samples.seconds(20), jitter: &jitter).isEmpty)
        #expect(registry.claimedRecords(on: after).isEmpty)
        let log = run(&registry, until: 40)
        #expect(log.filter { $0.due.probes[1] != nil }.count == ClaimTiming.probeCount)
        #expect(log.flatMap(\.due.established) == [id])
    }

    @Test mutating func aNameGivenUpOnOneLinkIsTakenBackOnTheOthers() throws {
        let (one, two) = (Self.link(1, "10.0.1.1"), Self.link(2, "10.0.2.1"))
        var registry = Registry(links: [one], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        _ = registry.setLinks([one, two], at: Samples.seconds(20), jitter: &jitter)
        _ = run(&registry, until: 20.5)
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let theirs = ResourceRecord(name: name, isUnique: true, ttl: 4500, data: .txt([1, 0x61]))
        let farewells = registry.receiveAnswers([theirs], on: 2, at: Samples.seconds(20.6), jitter: &jitter)
        #expect(Set(farewells.keys) == [1])
        #expect(farewells[1]?.map(\.type) == [.ptr, .srv, .txt, .a])
        #expect(run(&registry, until: 60).flatMap(\.due.established) == [id])
        #expect(registry.name(of: id) == (try ServiceInstance(name: "Lamp (2)", type: .hap).domainName()))
    }

    // MARK: - Competing hosts

    /// Another host's probe for instances, which comes later or earlier in order than the probe of the own service.
    private static func probe(_ names: String..., isLater: Bool = true) throws -> DNSMessage {
        var message = DNSMessage(flags: [])
        let address = try #require(IPAddress("10.0.1.9"))
        let host = try Samples.name("other", "local")
        for name in names {
            let name = try ServiceInstance(name: name, type: .hap).domainName()
            let data = isLater ? RecordData.srv(priority: 0, weight: 0, port: 1, host: host) : .address(address)
            message.questions.append(DNSQuestion(name: name, type: .any))
            message.authorities.append(
                ResourceRecord(name: name, isUnique: true, ttl: RecordTTL.host, data: data)
            )
        }
        return message
    }

    /// A registry whose service requested the name `Lamp`, which another host has.
    private mutating func substitute(_ link: LinkDescription) throws -> (registry: Registry, id: RegistrationID) {
        var registry = Registry(links: [link], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 0.3)
        let owned = try Self.probe("Lamp").authorities
        _ = registry.receiveAnswers(owned, on: link.index, at: Samples.seconds(0.3), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (2)")
        return (registry, id)
    }

    @Test(arguments: [false, true])
    mutating func aNameThatWasNotAskedForIsLeftToWhoeverProbesForItFirst(isLater: Bool) throws {
        let link = Self.link(1, "10.0.1.1")
        var (registry, id) = try substitute(link)
        let due = registry.deadline
        for (names, next) in [("Lamp (2)", "Lamp (3)"), ("Lamp (2)", "Lamp (3)"), ("Lamp (3)", "Lamp (4)")] {
            let probe = try Self.probe(names, isLater: isLater)
            registry.receiveProbe(probe, on: link, at: Samples.seconds(0.3), jitter: &jitter)
            #expect(registry.services[id]?.label.text == next)
        }
        // All names in a message count as taken.
        let both = try Self.probe("Lamp (4)", "Lamp (5)", isLater: isLater)
        registry.receiveProbe(both, on: link, at: Samples.seconds(0.3), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (6)")
        // It takes no time.
        #expect(registry.deadline == due)
        #expect(run(&registry, until: 10).flatMap(\.due.established) == [id])
    }

    @Test mutating func aNameThatWasNotAskedForIsKeptAgainstAnEarlierAndLeftToALaterClaimOnceItIsProbed() throws {
        let link = Self.link(1, "10.0.1.1")
        var (registry, id) = try substitute(link)
        _ = run(&registry, until: 0.6)
        let (earlier, later) = (try Self.probe("Lamp (2)", isLater: false), try Self.probe("Lamp (2)"))
        registry.receiveProbe(earlier, on: link, at: Samples.seconds(0.6), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (2)")
        registry.receiveProbe(later, on: link, at: Samples.seconds(0.6), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (3)")
        let log = run(&registry, until: 10)
        #expect(log.filter { $0.due.probes[1]?.contains(id) == true }.count == ClaimTiming.probeCount)
    }

    @Test mutating func aNameThatOthersKnowAsOursIsNotLeftToAProbe() throws {
        let link = Self.link(1, "10.0.1.1")
        var (registry, id) = try substitute(link)
        _ = run(&registry, until: 10)
        let later = try Self.probe("Lamp (2)")
        registry.receiveProbe(later, on: link, at: Samples.seconds(10), jitter: &jitter)
        registry.probeAgain(at: Samples.seconds(11), jitter: &jitter)
        registry.receiveProbe(later, on: link, at: Samples.seconds(11), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (2)")
        #expect(run(&registry, until: 20).flatMap(\.due.established) == [id])
    }

    @Test mutating func theNameThatWasAskedForIsGivenUpOnceWhoeverWentFirstSaysItHasIt() throws {
        let link = Self.link(1, "10.0.1.1")
        var registry = Registry(links: [link], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        let later = try Self.probe("Lamp")
        // Before the first announcement, a response may be stale.
        _ = registry.receiveAnswers(later.authorities, on: 1, at: Samples.seconds(0), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp")
        registry.receiveProbe(later, on: link, at: Samples.seconds(0), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp")
        _ = registry.receiveAnswers(later.authorities, on: 1, at: Samples.seconds(0.1), jitter: &jitter)
        #expect(registry.services[id]?.label.text == "Lamp (2)")
    }

    @Test mutating func whatWasOursAndIsRepeatedByAnotherIsStaleAndNoConflict() throws {
        let (before, after) = (Self.link(1, "10.0.1.1"), Self.link(1, "10.0.1.7"))
        var registry = Registry(links: [before], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        let old = registry.claimedRecords(on: before)
        registry.update(id, txt: [1, 0x62], at: Samples.seconds(20))
        _ = registry.setLinks([after], at: Samples.seconds(20), jitter: &jitter)
        _ = run(&registry, until: 40)
        #expect(registry.receiveAnswers(old, on: 1, at: Samples.seconds(40), jitter: &jitter).isEmpty)
        #expect(registry.deadline == nil)
        // For two minutes after an address was removed, it isn't a conflict. Later, it belongs to another host.
        let address = old.filter { $0.type == .a }
        _ = registry.receiveAnswers(address, on: 1, at: Samples.seconds(139), jitter: &jitter)
        #expect(registry.deadline == nil)
        _ = registry.receiveAnswers(address, on: 1, at: Samples.seconds(141), jitter: &jitter)
        #expect(registry.deadline != nil)
    }

    @Test func formerRecordsAreBounded() throws {
        var previous = PreviousRecords()
        let records = try (0...PreviousRecords.maximum).map { number in
            let name = try Samples.name("\(number)", "local")
            return ResourceRecord(name: name, ttl: UInt32(100 + number), data: .txt([0]))
        }
        previous.insert(records.dropLast(), at: Samples.seconds(0))
        #expect(previous.contains(records[0], at: Samples.seconds(1)))
        previous.insert(records.suffix(1), at: Samples.seconds(1))
        #expect(!previous.contains(records[0], at: Samples.seconds(1)))
        #expect(previous.contains(records[1], at: Samples.seconds(1)))
        #expect(previous.contains(records[PreviousRecords.maximum], at: Samples.seconds(1)))
    }

    @Test mutating func theLinkOfAConflictAloneIsProbedAgain() throws {
        let (one, two) = (Self.link(1, "10.0.1.1"), Self.link(2, "10.0.2.1"))
        var registry = Registry(links: [one, two], defaultHostLabel: "host")
        let id = try registry.add(Samples.lamp(), at: Samples.seconds(0), jitter: &jitter)
        _ = run(&registry, until: 20)
        let name = try ServiceInstance(name: "Lamp", type: .hap).domainName()
        let theirs = ResourceRecord(name: name, isUnique: true, ttl: 4500, data: .txt([1, 0x61]))
        #expect(registry.receiveAnswers([theirs], on: 2, at: Samples.seconds(20), jitter: &jitter).isEmpty)
        let log = run(&registry, until: 40)
        #expect(log.filter { $0.due.probes[2] == [id] }.count == ClaimTiming.probeCount)
        #expect(log.filter { $0.due.probes[1] != nil }.isEmpty)
        // An own record that is received on another link isn't a conflict, because the links may be bridged.
        let ours = registry.claimedRecords(on: one)
        #expect(registry.receiveAnswers(ours, on: 2, at: Samples.seconds(40), jitter: &jitter).isEmpty)
        #expect(registry.deadline == nil)
    }
}
