import Testing

@testable import DNSSD

@Suite struct ValueTests {
    // MARK: - Types and addresses

    @Test(arguments: [
        ("_hap._tcp", "_hap._tcp"), ("_HAP._TCP", "_hap._tcp"), ("_hap._tcp.local", "_hap._tcp"),
        ("_hap._udp.local.", "_hap._udp"), ("_a-b._tcp.", "_a-b._tcp"), ("_touch-able2._tcp", "_touch-able2._tcp"),
    ])
    func aServiceTypeIsRead(text: String, expected: String) throws {
        #expect(try ServiceType(text).description == expected)
    }

    @Test(arguments: [
        "", "hap._tcp", "_hap", "_hap._sctp", "_._tcp", "_-a._tcp", "_a-._tcp", "_a--b._tcp", "_123._tcp", "_a_b._tcp",
        "_ä._tcp", "_hap._tcp.example", "_hap._tcp.local.x", "_hap.._tcp", "_\(String(repeating: "a", count: 63))._tcp",
    ])
    func whatIsNotAServiceTypeIsRefused(text: String) {
        #expect { try ServiceType(text) } throws: { ($0 as? DNSSDError)?.code == .invalidServiceType }
    }

    @Test func aServiceTypeHasAtMost62CharactersAfterItsUnderscore() throws {
        let type = try ServiceType("_\(String(repeating: "a", count: 62))._tcp")
        #expect(try type.domainName == Samples.name("_" + String(repeating: "a", count: 62), "_tcp", "local"))
    }

