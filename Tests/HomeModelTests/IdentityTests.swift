import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

@Suite struct IdentityTests {
    @Test func orderedIDsSortByTheirTimeAndDifferOtherwise() {
        // The time of the example in RFC 9562, appendix A.6.
        let time = Date(milliseconds: 0x017F_22E2_79B0)
        let ids = (0..<100).map { _ in UUID.ordered(at: time) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.uuidString.hasPrefix("017F22E2-79B0-7") && $0.uuid.8 & 0xC0 == 0x80 })
        let later = UUID.ordered(at: time.addingTimeInterval(0.001))
        #expect(ids.allSatisfy { $0.uuidString < later.uuidString })
        #expect(UUID.ordered(at: .distantPast).uuidString.hasPrefix("00000000-0000-7"))
    }

    /// Source: RFC 3174, section 7.3, and the empty message of FIPS 180.
    @Test(
        arguments: [
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452"
            ),
        ]
    )
    func digestsAreThoseOfTheStandard(_ text: String, _ count: Int, _ digest: String) {
        #expect(SHA1.digest(Array(String(repeating: text, count: count).utf8)).hexText == digest)
    }

    @Test func paddingIsRightAtEveryLengthOfTwoBlocks() {
        // The digest of the digests of messages of 0 to 128 bytes, computed with Python's hashlib.
        let digests = (0...128).flatMap { SHA1.digest(Array(repeating: 0x61, count: $0)) }
        #expect(SHA1.digest(digests).hexText == "d91147f60f7aef604263ed577049ecb572e0cfb5")
    }

    /// Source: RFC 9562, appendix A.4, and Python's documentation of its uuid module.
    @Test(
        arguments: [
            ("www.example.com", "2ED6657D-E927-568B-95E1-2665A8AEA6A2"),
            ("python.org", "886313E1-3B8A-5372-9B90-0C9AEE199E5D"),
        ]
    )
    func nameBasedIdentitiesAreThoseOfTheStandard(_ name: String, _ uuid: String) throws {
        let domains = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        #expect(UUID(nameSpace: domains, name: name).uuidString == uuid)
    }

    /// Computed with Python's uuid module. If these changed, apps would lose what they stored about services.
    @Test func aServicesIdentityComesOfItsAccessoryAndIID() throws {
        let accessory = AccessoryRecord(
            id: try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")),
            name: "Lamp",
            reportedName: "Lamp",
            room: UUID(),
            server: TestHome.server,
            aid: 1,
            category: .lightbulb,
            information: AccessoryInformation(),
            shape: ShapeID(rawValue: ""),
            fixedIDs: [11: try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))]
        )
        #expect(Home.serviceID(of: 10, in: accessory).uuidString == "86B9A7E7-037F-5CE9-A372-32DB3740A2AF")
        #expect(Home.characteristicID(of: .max, in: accessory).uuidString == "3740A6F7-2180-5C3B-A62F-FF9B60E081D1")
        #expect(Home.characteristicID(of: 11, in: accessory).uuidString == "00000000-0000-4000-8000-000000000001")
    }

    @Test func equalServicesAreOneShape() {
        let one = ShapeRecord(services: [.information, .lightbulb(iid: 10)])
        let same = ShapeRecord(services: [.information, .lightbulb(iid: 10)])
        let other = ShapeRecord(services: [.information, .lightbulb(iid: 11)])
        #expect(one == same)
        #expect(one.id != other.id)
        #expect(one.id.rawValue.count == 40)
    }

    @Test func twoContentsOfOneDigestStayApart() {
        let services = [ServiceShape.information, .lightbulb(iid: 10)]
        var shapes = RecordList<ShapeRecord>()
        shapes.put(ShapeRecord(id: ShapeRecord(services: services).id, services: [.outlet(iid: 10)]))
        var interner = ShapeInterner(shapes: shapes)
        let id = interner.shape(of: services)
        #expect(shapes[id: id] == nil)
        #expect(interner.added.map(\.services) == [services])
        #expect(interner.shape(of: services) == id)
        #expect(interner.added.count == 1)
    }
}
