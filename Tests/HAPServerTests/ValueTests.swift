import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests writes to characteristics of each format, and the values that are then read.
@Suite struct ValueTests {
    /// A characteristic, with the JSON values that it accepts, each with the value that is then read, and those that it
    /// rejects.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let metadata: CharacteristicMetadata
        let value: CharacteristicValue
        let accepted: [(written: String, read: String)]
        let rejected: [String]

        init(
            _ name: String,
            _ metadata: CharacteristicMetadata,
            _ value: CharacteristicValue,
            accepted: [(String, String)],
            rejected: [String]
        ) {
            testDescription = name
            self.metadata = metadata
            self.value = value
            self.accepted = accepted.map { (written: $0.0, read: $0.1) }
            self.rejected = rejected
        }
    }

    private static func text(_ unit: String, _ count: Int) -> String {
        "\"\(String(repeating: unit, count: count))\""
    }

    private static func same(_ values: String...) -> [(String, String)] {
        values.map { ($0, $0) }
    }

    static let rules: [Rule] = [
        Rule(
            "bool",
            CharacteristicMetadata(format: .bool),
            .bool(false),
            accepted: [("true", "1"), ("false", "0"), ("1", "1"), ("0", "0"), ("1.0", "1"), ("-0", "0")],
            rejected: ["2", "-1", "0.5", #""1""#, #""true""#, "[true]"]
        ),
        Rule(
            "uint8",
            CharacteristicMetadata(format: .uint8),
            .integer(7),
            accepted: same("0", "255") + [("true", "1"), ("false", "0"), ("1e2", "100"), ("5.0", "5")],
            rejected: ["256", "-1", "1.5", #""1""#, "1e9"]
        ),
        Rule(
            "uint8 from 10 to 20",
            CharacteristicMetadata(format: .uint8, minValue: .integer(10), maxValue: .integer(20)),
            .integer(15),
            accepted: same("10", "20"),
            rejected: ["9", "21", "true"]
        ),
        Rule(
            "uint8 in steps of 5",
            CharacteristicMetadata(
                format: .uint8,
                minValue: .integer(1),
                maxValue: .integer(101),
                stepValue: .integer(5)
            ),
            .integer(1),
            accepted: same("6", "101", "1"),
            rejected: ["5", "100", "2"]
        ),
        Rule(
            "uint8 of some values",
            CharacteristicMetadata(format: .uint8, maxValue: .integer(9), validValues: [1, 3], validRanges: [5...7]),
            .integer(1),
            accepted: same("3", "5", "6", "7", "1"),
            rejected: ["0", "2", "4", "8", "10"]
        ),
        Rule(
            "uint16",
            CharacteristicMetadata(format: .uint16),
            .integer(7),
            accepted: same("0", "65535"),
            rejected: ["65536", "-1"]
        ),
        Rule(
            "uint32",
            CharacteristicMetadata(format: .uint32),
            .integer(7),
            accepted: same("0", "4294967295"),
            rejected: ["4294967296", "-1"]
        ),
        Rule(
            "uint64",
            CharacteristicMetadata(format: .uint64),
            .integer(7),
            accepted: same("0", "9007199254740993", "9223372036854775808", "18446744073709551615"),
            rejected: ["18446744073709551616", "-1", "1e20", "1e308"]
        ),
        Rule(
            "int",
            CharacteristicMetadata(format: .int),
            .integer(7),
            accepted: same("-2147483648", "2147483647", "0"),
            rejected: ["-2147483649", "2147483648", "0.1", #""0""#]
        ),
        Rule(
            "float",
            CharacteristicMetadata(format: .float),
            .integer(7),
            accepted: same("0.1", "20.299999237060547", "-1e-07", "1e+22") + [
                ("21.0", "21"), ("-0.0", "0"), ("4e0", "4"),
            ],
            rejected: [#""0.1""#, "true", "[]"]
        ),
        Rule(
            "float from 10 to 38 in steps of 0.1",
            CharacteristicMetadata(
                format: .float,
                minValue: .integer(10),
                maxValue: .integer(38),
                stepValue: .double(0.1)
            ),
            .integer(20),
            // 20.3 in single precision is also on the step.
            accepted: same("10", "38", "20.3", "20.299999237060547", "37.9"),
            rejected: ["9.9", "9.999999", "38.1", "38.000001", "20.35", "20.05"]
        ),
        Rule(
            "string",
            CharacteristicMetadata(format: .string),
            .string("x"),
            accepted: same(#""""#, text("a", 64), text("é", 32), #""\"\\""#)
                + [(#""\u00e9\/""#, #""é/""#), (#""\ud83d\ude00""#, #""😀""#), (#""\u0000\b""#, #""\u0000\u0008""#)],
            rejected: [text("a", 65), text("é", 33), "1", "true"]
        ),
        Rule(
            "string of up to 256 bytes",
            CharacteristicMetadata(format: .string, maxLength: 256),
            .string("x"),
            accepted: same(text("a", 256)),
            rejected: [text("a", 257)]
        ),
        Rule(
            "tlv8",
            CharacteristicMetadata(format: .tlv8),
            .data([1]),
            accepted: same(#""""#, #""AQID""#, #""AQIDBA==""#),
            rejected: [#""A""#, #""AQI""#, #""AQI-""#, #""AQID\n""#, #""AQIDBA=""#, #""AQIDBB==""#, "1"]
        ),
        Rule(
            "data of up to 4 bytes",
            CharacteristicMetadata(format: .data, maxDataLength: 4),
            .data([1]),
            accepted: same(#""""#, #""AQIDBA==""#),
            rejected: [#""AQIDBAU=""#, "[1]"]
        ),
    ]

    @Test(arguments: rules)
    func whatFitsIsReadBackAndWhatDoesNotChangesNothing(_ rule: Rule) async throws {
        let type = HAPType(short: 0xE000)
        let characteristic = HostedCharacteristic(
            type: type,
            permissions: [.read, .write, .notify],
            metadata: rule.metadata,
            value: rule.value
        )
        var lamp = TestAccessories.lamp()
        lamp.services.append(HostedService(HAPType(short: 0xF000), key: "Rule", characteristics: [characteristic]))
        try await TestServer.run([lamp]) { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id("Rule", type)
            func write(_ value: String) async throws -> HTTPResponse {
                let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":\#(value)}]}"#
                return try await connection.put("/characteristics", body)
            }
            for (written, read) in rule.accepted {
                #expect(try await write(written).status == .noContent, "\(written)")
                let response = try await connection.get("/characteristics?id=\(id)")
                let expected = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":\#(read)}]}"#
                #expect(response.text == expected)
            }
            let before = try await connection.get("/characteristics?id=\(id)")
            for value in rule.rejected + ["null", "{}"] {
                let response = try await write(value)
                #expect(response.status == .multiStatus, "\(value)")
                let expected = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":-70410}]}"#
                #expect(response.text == expected, "\(value)")
            }
            #expect(try await connection.get("/characteristics?id=\(id)") == before)
        }
    }

    @Test func boundsAndValuesArePrintedAsTheyAre() async throws {
        var lamp = TestAccessories.lamp()
        let characteristic = HostedCharacteristic(
            type: HAPType(short: 0xE000),
            permissions: [.read],
            metadata: CharacteristicMetadata(
                format: .float,
                minValue: .double(0.1),
                maxValue: .double(-0.1 + 100),
                stepValue: .double(0.1)
            ),
            value: .double(0.30000000000000004)
        )
        lamp.services.append(HostedService(HAPType(short: 0xF000), key: "Rule", characteristics: [characteristic]))
        try await TestServer.run([lamp]) { server in
            let connection = try await server.connect(as: TestServer.user)
            let text = try await connection.get("/accessories").text
            #expect(text.contains(#""minValue":0.1,"maxValue":99.9,"minStep":0.1,"value":0.30000000000000004"#))
        }
    }
}
