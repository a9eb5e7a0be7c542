import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// The JSON of logs, which must remain readable for years.
@Suite struct CodingTests {
    private static let id = "00112233-4455-6677-8899-AABBCCDDEEFF"
    private static let other = "FFEEDDCC-BBAA-4988-B766-554433221100"
    private static let uuid = UUID(uuidString: id) ?? UUID()
    private static let otherUUID = UUID(uuidString: other) ?? UUID()

    private static let records: [(Record, String)] = [
        (
            .home(HomeRecord(id: uuid, defaultRoom: otherUUID)),
            #"{"defaultRoom":"\#(other)","id":"\#(id)","kind":"home"}"#
        ),
        (
            .user(UserRecord(id: uuid, name: "Ann", role: .owner)),
            #"{"id":"\#(id)","kind":"user","name":"Ann","role":"owner"}"#
        ),
        (
            .user(UserRecord(id: uuid, name: "Bob", role: .guest, isSuspended: true)),
            #"{"id":"\#(id)","isSuspended":true,"kind":"user","name":"Bob","role":"guest"}"#
        ),
        (
            .room(RoomRecord(id: uuid, name: "Kids’ Room")),
            #"{"id":"\#(id)","kind":"room","name":"Kids’ Room"}"#
        ),
        (
            .zone(ZoneRecord(id: uuid, name: "Up", rooms: [otherUUID])),
            #"{"id":"\#(id)","kind":"zone","name":"Up","rooms":["\#(other)"]}"#
        ),
        (
            .accountHome(AccountHomeRecord(id: uuid, name: "Home", isPrimary: true, order: 1)),
            #"{"id":"\#(id)","isPrimary":true,"kind":"accountHome","name":"Home","order":1}"#
        ),
        (
            .accountApp(AccountAppRecord(id: "com.example", purpose: "To see.", isAllowed: true)),
            #"{"id":"com.example","isAllowed":true,"kind":"accountApp","purpose":"To see."}"#
        ),
        (
            .shape(ShapeRecord(id: ShapeID(rawValue: "ab"), services: [.lightbulb(iid: 10, reportedName: "Bulb")])),
            #"{"id":"ab","kind":"shape","services":[{"characteristics":["#
                + #"{"iid":11,"metadata":{"format":"bool"},"permissions":["pr","pw"],"type":"25"},"#
                + #"{"iid":12,"metadata":{"format":"int"},"permissions":["pr"],"type":"8"}],"#
                + #""iid":10,"isPrimary":true,"reportedName":"Bulb","type":"43"}]}"#
        ),
        (
            .accessory(
                AccessoryRecord(
                    id: uuid,
                    name: "Lamp",
                    reportedName: "Lamp-1",
                    room: otherUUID,
                    server: "AA:BB:CC:DD:EE:FF",
                    aid: .max,
                    category: .lightbulb,
                    information: AccessoryInformation(model: "M"),
                    shape: ShapeID(rawValue: "ab")
                )
            ),
            #"{"aid":18446744073709551615,"category":5,"id":"\#(id)","information":{"model":"M"},"kind":"accessory","#
                + #""name":"Lamp","reportedName":"Lamp-1","room":"\#(other)","server":"AA:BB:CC:DD:EE:FF","shape":"ab"}"#
        ),
        (
            .accessory(
                AccessoryRecord(
                    id: uuid,
                    name: "Lamp",
                    reportedName: "Lamp-1",
                    room: otherUUID,
                    server: "A",
                    aid: 1,
                    bridge: otherUUID,
                    isBridge: true,
                    category: .other,
                    information: AccessoryInformation(),
                    shape: ShapeID(rawValue: "ab"),
                    serviceNames: [10: "Bulb", 9: "Sun"],
                    associatedTypes: [10: HAPType.Service.fan],
                    fixedIDs: [.max: uuid],
                    isAbsent: true,
                    isBlocked: true
                )
            ),
            #"{"aid":1,"associatedTypes":{"10":"40"},"bridge":"\#(other)","category":1,"fixedIDs":{"18446744073709551615":"\#(id)"},"id":"\#(id)","#
                + #""information":{},"isAbsent":true,"isBlocked":true,"isBridge":true,"kind":"accessory","name":"Lamp","#
                + #""reportedName":"Lamp-1","room":"\#(other)","server":"A","serviceNames":{"10":"Bulb","9":"Sun"},"#
                + #""shape":"ab"}"#
        ),
    ]

