import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The JSON of entries, which the journal stores and clients in other languages read.
struct EntryCodingTests {
    private let lamp = JournalObject(id: UUID(), name: "Lamp")
    private let lampType = HAPType.Characteristic.on

    private var contents: [(member: String, content: JournalContent)] {
        let value = JournalValue(
            accessory: lamp,
            service: "Socket",
            iid: 11,
            type: HAPType.Characteristic.on,
            value: .bool(true),
            previous: .bool(false)
        )
        return [
            ("value", .value(value)),
            ("failedWrite", .failedWrite(value, HubError(.notReachable, "No answer."))),
            ("change", .change(.roomAdded, objects: [lamp])),
            ("trigger", .trigger(lamp, .missed, event: nil, observations: [], due: Date(timeIntervalSince1970: 5))),
            ("scene", .scene(lamp, actions: 2, failures: 1)),
            ("reachability", .reachability(lamp, isReachable: false, reason: nil)),
            ("presence", .presence(JournalObject(id: lamp.id, name: "Ann", isUser: true), isHome: true)),
        ]
    }

    @Test func aContentIsAnObjectWithOneMemberThatNamesItsKind() throws {
        for (member, content) in contents {
            let json = try JSONEncoder().encode(content)
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: [String: Any]])
            #expect(Array(object.keys) == [member])
            #expect(object[member]?.keys.contains { $0.hasPrefix("_") } == false)
            #expect(try JSONDecoder().decode(JournalContent.self, from: json) == content)
            try expectSameJSON(content)
        }
        try expectSameJSON(.change(.roomRemoved, objects: []))
        try expectSameJSON(.change(.roomAdded, objects: [lamp, JournalObject(id: UUID(), name: "\"", isUser: true)]))
    }

    /// Expects that a content's JSON means the same as what a coder makes of it.
    private func expectSameJSON(_ content: JournalContent) throws {
        let (coded, written) = (try JSONEncoder().encode(content), Data(try content.json()))
        #expect(
            try JSONSerialization.jsonObject(with: written) as? NSDictionary
                == JSONSerialization.jsonObject(with: coded) as? NSDictionary
        )
        #expect(try JSONDecoder().decode(JournalContent.self, from: written) == content)
    }

    @Test func aValueHasTheSameJSONAsACoderMakes() throws {
        let values: [CharacteristicValue?] = [
            nil, .bool(true), .bool(false), .integer(-7), .integer(.max), .unsigned(.max), .double(21.5), .double(21),
            .double(1e-7), .string(""), .string("a \"quote\" \\ ü\n\u{1}"), .data([0, 255]),
        ]
        let names = ["Lamp", "The “Lamp” \"\\\t", "日本"]
        for (index, value) in values.enumerated() {
            let journalValue = JournalValue(
                accessory: JournalObject(id: UUID(), name: names[index % names.count], isUser: index == 0),
                service: [nil, "Socket", "\"\n"][index % 3],
                iid: index == 1 ? .max : 11,
                type: index == 2 ? HAPType("00000001-0000-4000-8000-48656172746E") ?? lampType : lampType,
                value: value,
                previous: values[values.count - 1 - index]
            )
            try expectSameJSON(.value(journalValue))
        }
        let impossible = JournalValue(
            accessory: lamp,
            service: nil,
            iid: 1,
            type: lampType,
            value: .double(.infinity)
        )
        #expect(throws: EncodingError.self) { try JournalContent.value(impossible).json() }
    }

    @Test(arguments: [
        0, -0.0, 21, 21.5, 0.1 + 0.2, 1e-5, 1e15, 1e16, .leastNonzeroMagnitude, -.greatestFiniteMagnitude,
    ])
    func aDecimalValueIsWrittenAsACoderDoes(_ number: Double) throws {
        let value = JournalValue(accessory: lamp, service: nil, iid: 1, type: lampType, value: .double(number))
        let json = String(decoding: try JournalContent.value(value).json(), as: UTF8.self)
        let coded = String(decoding: try JSONEncoder().encode(number), as: UTF8.self)
        #expect(json.contains(#""value":\#(coded)}"#))
    }

    @Test func aKindOfANewerVersionIsAnError() {
        let json = Data(#"{"eclipse": {"name": "Sun"}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JournalContent.self, from: json) }
    }

    @Test func onlyUsersAreMarked() throws {
        let object = String(decoding: try JSONEncoder().encode(lamp), as: UTF8.self)
        #expect(!object.contains("isUser"))
    }
}
