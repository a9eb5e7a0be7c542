import Foundation
import HAP
import HAPCatalog
import Testing

@Suite struct AttributeDatabaseTests {
    private func decode(_ json: String) throws(AttributeDecodingError) -> AttributeDatabase {
        try AttributeDatabase(decoding: Array(json.utf8))
    }

    private func text(_ database: AttributeDatabase, includingValues: Bool = true) -> String {
        String(decoding: database.encoded(includingValues: includingValues), as: UTF8.self)
    }

    /// Decodes one characteristic in an otherwise complete database.
    private func characteristic(_ members: String) throws -> CharacteristicAttributes {
        let database = try decode(
            #"{"accessories":[{"aid":1,"services":[{"iid":1,"type":"43","characteristics":[{\#(members)}]}]}]}"#
        )
        return try #require(database.accessories.first?.services.first?.characteristics.first)
    }

    @Test func aLightbulbHasTheFormThatAppleWrites() throws {
        let brightness = try #require(CharacteristicDefinition.of(.Characteristic.brightness))
        let on = try #require(CharacteristicDefinition.of(.Characteristic.on))
        let identify = try #require(CharacteristicDefinition.of(.Characteristic.identify))
        let database = AttributeDatabase(accessories: [
            AccessoryAttributes(
                aid: 1,
                services: [
                    ServiceAttributes(
                        iid: 1,
                        type: .Service.accessoryInformation,
                        characteristics: [CharacteristicAttributes(iid: 2, identify)]
                    ),
                    ServiceAttributes(
                        iid: 8,
                        type: .Service.lightbulb,
                        isPrimary: true,
                        isHidden: true,
                        linked: [1, 18_446_744_073_709_551_615],
                        characteristics: [
                            CharacteristicAttributes(iid: 9, on, value: .bool(true)),
                            CharacteristicAttributes(iid: 10, brightness, value: .integer(50)),
                        ]
                    ),
                    ServiceAttributes(iid: .max, type: .Service.switch, characteristics: []),
                ]
            )
        ])
        #expect(
            text(database)
                == #"{"accessories":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":["#
                + #"{"iid":2,"type":"14","perms":["pw"],"format":"bool"}]},"#
                + #"{"iid":8,"type":"43","primary":true,"hidden":true,"linked":[1,18446744073709551615],"characteristics":["#
                + #"{"iid":9,"type":"25","perms":["pr","pw","ev"],"format":"bool","value":1},"#
                + #"{"iid":10,"type":"8","perms":["pr","pw","ev"],"format":"int","unit":"percentage","minValue":0,"#
                + #""maxValue":100,"minStep":1,"value":50}]},"#
                + #"{"iid":18446744073709551615,"type":"49","characteristics":[]}]}]}"#
        )
        #expect(try AttributeDatabase(decoding: database.encoded()) == database)
    }

    @Test func aValueThatCannotBeReadIsNullOrEmptyText() throws {
        func encoded(_ format: CharacteristicFormat, _ permissions: CharacteristicPermissions) -> String {
            let characteristic = CharacteristicAttributes(
                iid: 2,
                type: HAPType(short: 0x73),
                permissions: permissions,
                metadata: CharacteristicMetadata(format: format),
                value: nil,
                events: false
            )
            let service = ServiceAttributes(iid: 1, type: .Service.valve, characteristics: [characteristic])
            return text(AttributeDatabase(accessories: [AccessoryAttributes(aid: 1, services: [service])]))
        }
        #expect(encoded(.uint8, [.read, .notify]).contains(#""value":null,"ev":false"#))
        #expect(encoded(.tlv8, [.read]).contains(#""value":"""#))
        #expect(encoded(.data, [.read]).contains(#""value":"""#))
        #expect(!encoded(.uint8, [.write]).contains("value"))
    }

    @Test func theStructureIsTheSameForOtherValues() throws {
        let on = try #require(CharacteristicDefinition.of(.Characteristic.on))
        func database(_ value: CharacteristicValue?, _ iid: UInt64, _ events: Bool?) -> AttributeDatabase {
            var characteristic = CharacteristicAttributes(iid: iid, on, value: value)
            characteristic.events = events
            let service = ServiceAttributes(iid: 1, type: .Service.outlet, characteristics: [characteristic])
            return AttributeDatabase(accessories: [AccessoryAttributes(aid: 1, services: [service])])
        }
        let structure = database(.bool(true), 2, nil).encoded(includingValues: false)
        #expect(structure == database(.bool(false), 2, true).encoded(includingValues: false))
        #expect(structure != database(.bool(true), 3, nil).encoded(includingValues: false))
    }

    @Test func everyCatalogueRowSurvivesTheWire() throws {
        let characteristics = CharacteristicDefinition.all.enumerated().map { index, row in
            CharacteristicAttributes(iid: UInt64(index) + 2, row)
        }
        let service = ServiceAttributes(iid: 1, type: .Service.valve, characteristics: characteristics)
        let database = AttributeDatabase(accessories: [AccessoryAttributes(aid: .max, services: [service])])
        let decoded = try AttributeDatabase(decoding: database.encoded())
        for (left, right) in zip(decoded.accessories[0].services[0].characteristics, characteristics) {
            #expect(left.metadata == right.metadata)
            #expect(left.type == right.type)
            #expect(left.permissions == right.permissions)
        }
        #expect(decoded.accessories[0].aid == .max)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(database.encoded())) }
    }

    @Test func longAndShortTypesUnknownKeysAndStrangeMetadataAreTaken() throws {
        let json = #"""
            { "accessories" : [ { "aid" : 1, "x": [1, {"y": null}], "services" : [ {
                "type" : "0000003e-0000-1000-8000-0026bb765291", "iid" : 1, "stype": "accessory-information",
                "primary": 0, "hidden": false, "linked": [ 0, 8, "4", -1, 9.0, 77 ], "characteristics" : [
                  { "iid" : 2, "perms" : ["pr", "zz", 7], "type" : "00000023-0000-1000-8000-0026BB765291",
                    "format": "string", "maxLen": -1, "unit": "", "minValue": "0", "value" : "Lamp", "ev": "no" },
                  { "iid" : 3, "perms" : ["pr"], "type" : "E863F10D-079E-48FF-8F27-9C2605A29F52", "format": "uint16",
                    "unit": "watt", "minValue": null, "maxValue": 1e3, "minStep": 0.5, "value": [1], "ev": 1,
                    "valid-values": [3, "x", 1.0], "valid-values-range": [2, 9], "description": "Consumption" } ] },
                { "type": "43", "iid": 8, "characteristics": [] }, { "type": "49", "iid": 9, "characteristics": [] }
              ] } ] }
            """#
        let service = try #require(try decode(json).accessories.first?.services.first)
        #expect(service.type == .Service.accessoryInformation)
        #expect(service.linked == [8, 9])
        #expect(!service.isPrimary)
        let name = service.characteristics[0]
        #expect(name.type == .Characteristic.name)
        #expect(name.permissions == [.read])
        #expect(name.metadata == CharacteristicMetadata(format: .string))
        #expect(name.value == .string("Lamp"))
        #expect(name.events == nil)
        let power = service.characteristics[1]
        #expect(!power.type.isApple)
        #expect(
            power.metadata
                == CharacteristicMetadata(
                    format: .uint16,
                    unit: CharacteristicUnit(rawValue: "watt"),
                    maxValue: .integer(1_000),
                    stepValue: .double(0.5),
                    validValues: [1, 3],
                    validRanges: [2...9],
                    manufacturerDescription: "Consumption"
                )
        )
        #expect(power.value == nil)
        #expect(power.events == true)
    }

    @Test func aFormatThatIsNotStatedIsTheCatalogues() throws {
        let on = try characteristic(#""iid":11,"perms":["pr","pw","ev"],"type":"25","ev":true,"value":1"#)
        #expect(on.metadata.format == .bool)
        #expect(on.value == .bool(true))
        let unknown = try characteristic(#""iid":11,"perms":["pr"],"type":"FFFF","value":1"#)
        #expect(unknown.metadata.format == .other(""))
        #expect(unknown.value == .integer(1))
    }

    @Test func rangesAreReadInBothForms() throws {
        let row = #""iid":2,"type":"8","perms":["pr"],"format":"uint8","valid-values-range""#
        #expect(try characteristic(row + ":[[1,2],[5,9]]").metadata.validRanges == [1...2, 5...9])
        #expect(try characteristic(row + ":[1,2]").metadata.validRanges == [1...2])
        #expect(try characteristic(row + ":[2,1]").metadata.validRanges == nil)
        #expect(try characteristic(row + ":[[1],[5,9]]").metadata.validRanges == [5...9])
        #expect(try characteristic(row + ":[]").metadata.validRanges == nil)
    }

    @Test(arguments: [
        ("bool", "1", CharacteristicValue.bool(true)), ("bool", "true", .bool(true)), ("bool", "2", .integer(2)),
        ("uint8", "true", .integer(1)), ("uint8", "5.0", .integer(5)), ("uint8", "256", .integer(256)),
        ("float", "21", .double(21)), ("tlv8", #""AQEA""#, .data([1, 1, 0])), ("tlv8", #""""#, .data([])),
        ("data", #""AQE""#, .string("AQE")), ("uint64", "18446744073709551615", .unsigned(.max)),
        ("string", "7", .integer(7)), ("color", #""red""#, .string("red")),
    ])
    func valuesTakeTheFormOfTheirFormatOrStayAsTheyCame(
        _ format: String,
        _ json: String,
        _ expected: CharacteristicValue
    ) throws {
        let row = try characteristic(#""iid":2,"type":"8","perms":["pr"],"format":"\#(format)","value":\#(json)"#)
        #expect(row.value == expected)
    }

    @Test(arguments: [
        (#"{}"#, "accessories"), (#"[]"#, ""), (#"{"accessories":{}}"#, "accessories"),
        (#"{"accessories":[1]}"#, "accessories[0]"),
        (#"{"accessories":[{"services":[]},{"aid":-2,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":-1,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":1.5,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":9007199254740994.0,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":null,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":18446744073709551616,"services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":"1","services":[]}]}"#, "accessories[0].aid"),
        (#"{"accessories":[{"aid":1}]}"#, "accessories[0].services"),
        (
            #"{"accessories":[{"aid":1,"services":[{"iid":1,"type":"XY","characteristics":[]}]}]}"#,
            "accessories[0].services[0].type"
        ),
        (
            #"{"accessories":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":3,"type":"FFFF"}]}]}]}"#,
            "accessories[0].services[0].characteristics[0].perms"
        ),
    ])
    func theErrorNamesThePath(_ json: String, _ path: String) {
        let error = #expect(throws: AttributeDecodingError.self) { try decode(json) }
        #expect(error?.path == path)
    }

    @Test func whatLacksItsIdentityIsPassedOverAndTheRestIsTaken() throws {
        let database = try decode(
            #"""
            {"accessories":[{"services":[]},{"aid":2.0,"services":[{"iid":1,"type":"3E"},7,
            {"iid":2,"type":"43","characteristics":[{"type":"25"},{"iid":9},null,{"iid":10,"type":"25","format":7},
            {"iid":11.0,"type":"8","perms":null,"format":"int","maxLen":64.0,"valid-values":[]},]}]}]}
            """#
        )
        #expect(database.accessories.map(\.aid) == [2])
        #expect(database.accessories[0].services.map(\.iid) == [2])
        let characteristics = database.accessories[0].services[0].characteristics
        #expect(characteristics.map(\.iid) == [10, 11])
        #expect(characteristics.map(\.permissions) == [[.read, .write, .notify], [.read, .write, .notify]])
        #expect(characteristics.map(\.metadata.format) == [.bool, .int])
        #expect(characteristics[1].metadata.maxLength == 64)
        #expect(characteristics[1].metadata.validValues == nil)
    }

    @Test func idsAreReadExactlyUpToTheLargest() throws {
        let json = #"{"accessories":[{"aid":18446744073709551615,"services":[{"iid":9007199254740993,"type":"3E","#
        let service = try #require(try decode(json + #""characteristics":[]}]}]}"#).accessories.first?.services.first)
        #expect(service.iid == 9_007_199_254_740_993)
    }

    @Test func whatIsNoJSONIsSaidSo() {
        let error = #expect(throws: AttributeDecodingError.self) { try decode(#"{"accessories":["#) }
        #expect(error?.path == "")
        #expect(error?.description == "invalid JSON: unexpected end at byte 16")
    }
}
