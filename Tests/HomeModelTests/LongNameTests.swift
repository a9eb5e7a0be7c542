import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// A log that was written under other rules, or was tampered with, may have names of any length.
@Suite struct LongNameTests {
    private static let id = UUID()
    private static let long = String(repeating: "x", count: 500_000)
    private static let cut = String(repeating: "x", count: HomeLimits.nameLength)

    /// Every record that has a name, with a name that exceeds the limit by far.
    private static var records: [Record] {
        let accessory = AccessoryRecord(
            id: id,
            name: long,
            reportedName: long,
            room: id,
            server: "A",
            aid: 1,
            category: .other,
            information: AccessoryInformation(),
            shape: ShapeID(rawValue: ""),
            serviceNames: [1: long]
        )
        return [
            .room(RoomRecord(id: id, name: long)), .zone(ZoneRecord(id: id, name: long)), .accessory(accessory),
            .user(UserRecord(id: id, name: long, role: .guest)),
            .serviceGroup(ServiceGroupRecord(id: id, name: long)),
            .actionSet(ActionSetRecord(id: id, name: long)),
            .trigger(TriggerRecord(id: id, name: long, definition: .unknown(.object([:])))),
            .accountHome(AccountHomeRecord(id: id, name: long, isPrimary: true, order: 1)),
        ]
    }

    @Test(arguments: 0..<8)
    func anOverlongNameIsShownShortened(_ index: Int) throws {
        let record = Self.records[index]
        let bytes = try CanonicalJSON.encode(record)
        let read = try CanonicalJSON.decode(Record.self, from: bytes)
        let text = String(decoding: try CanonicalJSON.encode(read), as: UTF8.self)
        #expect(bytes.count > 500_000 && text.utf8.count < 1_000)
        #expect(text.contains(#""name":"\#(Self.cut)""#))
        #expect(read.recordID == record.recordID)
    }

    @Test(arguments: ["x", "é", "e\u{301}", "客", "\u{1F600}", "👨‍👩‍👧‍👦", "a\u{301}\u{302}\u{303}"])
    func aShortenedNameIsNoLongerThanANameAndTheSameForEqualNames(_ part: String) {
        let name = NameRule.shortened(String(repeating: part, count: 1_000))
        #expect(name.precomposedStringWithCanonicalMapping.unicodeScalars.count <= HomeLimits.nameLength)
        #expect(!name.isEmpty)
        #expect(NameRule.shortened(name) == name)
    }

    @Test(arguments: ["Kitchen", String(repeating: "é", count: 64), String(repeating: "e\u{301}", count: 64), ""])
    func aNameThatIsNotTooLongIsKeptAsItWasWritten(_ name: String) {
        #expect(NameRule.shortened(name).unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test func aLogThatHoldsOneOpensAndCanBeRepaired() throws {
        var test = TestHome()
        let change = Change(verb: .roomAdded, subjects: [], effects: Self.records.map { .put($0) })
        test.home.apply(try CanonicalJSON.decode(Change.self, from: try change.payload()))
        #expect(test.home.rooms.map(\.name) == [Self.cut])
        for request: any HomeRequest in [
            RenameZone(Self.id, name: "Zone"), RenameAccessory(Self.id, name: "Accessory"),
            RenameServiceGroup(Self.id, name: "Group"), RenameActionSet(Self.id, name: "Scene"),
            RenameTrigger(Self.id, name: "Trigger"),
        ] {
            try test.ask(request)
        }
        try test.ask(RenameRoom(Self.id, name: "Room"))
        #expect(test.home.rooms.map(\.name) + test.home.zones.map(\.name) == ["Room", "Zone"])
        #expect(test.home.accessories.map(\.name) == ["Accessory"])
    }

    @Test func aNameThatIsOverlongInAChangeInMemoryDoesNoHarmEither() throws {
        var test = TestHome()
        let room = RoomRecord(id: UUID(), name: Self.long)
        test.home.apply(Change(verb: .roomAdded, subjects: [], effects: [.put(.room(room))]))
        try test.ask(RenameRoom(room.id, name: "Den"))
        #expect(test.home.rooms.map(\.name) == ["Den"])
    }
}
