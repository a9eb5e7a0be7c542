import Testing

@testable import DNSSD

@Suite struct ClaimTests {
    @Test func aClaimProbesThreeTimesAndAnnouncesThreeTimesEverMoreRarely() {
        var claim = NameClaim(start: Samples.seconds(0.1))
        var actions: [(Duration, NameClaim.Action)] = []
        while let deadline = claim.deadline {
            claim.advance(to: deadline).map { actions.append((deadline.sinceStart, $0)) }
        }
        #expect(actions.map(\.1) == [.probe, .probe, .probe, .announce, .announce, .announce])
        #expect(actions.map(\.0) == [100, 350, 600, 850, 1850, 3850].map { .milliseconds($0) })
        #expect(claim.phase == .established)
    }

    @Test func nothingHappensBeforeItsTime() {
        var claim = NameClaim(start: Samples.seconds(1))
        #expect(claim.advance(to: Samples.seconds(0.999)) == nil)
        #expect(claim.advance(to: Samples.seconds(1)) == .probe)
    }

    @Test func theFifteenthConflictInTenSecondsSlowsProbingDown() {
        var claim = NameClaim(start: Samples.seconds(0))
        for number in 1...ClaimTiming.conflictLimit {
            let now = Samples.seconds(Double(number) * 0.1)
            claim.restart(at: now, after: .zero)
            let isLast = number == ClaimTiming.conflictLimit
            #expect(claim.deadline == now.advanced(by: isLast ? ClaimTiming.conflictBackoff : .zero))
        }
        let later = Samples.seconds(60)
        claim.restart(at: later, after: .zero)
        #expect(claim.deadline == later)
    }

    @Test func theLaterAddressWinsASimultaneousProbe() throws {
        // The example of RFC 6762 section 8.2: 169.254.99.200 against 169.254.200.50.
        let name = try Samples.name("MyPrinter", "local")
        func claim(_ addresses: String...) throws -> [ResourceRecord] {
            try addresses.map { text in
                ResourceRecord(name: name, isUnique: true, ttl: 120, data: .address(try #require(IPAddress(text))))
            }
        }
        let (earlier, later) = try (claim("169.254.99.200"), claim("169.254.200.50"))
        #expect(SimultaneousProbe.compare(ours: earlier, theirs: later) == .lost)
        #expect(SimultaneousProbe.compare(ours: later, theirs: earlier) == .won)
        #expect(SimultaneousProbe.compare(ours: later, theirs: later) == .equal)
        // The longer list is later, in any order of the records in the packet.
        let both = try claim("169.254.200.50", "169.254.99.200")
        #expect(try SimultaneousProbe.compare(ours: both, theirs: claim("169.254.99.200")) == .won)
    }

    @Test(arguments: [
        ("Lamp", ["Lamp", "Lamp (2)", "Lamp (3)"]), ("Lamp (2)", ["Lamp (2)", "Lamp (3)"]),
        ("Lamp (1)", ["Lamp (1)", "Lamp (1) (2)"]), (" (7)", [" (7)", " (7) (2)"]),
        ("Lamp(4)", ["Lamp(4)", "Lamp(4) (2)"]),
        ("Lamp (02)", ["Lamp (02)", "Lamp (02) (2)"]),
    ])
    func anInstanceIsNumberedInParentheses(name: String, expected: [String]) {
        let names = sequence(first: NumberedName(name, style: .instance), next: \.next).prefix(expected.count)
        #expect(names.map(\.text) == expected)
    }

    @Test func aHostIsNumberedAfterAHyphen() {
        #expect(NumberedName("lamp", style: .host).next.text == "lamp-2")
        #expect(NumberedName("lamp-9", style: .host).next.text == "lamp-10")
    }

    @Test func aLongNameIsShortenedByWholeCharactersToMakeRoomForItsNumber() {
        let name = String(repeating: "ä", count: 31) + "x"
        #expect(name.utf8.count == DNSFormat.maximumLabelSize)
        let next = NumberedName(name, style: .instance).next.text
        #expect(next == String(repeating: "ä", count: 29) + " (2)")
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "Lamp\n", "a\u{0}b"])
    func anImpossibleInstanceNameIsRefused(name: String) {
        var network = VirtualNetwork(seed: 1, hosts: 1)
        #expect { try network.advertise(Samples.lamp(name), on: 0) } throws: {
            ($0 as? DNSSDError)?.code == .invalidName
        }
        #expect(network.hosts[0].node.deadline == nil)
    }

    @Test func aNameIsAdvertisedInComposedForm() throws {
        var network = VirtualNetwork(seed: 1, hosts: 2)
        network.act(1) { $0.browse(.hap, at: $1) }
        _ = try network.advertise(Samples.lamp("Ku\u{308}chenlampe"), on: 0)
        network.run(for: .seconds(3))
        let found = try #require(network.services(of: .hap, on: 1).first)
        #expect(Array(found.instance.name.utf8) == Array("K\u{FC}chenlampe".utf8))
    }

    @Test func anInstanceNameOf63BytesIsPossible() throws {
        var network = VirtualNetwork(seed: 1, hosts: 1)
        let id = try network.advertise(Samples.lamp(String(repeating: "x", count: 63)), on: 0)
        network.run(for: .seconds(3))
        #expect(network.hosts[0].names[id]?.count == 1)
    }

    @Test(arguments: ["", "a.b", String(repeating: "x", count: 64)])
    func anImpossibleHostNameIsRefused(name: String) {
        var network = VirtualNetwork(seed: 1, hosts: 1)
        var service = Samples.lamp()
        service.hostName = name
        #expect { try network.advertise(service, on: 0) } throws: {
            ($0 as? DNSSDError)?.code == .invalidName
        }
    }
}