    @Test func instancesCompareWithoutRegardToCase() {
        let (one, other) = (ServiceInstance(name: "LAMP ä", type: .hap), ServiceInstance(name: "Lamp ä", type: .hap))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != ServiceInstance(name: "Lamp Ä", type: .hap))
    }

    @Test(arguments: ["127.0.0.1", "192.0.2.255", "::1", "fe80::1", "2001:db8::a:b"])
    func anAddressIsReadAndWritten(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == text)
        #expect(IPAddress(bytes: address.bytes) == address)
    }

    @Test(arguments: ["", "lo", "1.2.3", "1.2.3.256", "fe80::1%lo", "1.2.3.4 ", ":::"])
    func whatIsNotAnAddressIsNotRead(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func addressesAreOrderedByHowLikelyTheyConnect() {
        let texts = ["fe80::1", "fd00::2", "10.0.0.2", "10.0.0.1"]
        #expect(
            texts.compactMap { IPAddress($0) }.sorted().map(\.description) == [
                "10.0.0.1", "10.0.0.2", "fd00::2", "fe80::1",
            ]
        )
    }

    // MARK: - TXT

    @Test func aDescriptionKeepsItsOrderAndComparesKeysWithoutRegardToCase() throws {
        var txt: TXTRecord = ["c#": "1", "ID": "AA", "id": "BB"]
        #expect(txt.entries.map(\.key) == ["c#", "ID"] && txt["id"] == "AA" && txt["nothing"] == nil)
        txt["Id"] = "CC"
        txt["new"] = ""
        txt["c#"] = nil
        #expect(txt.description == "Id=CC new=")
    }

    @Test func aDescriptionIsReadAsItWasWritten() throws {
        var txt: TXTRecord = ["a": "1=2", "empty": ""]
        txt.set(nil, for: "flag")
        txt.set([0xFF, 0x00], for: "raw")
        let wire = try txt.wire()
        #expect(TXTRecord(wire: wire) == txt)
        #expect(txt.contains("FLAG") && txt.bytes(for: "flag") == nil && txt.bytes(for: "RAW") == [0xFF, 0x00])
    }

    @Test func stringsWithoutAKeyAreSkipped() {
        let wire: [UInt8] = [0, 2, 0x3D, 0x61, 3, 0x62, 0x3D, 0x31, 3, 0x42, 0x3D, 0x32]
        #expect(TXTRecord(wire: wire).description == "b=1")
    }

    @Test func anEmptyDescriptionIsOneEmptyString() throws {
        #expect(try TXTRecord().wire() == [0])
        #expect(TXTRecord(wire: [0]).entries.isEmpty && TXTRecord(wire: []).entries.isEmpty)
    }

    @Test func anEntryOf255BytesIsPossibleAndOneOf256IsNot() throws {
        let longest = String(repeating: "v", count: 253)
        #expect(try TXTRecord(dictionaryLiteral: ("k", longest)).wire().count == 256)
        #expect(throws: DNSSDError.self) { try TXTRecord(dictionaryLiteral: ("k", longest + "v")).wire() }
    }

    @Test func aDescriptionOf1300BytesIsPossibleAndOneOf1301IsNot() throws {
        var txt = TXTRecord()
        for number in 0..<5 {
            txt["\(number)"] = String(repeating: "v", count: 253)
        }
        txt["5"] = String(repeating: "v", count: 17)
        #expect(try txt.wire().count == TXTFormat.maximumSize)
        txt["5"] = String(repeating: "v", count: 18)
        #expect { try txt.wire() } throws: { ($0 as? DNSSDError)?.code == .invalidTXT }
    }

    @Test(arguments: ["", "a=b", "ä", "a\u{7F}", "a\n"])
    func anImpossibleKeyIsRefused(key: String) {
        #expect { try TXTRecord(dictionaryLiteral: (key, "v")).wire() } throws: {
            ($0 as? DNSSDError)?.code == .invalidTXT
        }
    }

    // MARK: - Interfaces

    private static let existing = [
        interface("lo", 1, ["127.0.0.1", "::1"], multicast: false, loopback: true),
        interface("eth0", 2, ["10.0.0.5", "10.0.0.6", "fe80::5"]),
        interface("eth1", 3, ["10.1.0.5"], up: false),
        interface("tun0", 4, ["10.2.0.5"], multicast: false),
        interface("bare", 5, []),
        interface("wg0", 6, ["10.3.0.5"], tunnel: true),
    ]

    private static func interface(
        _ name: String,
        _ index: UInt32,
        _ addresses: [String],
        up: Bool = true,
        multicast: Bool = true,
        tunnel: Bool = false,
        loopback: Bool = false
    ) -> NetworkInterface {
        NetworkInterface(
            name: name,
            index: index,
            subnets: addresses.compactMap { IPAddress($0) }.compactMap { Subnet(address: $0, prefixLength: 24) },
            isUp: up,
            isRunning: up,
            supportsMulticast: multicast,
            isPointToPoint: tunnel,
            isLoopback: loopback
        )
    }

    private func choose(_ selectors: InterfaceSelector...) throws -> [String] {
        try InterfaceSelection.choose(selectors, from: Self.existing).map {
            "\($0.name) \($0.addresses.map(\.description).joined(separator: " "))"
        }
    }

    @Test func withoutSelectionEveryInterfaceOnTheNetworkThatCanIsUsed() throws {
        #expect(try choose() == ["eth0 10.0.0.5 10.0.0.6 fe80::5"])
    }

    @Test func aNameSelectsAllAddressesAndAnAddressOnlyItself() throws {
        #expect(try choose("eth0") == ["eth0 10.0.0.5 10.0.0.6 fe80::5"])
        #expect(try choose("wg0") == ["wg0 10.3.0.5"])
        #expect(try choose("10.0.0.6") == ["eth0 10.0.0.6"])
        #expect(try choose("10.0.0.6", "fe80::5") == ["eth0 10.0.0.6 fe80::5"])
        #expect(try choose("127.0.0.1") == ["lo 127.0.0.1"] && choose("lo") == ["lo 127.0.0.1"])
        #expect(try choose("tun0", "lo", "10.2.0.5") == ["tun0 10.2.0.5", "lo 127.0.0.1"])
    }

    @Test(arguments: [
        ("nosuch", DNSSDError.Code.unknownInterface), ("10.9.9.9", .unknownInterface), ("eth1", .noUsableInterface),
        ("bare", .noUsableInterface), ("::1", .noUsableInterface),
    ])
    func whatCannotBeUsedIsRefused(selector: String, code: DNSSDError.Code) {
        #expect { try choose(InterfaceSelector(selector)) } throws: { ($0 as? DNSSDError)?.code == code }
    }

    @Test func withoutAnyUsableInterfaceTheReasonListsThoseThatExist() {
        #expect { try InterfaceSelection.choose([], from: [Self.existing[0]]) } throws: { error in
            let error = error as? DNSSDError
            return error?.code == .noUsableInterface && error?.reason.contains("lo (127.0.0.1, ::1)") == true
        }
    }

    @Test(arguments: [("Living Room PC.lan", "livingroompc"), ("", "host"), ("ä.b", "host"), ("a-1", "a-1")])
    func theMachinesNameBecomesALabel(name: String, label: String) {
        #expect(HostLabel.sanitized(name) == label)
    }

    // MARK: - Browse events

    private static func service(port: UInt16) -> Service {
        Service(
            instance: ServiceInstance(name: "Lamp", type: .hap),
            hostName: "lamp.local",
            port: port,
            addresses: [],
            txt: [:]
        )
    }

    @Test func aSlowConsumerGetsTheDifferenceOnly() async {
        let mailbox = BrowseEventBuffer(.scope(BrowseScope(.hap)))
        let instance = Self.service(port: 0).instance
        for port in 1...1000 {
            mailbox.update(instance, to: Self.service(port: UInt16(port)))
        }
        #expect(await mailbox.next() == .found(Self.service(port: 1000)))
        mailbox.update(instance, to: Self.service(port: 1))
        mailbox.update(instance, to: nil)
        #expect(await mailbox.next() == .gone(instance))
        // Found and gone between two reads: no event.
        mailbox.update(instance, to: Self.service(port: 2))
        mailbox.update(instance, to: nil)
        mailbox.finish()
        #expect(await mailbox.next() == nil)
    }
}
