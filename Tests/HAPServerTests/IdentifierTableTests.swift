import Foundation
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct IdentifierTableTests {
    /// Returns the iids of the lamp.
    private func iids(_ table: IdentifierTable) throws -> [PreassignedIdentifiers.Subject: UInt64] {
        try #require(table.assigned(to: "Lamp", isPrimary: true)).iids
    }

    @Test func newIdsFollowTheFormerOnesInTheirOrderHoweverOften() throws {
        let lamp = try TestAccessories.lamp("Lamp").completed(isPrimary: true)
        var table = IdentifierTable()
        _ = table.attributes(of: lamp, isPrimary: true)
        let previous = try iids(table)
        let count = UInt64(previous.count - 1)
        for round in 1...100 as ClosedRange<UInt64> {
            try table.renumber()
            // All iids except 1 increase by their number.
            let expected = previous.mapValues { $0 == 1 ? 1 : $0 + count * round }
            #expect(try iids(table) == expected, "round \(round)")
        }
    }

    @Test(arguments: [nil, StructureDigest("structure".utf8)])
    func theTableIsStoredAsItIsDecoded(structure: StructureDigest?) throws {
        var attributes = StoredAttributes()
        let names = ["Lamp", "\"Lamp\" 2/3", "Lämpchen 💡\n"]
        let accessories = try names.enumerated().map { index, name in
            try TestAccessories.lamp(name).completed(isPrimary: index == 0)
        }
        _ = HostedDatabase(accessories, identifiers: &attributes.identifiers)
        if let structure { attributes.adopt(structure) }
        let bytes = Data(attributes.encoded())
        #expect(try JSONDecoder().decode(StoredAttributes.self, from: bytes) == attributes)
        let general = try JSONSerialization.jsonObject(with: JSONEncoder().encode(attributes))
        #expect(try JSONSerialization.jsonObject(with: bytes) as? NSDictionary == general as? NSDictionary)
        // What this version writes is decoded the short way, and so is what earlier ones have written.
        let pretty = JSONEncoder()
        pretty.outputFormatting = [.prettyPrinted, .sortedKeys]
        for written in [Array(bytes), Array(try pretty.encode(attributes))] {
            #expect(try StoredAttributes(usual: JSONValue(parsing: written)) == attributes)
            #expect(try StoredAttributes(decoding: written) == attributes)
        }
    }

    @Test(arguments: [
        #"{"format":1,"configurationNumber":2.0,"identifiers":{"nextAID":7.0,"accessories":{}},"newer":[]}"#,
        #"{"format":1,"configurationNumber":2,"structure":null,"identifiers":{"nextAID":7,"accessories":{}}}"#,
    ])
    func anUnusualTableIsDecodedToo(text: String) throws {
        #expect(try StoredAttributes(usual: JSONValue(parsing: Array(text.utf8))) == nil)
        let general = try JSONDecoder().decode(StoredAttributes.self, from: Data(text.utf8))
        #expect(try StoredAttributes(decoding: Array(text.utf8)) == general)
    }

    @Test(arguments: [
        "", "{}", #"{"format":2,"configurationNumber":2,"identifiers":{"nextAID":7,"accessories":{}}}"#,
        #"{"format":1,"configurationNumber":2,"structure":"x","identifiers":{"nextAID":7,"accessories":{}}}"#,
        #"{"format":1,"configurationNumber":2,"identifiers":{"nextAID":-7,"accessories":{}}}"#,
        #"{"format":1,"configurationNumber":2,"identifiers":{"nextAID":7,"accessories":{"":{"aid":1,"nextIID":2}}}}"#,
    ])
    func aDamagedTableIsAnError(text: String) {
        #expect(throws: DecodingError.self) { try StoredAttributes(decoding: Array(text.utf8)) }
    }

    @Test func idsThatAreUsedUpAreRefusedAndNothingChanges() throws {
        let lamp = try TestAccessories.lamp("Lamp").completed(isPrimary: true)
        var full = IdentifierTable()
        _ = full.attributes(of: lamp, isPrimary: true)
        let count = UInt64(try iids(full).count - 1)
        for (left, isEnough) in [(count, true), (count - 1, false), (0, false)] {
            var preassigned = lamp
            preassigned.identifiers = PreassignedIdentifiers(lastIID: PreassignedIdentifiers.highest - left)
            var table = full
            try table.adoptPreassigned(of: preassigned, isPrimary: true)
            let previous = try iids(table)
            if isEnough {
                try table.renumber()
                #expect(try iids(table).values.max() == PreassignedIdentifiers.highest)
            } else {
                let error = #expect(throws: AccessoryServerError.self) { try table.renumber() }
                #expect(error?.code == .invalidConfiguration)
                #expect(try iids(table) == previous)
            }
        }
    }
}
