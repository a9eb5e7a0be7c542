import Foundation
import HAPCatalog
import HubAPI
import Testing

/// Messages that are read and written without a coder.
struct PlainMessageTests {
    private static let home = UUID()
    private static let values: [CharacteristicValue] = [
        .bool(true), .bool(false), .integer(0), .integer(-1), .integer(99_999_999_999_999_999), .integer(.min),
        .unsigned(.max), .double(20.5), .string(""), .string("Grüße 🏡"), .string("a \"b\" \\ /"), .string("\n"),
        .data([0, 1, 255]),
    ]

    private static var writes: [WriteCharacteristics.Write] {
        values.enumerated().map { index, value in
            let iid = index == 0 ? UInt64.max : UInt64(index)
            return WriteCharacteristics.Write(
                characteristic: CharacteristicReference(accessory: UUID(), iid: iid),
                value: value
            )
        }
    }

    @Test func writesAreTheSameWithAndWithoutACoder() throws {
        let protected = WriteCharacteristics.Write(
            characteristic: CharacteristicReference(accessory: UUID(), iid: 8),
            value: .bool(true),
            authorizationData: Data([1])
        )
        let step = WriteCharacteristics.Write(
            characteristic: CharacteristicReference(accessory: UUID(), iid: 9),
            .difference(.integer(5))
        )
        let all = Self.writes.map { [$0] } + [[], [protected], [step], Array(Self.writes.prefix(4)), Self.writes]
        for writes in all {
            let request = WriteCharacteristics(home: Self.home, writes: writes)
            let json = try MessageJSON.encode(request)
            #expect(try JSONDecoder().decode(WriteCharacteristics.self, from: json) == request)
            let coded = try JSONEncoder().encode(request)
            #expect(try MessageJSON.decode(WriteCharacteristics.self, from: coded) == request)
        }
        // The usual form needs no coder.
        let usual = WriteCharacteristics(home: Self.home, writes: [Self.writes[1], Self.writes[3]])
        let json = try #require(usual.plainJSON())
        #expect(WriteCharacteristics(plainJSON: json) == usual)
        #expect(WriteCharacteristics(home: Self.home, writes: [step]).plainJSON() == nil)
        #expect(WriteCharacteristics(home: Self.home, writes: [protected]).plainJSON() == nil)
    }

    @Test func resultsAreTheSameWithAndWithoutACoder() throws {
        let reference = CharacteristicReference(accessory: UUID(), iid: 11)
        var outcomes = Self.values.map { CharacteristicResults.Outcome(characteristic: reference, value: $0) }
        outcomes.append(CharacteristicResults.Outcome(characteristic: reference))
        let failed = CharacteristicResults.Outcome(characteristic: reference, error: HubError(.notWritable, "No."))
        for outcomes in outcomes.map({ [$0] }) + [[], outcomes, [failed], [outcomes[0], failed]] {
            let results = CharacteristicResults(outcomes: outcomes)
            let json = try MessageJSON.encode(results)
            #expect(try JSONDecoder().decode(CharacteristicResults.self, from: json) == results)
            let coded = try JSONEncoder().encode(results)
            #expect(try MessageJSON.decode(CharacteristicResults.self, from: coded) == results)
        }
        #expect(CharacteristicResults(outcomes: [failed]).plainJSON() == nil)
    }

    /// A text is read, or isn't, as with a coder.
    @Test func everyOtherFormIsLeftToTheCoder() throws {
        let (home, accessory) = (Self.home.uuidString, UUID().uuidString)
        let characteristic = #""characteristic":{"accessory":"\#(accessory)","iid":11}"#
        let write = #"{\#(characteristic),"value":true}"#
        var texts = [
            #"{"home":"\#(home)","writes":[\#(write)]}"#,
            #" { "writes" : [ { "value" : 5 , \#(characteristic) } ] , "home" : "\#(home.lowercased())" } "#,
            #"{"home":"\#(home)","writes":[\#(write)],"more":{"a":[1]}}"#,
            #"{"home":"\#(home)","writes":[{\#(characteristic),"value":1.5}]}"#,
            #"{"home":"\#(home)","writes":[{\#(characteristic),"value":null}]}"#,
            #"{"home":"\#(home)","writes":[{\#(characteristic),"value":{"base64":"AQ=="}}]}"#,
            #"{"home":"\#(home)","writes":[{\#(characteristic)}]}"#,
            #"{"home":"\#(home)","writes":[{"characteristic":{"accessory":"\#(accessory)","iid":-1},"value":1}]}"#,
            #"{"home":"\#(home.dropLast())","writes":[]}"#, #"{"home":"\#(home)","home":"\#(accessory)","writes":[]}"#,
            #"{"h\u006fme":"\#(home)","writes":[]}"#, #"{"home":"\#(home)","writes":[]} x"#, "[]", "{}", "",
        ]
        texts += texts[0].indices.map { String(texts[0][..<$0]) }
        for text in texts {
            let json = Data(text.utf8)
            let coded = try? JSONDecoder().decode(WriteCharacteristics.self, from: json)
            let read = try? MessageJSON.decode(WriteCharacteristics.self, from: json)
            #expect(read == coded, "\(text)")
        }
        // IDs have no other form.
        let broken = home.replacingOccurrences(of: "-", with: "+")
        #expect(WriteCharacteristics(plainJSON: Data(#"{"home":"\#(broken)","writes":[]}"#.utf8)) == nil)
    }
}