    @Test(arguments: records)
    func aRecordIsWrittenAsItAlwaysWas(_ record: Record, _ json: String) throws {
        #expect(String(decoding: try CanonicalJSON.encode(record), as: UTF8.self) == json)
        #expect(try CanonicalJSON.decode(Record.self, from: json.utf8) == record)
    }

    @Test(arguments: [
        #"{"kind":"scene","id":"s1","n":-5,"big":18446744073709551615,"x":1.5,"t":true,"z":null,"l":[1,[],{"a":"b"}]}"#,
        #"{"kind":"scene","id":"","name":"Ä\n\u0000"}"#, #"{"kind":"","id":"x"}"#,
    ])
    func aRecordOfAnUnknownKindSurvives(_ json: String) throws {
        let record = try CanonicalJSON.decode(Record.self, from: json.utf8)
        guard case .unknown(let kind, let id, _) = record else {
            Issue.record("\(record) is not an unknown record")
            return
        }
        #expect(record.recordID == RecordID(kind: kind, id: id))
        let written = try CanonicalJSON.encode(record)
        #expect(try CanonicalJSON.decode(Record.self, from: written) == record)
        #expect(
            try CanonicalJSON.decode(JSONValue.self, from: written)
                == CanonicalJSON.decode(JSONValue.self, from: json.utf8)
        )
    }

    @Test(arguments: [
        "{}", "[]", "1", #"{"kind":"room"}"#, #"{"kind":"room","id":"x","name":"A"}"#, #"{"kind":"scene"}"#,
        #"{"kind":"scene","id":5}"#, #"{"kind":5,"id":"x"}"#,
        #"{"aid":-1,"category":5,"id":"\#(id)","information":{},"kind":"accessory","name":"","reportedName":"","room":"\#(id)","server":"","shape":""}"#,
        #"{"aid":1,"category":5,"fixedIDs":{"x":"\#(id)"},"id":"\#(id)","information":{},"kind":"accessory","name":"","reportedName":"","room":"\#(id)","server":"","shape":""}"#,
    ])
    func aMangledRecordIsAnError(_ json: String) {
        #expect(throws: DecodingError.self) { try CanonicalJSON.decode(Record.self, from: json.utf8) }
    }

    @Test func aChangeIsWrittenAsItAlwaysWas() throws {
        let change = Change(
            verb: .roomRemoved,
            subjects: [Self.uuid],
            effects: [
                .put(.room(RoomRecord(id: Self.uuid, name: "A"))), .remove(RecordID(.room, Self.otherUUID)),
                .remove(RecordID(ShapeID(rawValue: "ab"))),
            ]
        )
        let json =
            #"{"effects":[{"put":{"id":"\#(Self.id)","kind":"room","name":"A"}},"#
            + #"{"remove":{"id":"\#(Self.other)","kind":"room"}},{"remove":{"id":"ab","kind":"shape"}}],"#
            + #""subjects":["\#(Self.id)"],"verb":"roomRemoved"}"#
        #expect(String(decoding: try change.payload(), as: UTF8.self) == json)
        #expect(try CanonicalJSON.decode(Change.self, from: json.utf8) == change)
    }

    /// A payload combines records that are encoded once for the payload and for the store's rows.
    @Test(arguments: ["roomPainted", "“quoted”", "a\"b\\c/d\n\u{7F}\u{0}", "", "/"])
    func aPayloadIsTheJSONOfItsChange(_ verb: String) throws {
        let change = Change(
            verb: Verb(rawValue: verb),
            subjects: [Self.uuid, Self.otherUUID],
            effects: Self.records.flatMap { record, _ in
                [.put(record), .remove(record.recordID), .remove(RecordID(kind: RecordKind(rawValue: verb), id: verb))]
            }
        )
        #expect(try change.payload() == CanonicalJSON.encode(change))
        let none = Change(verb: .roomAdded, subjects: [], effects: [])
        #expect(try none.payload() == CanonicalJSON.encode(none))
    }

    // MARK: Entries

    private static func entry(payload: [UInt8] = Array(#"{"x":1}"#.utf8)) -> Entry {
        let draft = EntryDraft(
            log: .home(uuid),
            entryID: otherUUID,
            caller: Caller(user: uuid, device: uuid, app: "com.example/“a”\n", client: otherUUID),
            cause: Cause(kind: .trigger, subject: uuid),
            time: Date(timeIntervalSince1970: 1_700_000_000.123_456),
            change: Change(verb: .roomAdded, subjects: [], effects: []),
            expectedRevision: 0
        )
        return Entry(draft, payload: payload, lineage: otherUUID, revision: 7, previousHash: .none)
    }

    @Test func anEntryIsWrittenAsItAlwaysWas() throws {
        let text =
            #"{"app":"com.example/“a”\n","cause":{"kind":"trigger","subject":"\#(Self.id)"},"client":"\#(Self.other)","#
            + #""device":"\#(Self.id)","entry":"\#(Self.other)","generation":0,"lineage":"\#(Self.other)","#
            + #""log":"home/\#(Self.id)","previous":"\#(String(repeating: "0", count: 64))","revision":7,"#
            + #""signature":"","time":1700000000123,"user":"\#(Self.id)","version":1}"# + "\n" + #"{"x":1}"#
        #expect(String(decoding: try Self.entry().encoded(), as: UTF8.self) == text)
        #expect(try Entry(encoded: Array(text.utf8)) == Self.entry())
    }

    @Test(arguments: [[], [10], [0, 255, 10, 10], Array("{ \"spaces\" : 1 }".utf8)] as [[UInt8]])
    func aPayloadIsKeptAsItWasWritten(_ payload: [UInt8]) throws {
        let entry = Self.entry(payload: payload)
        let read = try Entry(encoded: try entry.encoded())
        #expect(read == entry)
        #expect(read.payload == payload)
        #expect(throws: EntryError.self) { try read.change() }
    }

    @Test func anEntryOfALaterFormatIsToldFromADamagedOne() throws {
        var later = Self.entry()
        later.formatVersion = 2
        let encoded = try later.encoded()
        let error = #expect(throws: EntryError.self) { try Entry(encoded: encoded) }
        #expect(error?.code == .futureFormat)
        for damaged in ["", "{}", "{}\n", "\n", "x\n{}", #"{"version":1}"# + "\n{}"] {
            let error = #expect(throws: EntryError.self) { try Entry(encoded: Array(damaged.utf8)) }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [0, 0.0004, -0.5, 1_700_000_000.999_9, 1e300, -1e300, .infinity, -.infinity, .nan])
    func anEntrysTimeIsKeptToTheMillisecond(_ seconds: Double) throws {
        var draft = EntryDraft(
            log: .home(UUID()),
            entryID: UUID(),
            caller: Caller(user: UUID(), device: UUID(), app: "", client: UUID()),
            cause: .hub,
            time: Date(timeIntervalSince1970: seconds),
            change: Change(verb: .roomAdded, subjects: [], effects: []),
            expectedRevision: 0
        )
        draft.time = Date(timeIntervalSince1970: seconds)
        let entry = Entry(draft, payload: [], lineage: UUID(), revision: 1, previousHash: .none)
        let read = try Entry(encoded: try entry.encoded())
        #expect(read == entry)
        if abs(seconds) < 1e10 { #expect(abs(read.time.timeIntervalSince1970 - seconds) <= 0.000_501) }
    }

    @Test func everyPrefixAndEveryFlippedByteOfAnEntryIsReadOrRefused() throws {
        let encoded = try Self.entry().encoded()
        for length in 0..<encoded.count { _ = try? Entry(encoded: Array(encoded[..<length])) }
        for index in encoded.indices {
            var flipped = encoded
            flipped[index] ^= 0x5A
            _ = try? Entry(encoded: flipped).change()
        }
    }

    @Test(arguments: ["home/\(id)", "account/\(id)"])
    func aLogHasAText(_ text: String) throws {
        let log = try #require(LogID(text))
        #expect(log.description == text)
        #expect(try CanonicalJSON.decode(LogID.self, from: CanonicalJSON.encode(log)) == log)
    }

    @Test(arguments: ["", "home", "home/", "room/\(id)", "home/\(id)/", "home/x", "/\(id)"])
    func anyOtherTextIsNoLog(_ text: String) {
        #expect(LogID(text) == nil)
    }

    @Test func aHashIsReadFromItsHexOnly() {
        let hex = String(repeating: "0f", count: 32)
        #expect(EntryHash(hex)?.description == hex)
        #expect(EntryHash(hex.uppercased())?.description == hex)
        for text in ["", "0f", hex + "0", hex + "00", String(repeating: "xy", count: 32)] {
            #expect(EntryHash(text) == nil)
        }
    }
}
