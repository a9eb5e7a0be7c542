import Foundation
import HAPCatalog
import HubAPI
import Testing

/// The encoding of values in messages: grouped by accessory, in the order in which they were reported.
struct ValueMessageTests {
    private static let home = UUID()
    private static let lamp = UUID()
    private static let door = UUID()

    private static let values: [CharacteristicValue] = [
        .bool(true), .bool(false), .integer(0), .integer(-7), .integer(.max), .integer(.min), .unsigned(.max),
        .double(0.1), .double(-2.5e300), .string(""), .string("Küche ☕️ /"), .string("a \"b\" \\ \n \u{1}"),
        .data([]), .data([0, 255, 10]),
    ]

    private static func update(_ accessory: UUID, _ iid: UInt64, _ value: CharacteristicValue?) -> ValueUpdate {
        ValueUpdate(
            home: home,
            characteristic: CharacteristicReference(accessory: accessory, iid: iid),
            value: value
        )
    }

    private static func read(_ payload: String, _ name: HubEvent.Name = .values) throws -> HubEvent {
        try HubEvent(name: name, payload: Data(payload.utf8))
    }

    private static func readBack(_ event: HubEvent) throws -> HubEvent {
        let line = try WireMessage.line(event).dropLast()
        guard case .event(let read) = try WireMessage.message(from: line) else { throw CancellationError() }
        return read
    }

    @Test func everyKindOfValueIsReadAsWritten() throws {
        let updates = Self.values.enumerated().map { Self.update(Self.lamp, UInt64($0), $1) }
        #expect(try Self.readBack(.values(updates)) == .values(updates))
        var known = KnownValues()
        for update in updates { known[update.characteristic, in: update.home] = update.value }
        let present = LiveSnapshot(values: known, reachability: [])
        #expect(try Self.readBack(.resumed(present)) == .resumed(present))
    }

    @Test func updatesKeepTheirOrderThoughACharacteristicRepeats() throws {
        let updates = [
            Self.update(Self.lamp, 9, .bool(true)), Self.update(Self.lamp, 3, .integer(1)),
            Self.update(Self.lamp, 9, nil), Self.update(Self.door, 9, .integer(2)),
            Self.update(Self.lamp, 9, .bool(false)), Self.update(Self.lamp, .max, .integer(3)),
        ]
        #expect(try Self.readBack(.values(updates)) == .values(updates))
    }

    @Test func valuesAreWrittenOnceForEachAccessory() throws {
        let updates = [Self.update(Self.lamp, 10, .bool(true)), Self.update(Self.lamp, 11, .integer(50))]
        let payload = String(decoding: try HubEvent.values(updates).payload(), as: UTF8.self)
        let values = #"{"10":true,"11":50}"#
        #expect(payload == #"{"values":[{"home":"\#(Self.home)","accessory":"\#(Self.lamp)","values":\#(values)}]}"#)
    }

    @Test func membersComeInAnyOrderAndUnknownOnesArePassedOver() throws {
        let group = """
             { "new" : [ { "a" : "]" } ] , "values" : { "7" : 1.5 , "8" : null } , "accessory" : "\(Self.lamp)" ,
            "home" : "\(Self.home)" }
            """
        let event = try Self.read("{ \"values\" : [ \(group) ] , \"also\" : null }")
        #expect(event == .values([Self.update(Self.lamp, 7, .double(1.5)), Self.update(Self.lamp, 8, nil)]))
    }

    @Test func homesAreWrittenByTheirIdentity() throws {
        let log = Snapshot.Log(lineage: UUID(), revision: 3, records: [])
        let snapshot = Snapshot(account: log, homes: [Self.home: log], values: KnownValues(), reachability: [])
        let payload = try HubEvent.reset(snapshot).payload()
        #expect(String(decoding: payload, as: UTF8.self).contains(#""homes":{"\#(Self.home)":{"#))
        #expect(try Self.readBack(.reset(snapshot)) == .reset(snapshot))
        let hello = Hello(app: "com.example", purpose: "", seen: LogCursors(snapshot))
        let json = try JSONEncoder().encode(hello)
        #expect(String(decoding: json, as: UTF8.self).contains(#""homes":{"\#(Self.home)":{"#))
        #expect(try JSONDecoder().decode(Hello.self, from: json) == hello)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"values":{}}"#, #"{"values":[1]}"#, #"{"values":[{}]}"#, #"{"values":[GROUP"#,
        #"{"values":[GROUP,]}"#, #"{"values":[GROUP GROUP]}"#, #"{"values":[GROUP]]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP"}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":[]}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"x":1}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"-1":1}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"1":}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"1":01}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"1":truely}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"1":[1]}}]}"#,
        #"{"values":[{"home":"HOME","accessory":"LAMP","values":{"1":{"base64":"?"}}}]}"#,
        #"{"values":[{"home":"x","accessory":"LAMP","values":{"1":1}}]}"#,
    ])
    func whatIsNoValuesIsRefused(payload: String) {
        let text =
            payload
            .replacing("GROUP", with: #"{"home":"HOME","accessory":"LAMP","values":{"1":1}}"#)
            .replacing("HOME", with: Self.home.uuidString)
            .replacing("LAMP", with: Self.lamp.uuidString)
        #expect(throws: DecodingError.self) { try Self.read(text) }
    }

    @Test func whatIsKnownFollowsUpdatesAndForgetsWhatGoes() {
        var known = KnownValues()
        let (first, second) = (Self.update(Self.lamp, 1, .bool(true)), Self.update(Self.door, 1, .integer(4)))
        for update in [first, second] { known[update.characteristic, in: update.home] = update.value }
        #expect(Set(known.updates) == [first, second])
        var news = known
        news.subtract(known)
        #expect(news.isEmpty)
        var other = known
        other[second.characteristic, in: Self.home] = .integer(5)
        news = known
        news.subtract(other)
        #expect(news.updates == [second])
        known.remove(accessories: [Self.lamp], in: Self.home)
        #expect(known.updates == [second])
        #expect(known.filter { $0 != Self.home }.isEmpty)
        known[second.characteristic, in: Self.home] = nil
        #expect(known == KnownValues())
        other.remove(home: Self.home)
        #expect(other.isEmpty)
    }
}
