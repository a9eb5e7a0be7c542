import Foundation
import HomeIdentity
import Testing

@Suite struct InvitationLinkTests {
    private static func link(addresses: Int = 1) throws -> InvitationLink {
        InvitationLink(
            invitation: try #require(InvitationID(0..<8)),
            secret: try #require(LinkSecret(100..<110)),
            hub: try #require(PublicKey(IdentityKeyTests.publicKey)),
            addresses: try (0..<addresses).map { number in
                try #require(
                    number.isMultiple(of: 2)
                        ? HubAddress(ip: [192, 168, 1, 5], port: 51_000)
                        : HubAddress(ip: [0xFD] + [UInt8](repeating: 0, count: 14) + [1], port: 65_535)
                )
            }
        )
    }

    /// Computed with Python's base64 and hashlib.
    private static let text = "HEARTH:JOIN:040020G30G2GC1V4CNK6ET39D9NPRV91ZRRXZ8AMM9GP4TZRAG26ZMH70K0AG085RWW4RXQTKG"

    @Test func aLinkHasTheDocumentedForm() throws {
        #expect(try Self.link().text == Self.text)
        #expect(try InvitationLink(Self.text) == Self.link())
    }

    private static func door(_ relay: String) throws -> RelayDoor {
        let house = try #require(HouseID(40..<48))
        return try #require(RelayDoor(relay: relay, house: house, seed: 60..<76))
    }

    private static func linkWithDoor(_ relay: String, addresses: Int = 1) throws -> InvitationLink {
        let link = try link(addresses: addresses)
        return InvitationLink(
            invitation: link.invitation,
            secret: link.secret,
            hub: try #require(PublicKey(IdentityKeyTests.publicKey)),
            addresses: link.addresses,
            door: try door(relay)
        )
    }

    /// Computed with Python's base64 and hashlib, and the key with its cryptography.
    private static let doorText =
        "HEARTH:JOIN:080020G30G2GC1V4CNK6ET39D9NPRV91ZRRXZ8AMM9GP4TZRAG26ZMH750MJMASC5MQ2YF1X7RZM0GA28D24AHJ7914MMJRSD1T78W3K78QJYWK5DHGQJBK5F1GPTW3CCMQ6YWK70K0AG085RWW2FBXQ9G"
    private static let doorKey = "+I3dUA+YpjrBJQOqIGiQBgWdYp/GPWwP+aaYT587o20="

    @Test func aLinkWithADoorHasTheDocumentedForm() throws {
        let link = try Self.linkWithDoor("https://relay.example.org")
        #expect(link.text == Self.doorText)
        #expect(try InvitationLink(Self.doorText) == link)
        #expect(link.door?.key.publicKey.base64 == Self.doorKey)
        #expect("\(link) \(try #require(link.door))".contains("relay") == false)
    }

    private static func linkToTwo(addresses: Int = 1, door: RelayDoor? = nil) throws -> InvitationLink {
        let link = try link(addresses: 1)
        let other = try (0..<addresses).map { number in
            try #require(HubAddress(ip: [10, 0, 0, UInt8(number)], port: 52_000))
        }
        return InvitationLink(
            invitation: link.invitation,
            secret: link.secret,
            hub: try #require(PublicKey(IdentityKeyTests.publicKey)),
            addresses: link.addresses,
            other: (try #require(PublicKey([UInt8](0..<32))), other),
            door: door
        )
    }

    /// Computed with Python's base64 and hashlib.
    private static let textForTwo =
        "HEARTH:JOIN:0C0020G30G2GC1V4CNK6ET39D9NPRV91ZRRXZ8AMM9GP4TZRAG26ZMH7CC6WTAB6RGSPD48JAH4BQCJV9W2C1A010Q3KG10A00001JS0AR61880"
    private static let doorTextForTwo =
        "HEARTH:JOIN:0G0020G30G2GC1V4CNK6ET39D9NPRV91ZRRXZ8AMM9GP4TZRAG26ZMH7CC6WTAB6RGSPD48JAH4BQCJV9WM2JAHB5GPJWBSW7MZ3YG21891M8HA68X44JJJB35M78X3GECX2YBVJCNP62Y9ECNW62VBGDHJJWVVJCW2C1A010Q3KG10A00001JS01YPVVRG"

    @Test func aLinkToEitherOfTwoHubsHasTheDocumentedForm() throws {
        let link = try Self.linkToTwo()
        #expect(link.text == Self.textForTwo)
        #expect(try InvitationLink(Self.textForTwo) == link)
        let withDoor = try Self.linkToTwo(door: try Self.door("https://relay.example.org"))
        #expect(withDoor.text == Self.doorTextForTwo)
        #expect(try InvitationLink(Self.doorTextForTwo) == withDoor)
        for link in [link, withDoor] {
            #expect(link.hubDiscoveryIDs.count == 2)
            #expect(link.leads(to: try #require(PublicKey(IdentityKeyTests.publicKey))))
            #expect(link.leads(to: try #require(PublicKey([UInt8](0..<32)))))
            #expect(!link.leads(to: IdentityKey().publicKey))
        }
    }

    @Test func aLinkToEitherOfTwoHubsHasAddressesOfBothInTurn() throws {
        let link = try Self.linkToTwo(addresses: 5)
        #expect(link.addresses.map(\.port) == [51_000, 52_000, 52_000, 52_000])
        #expect(link.addresses.map(\.ip.first) == [192, 10, 10, 10])
        #expect(try InvitationLink(link.text) == link)
        let wide = try #require(HubAddress(ip: [UInt8](repeating: 0xFD, count: 16), port: 65_535))
        let longest = InvitationLink(
            invitation: link.invitation,
            secret: link.secret,
            hub: IdentityKey().publicKey,
            addresses: [wide, wide, wide],
            other: (IdentityKey().publicKey, [wide, wide, wide])
        )
        #expect(longest.text.count <= InvitationLink.codeLength && longest.addresses.count == 3)
        #expect(try InvitationLink(longest.text) == longest)
    }

    @Test func aRelaysAddressHasAtMostAHundredBytes() throws {
        let longest = "https://" + String(repeating: "a", count: 92)
        let link = try Self.linkWithDoor(longest)
        #expect(try InvitationLink(link.text) == link && link.text.count <= InvitationLink.maximumLength)
        let house = try #require(HouseID(40..<48))
        #expect(RelayDoor(relay: longest + "a", house: house) == nil)
        for relay in ["", "https://ä.example", "https://a b"] { #expect(RelayDoor(relay: relay, house: house) == nil) }
        #expect(RelayDoor(relay: longest, house: house, seed: 0..<15) == nil)
    }

    @Test func aLinkThatIsTooLongForAQRCodeKeepsItsAddresses() throws {
        let pin = "#pin=AAAAAAAAAAAAAAAAAAAAAA"
        let pinned = try Self.linkToTwo(addresses: 3, door: try Self.door("https://192.168.1.5:8443" + pin))
        #expect(pinned.text.count > InvitationLink.codeLength && pinned.addresses.count == 4)
        #expect(try InvitationLink(pinned.text) == pinned)
        let wide = try #require(HubAddress(ip: [UInt8](repeating: 0xFD, count: 16), port: 65_535))
        let longest = InvitationLink(
            invitation: pinned.invitation,
            secret: pinned.secret,
            hub: IdentityKey().publicKey,
            addresses: [wide, wide, wide],
            other: (IdentityKey().publicKey, [wide, wide, wide]),
            door: try Self.door("https://" + String(repeating: "a", count: 92))
        )
        // With another one it would have 361.
        #expect(longest.text.count == 331 && longest.addresses.count == 1 && InvitationLink.longLength == 360)
        #expect(try InvitationLink(longest.text) == longest)
    }

    @Test(arguments: 0...3)
    func besideADoorThereAreAsManyAddressesAsFitIntoAQRCode(addresses: Int) throws {
        let link = try Self.linkWithDoor("https://relay.example.org", addresses: addresses)
        #expect(try InvitationLink(link.text) == link)
        #expect(link.text.count <= InvitationLink.codeLength && link.addresses.count == min(addresses, 3))
        let wide = InvitationLink(
            invitation: link.invitation,
            secret: link.secret,
            hub: IdentityKey().publicKey,
            addresses: try (0..<addresses).map { _ in
                try #require(HubAddress(ip: [UInt8](repeating: 0xFD, count: 16), port: 65_535))
            },
            door: try Self.door("https://relay.example.org")
        )
        #expect(wide.text.count <= InvitationLink.codeLength && wide.addresses.count == min(addresses, 1))
    }

    @Test(arguments: 0...3)
    func linksSurviveTheirText(addresses: Int) throws {
        let link = try Self.link(addresses: addresses)
        #expect(try InvitationLink(link.text) == link)
        #expect(link.addresses.count == addresses)
    }

    @Test func onlyTheFirstThreeAddressesAreInALink() throws {
        #expect(try Self.link(addresses: 4) == Self.link(addresses: 3))
    }

    @Test func theLongestLinkFitsIntoAQRCode() throws {
        let link = InvitationLink(
            invitation: try #require(InvitationID(0..<8)),
            secret: LinkSecret(),
            hub: IdentityKey().publicKey,
            addresses: try (0..<3).map { _ in
                try #require(HubAddress(ip: [UInt8](repeating: 0xFD, count: 16), port: 65_535))
            }
        )
        #expect(link.text.count <= 213)
    }

    @Test func typingDoesNotMatter() throws {
        let typed =
            "  hearth:join:"
            + Self.text.dropFirst(12).lowercased().replacing("0", with: "o")
            .replacing("1", with: "l").replacing("g3og", with: "g3\nog") + "\n"
        #expect(try InvitationLink(typed) == Self.link())
    }

    @Test func aLinkThatWasCutIsDamaged() throws {
        let text = try Self.link(addresses: 3).text
        for count in 12..<text.count {
            #expect(throws: InvitationLinkError.damaged, "cut after \(count)") {
                try InvitationLink(String(text.prefix(count)))
            }
        }
        for count in 0..<12 {
            #expect(throws: InvitationLinkError.notALink) { try InvitationLink(String(text.prefix(count))) }
        }
    }

    @Test func aLinkOfWhichACharacterWasAlteredIsDamaged() throws {
        let characters = Array(Self.text)
        for offset in 12..<characters.count {
            for replacement in CrockfordBase32.alphabet where replacement != characters[offset] {
                var altered = characters
                altered[offset] = replacement
                let error = #expect(throws: InvitationLinkError.self) { try InvitationLink(String(altered)) }
                // The version stands before everything, because a later one may have another checksum.
                #expect(error == .damaged || (error == .unknownVersion && offset < 14))
            }
        }
    }

    @Test func textAfterALinkDamagesIt() throws {
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(Self.text + "0") }
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(Self.text + "!") }
        #expect(throws: InvitationLinkError.damaged) {
            try InvitationLink(Self.text + String(repeating: " ", count: 401 - Self.text.count))
        }
        #expect(try InvitationLink(Self.text + String(repeating: " ", count: 400 - Self.text.count)) == Self.link())
    }

    @Test func aLinkLeadsToItsHubOnly() throws {
        #expect(try Self.link().leads(to: try #require(PublicKey(IdentityKeyTests.publicKey))))
        #expect(try !Self.link().leads(to: IdentityKey().publicKey))
    }

    @Test func aSecretIsReadAsItIsTyped() throws {
        let secret = LinkSecret()
        let text = secret.text
        #expect(text.count == 16)
        #expect(LinkSecret(text.lowercased().prefix(4) + "-" + text.dropFirst(4)) == secret)
        #expect(LinkSecret(String(text.dropLast())) == nil)
        #expect(LinkSecret(text + "0") == nil)
    }

    @Test func anInvitationIDIsTheStartOfItsUUID() throws {
        let uuid = try #require(UUID(uuidString: "00010203-0405-4607-8809-0A0B0C0D0E0F"))
        #expect(InvitationID(uuid).description == "0001020304054607")
        #expect(InvitationID("0001020304054607") == InvitationID(uuid))
        #expect(InvitationID("000102030405460") == nil)
        #expect(InvitationID("000102030405460g") == nil)
        #expect(InvitationID([1, 2, 3]) == nil)
    }

    @Test func anAddressNeedsAnIPAddressAndAPort() {
        #expect(HubAddress(ip: [127, 0, 0, 1], port: 0) == nil)
        #expect(HubAddress(ip: [127, 0, 0], port: 1) == nil)
        #expect(HubAddress(ip: [UInt8](repeating: 0, count: 16), port: 1) != nil)
    }
}
