import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The JSON of entries, which the journal stores and clients in other languages read.
struct EntryCodingTests {
    private let lamp = JournalObject(id: UUID(), name: "Lamp")

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
        }
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
