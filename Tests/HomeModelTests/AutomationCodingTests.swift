import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// The JSON of groups, action sets and triggers, which must remain readable like that of all records.
@Suite struct AutomationCodingTests {
    private static let id = "00112233-4455-6677-8899-AABBCCDDEEFF"
    private static let other = "FFEEDDCC-BBAA-4988-B766-554433221100"
    private static let uuid = UUID(uuidString: id) ?? UUID()
    private static let otherUUID = UUID(uuidString: other) ?? UUID()
    private static let power = CharacteristicIdentity(
        accessory: uuid,
        characteristic: otherUUID,
        type: HAPType.Characteristic.on
    )
    private static let powerJSON = #"{"accessory":"\#(id)","characteristic":"\#(other)","type":"25"}"#

    private static func trigger(_ definition: TriggerDefinition, _ json: String) -> (Record, String) {
        (
            .trigger(
                TriggerRecord(id: uuid, name: "T", isEnabled: true, actionSets: [otherUUID], definition: definition)
            ),
            #"{"actionSets":["\#(other)"],"definition":\#(json),"id":"\#(id)","isEnabled":true,"kind":"trigger","#
                + #""name":"T"}"#
        )
    }

    private static func event(_ occurrence: TriggerEvent.Occurrence, _ json: String) -> (Record, String) {
        trigger(
            .event(EventRule(events: [TriggerEvent(id: uuid, occurrence: occurrence)])),
            #"{"event":{"events":[\#(json)]}}"#
        )
    }

    private static func condition(_ condition: Condition, _ json: String) -> (Record, String) {
        trigger(
            .event(EventRule(events: [], condition: condition)),
            #"{"event":{"condition":\#(json),"events":[]}}"#
        )
    }

    private static let records: [(Record, String)] = [
        (
            .serviceGroup(
                ServiceGroupRecord(
                    id: uuid,
                    name: "G",
                    services: [ServiceIdentity(accessory: uuid, service: otherUUID)]
                )
            ),
            #"{"id":"\#(id)","kind":"serviceGroup","name":"G","services":"#
                + #"[{"accessory":"\#(id)","service":"\#(other)"}]}"#
        ),
        (
            .actionSet(
                ActionSetRecord(
                    id: uuid,
                    name: "S",
                    type: .sleep,
                    actions: [Action(id: otherUUID, operation: .write(power, .bool(true)))]
                )
            ),
            #"{"actions":[{"id":"\#(other)","write":{"characteristic":\#(powerJSON),"value":true}}],"id":"\#(id)","#
                + #""kind":"actionSet","name":"S","type":"sleep"}"#
        ),
        trigger(
            .timer(TimerSchedule(fireDate: Date(timeIntervalSince1970: 60))),
            #"{"timer":{"fireDate":60000}}"#
        ),
        trigger(
            .timer(
                TimerSchedule(
                    fireDate: Date(timeIntervalSince1970: 60),
                    timeZone: "Asia/Tokyo",
                    recurrence: RecurrenceInterval(weeks: 1, days: 2, hours: 3, minutes: 4, seconds: 5)
                )
            ),
            #"{"timer":{"fireDate":60000,"recurrence":{"days":2,"hours":3,"minutes":4,"seconds":5,"weeks":1},"#
                + #""timeZone":"Asia/Tokyo"}}"#
        ),
        trigger(
            .timer(TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), calendar: "hebrew")),
            #"{"timer":{"calendar":"hebrew","fireDate":60000}}"#
        ),
        trigger(
            .event(
                EventRule(
                    events: [],
                    endEvents: [TriggerEvent(id: uuid, occurrence: .duration(seconds: 60))],
                    weekdays: [1, 7],
                    executesOnce: true
                )
            ),
            #"{"event":{"endEvents":[{"duration":60,"id":"\#(id)"}],"events":[],"executesOnce":true,"#
                + #""weekdays":[1,7]}}"#
        ),
        event(.characteristic(power, nil), #"{"characteristic":{"characteristic":\#(powerJSON)},"id":"\#(id)"}"#),
        event(
            .characteristic(power, .bool(false)),
            #"{"characteristic":{"characteristic":\#(powerJSON),"value":false},"id":"\#(id)"}"#
        ),
        event(
            .threshold(power, ThresholdRange(minimum: 1, maximum: nil)),
            #"{"id":"\#(id)","threshold":{"characteristic":\#(powerJSON),"range":{"minimum":1}}}"#
        ),
        event(.sun(SunMoment(.sunrise, offset: -5)), #"{"id":"\#(id)","sun":{"event":"sunrise","offset":-5}}"#),
        event(
            .calendar(CalendarMoment(month: 12, hour: 6)),
            #"{"calendar":{"hour":6,"month":12},"id":"\#(id)"}"#
        ),
        event(
            .calendar(CalendarMoment(hour: 6, second: 30, timeZone: "Asia/Tokyo", calendar: "hebrew")),
            #"{"calendar":{"calendar":"hebrew","hour":6,"second":30,"timeZone":"Asia/Tokyo"},"id":"\#(id)"}"#
        ),
        event(
            .presence(Presence(.everyEntry, of: .everyone)),
            #"{"id":"\#(id)","presence":{"kind":"everyEntry","people":"everyone"}}"#
        ),
        event(
            .presence(Presence(.everyEntry, of: .caller)),
            #"{"id":"\#(id)","presence":{"kind":"everyEntry","people":"caller"}}"#
        ),
        event(
            .presence(Presence(.lastExit, of: .users([otherUUID]))),
            #"{"id":"\#(id)","presence":{"kind":"lastExit","people":["\#(other)"]}}"#
        ),
        event(
            .location(
                LocationRegion(
                    identifier: "r",
                    latitude: 1,
                    longitude: 2,
                    radius: 3,
                    onEntry: true,
                    onExit: false,
                    user: otherUUID
                )
            ),
            #"{"id":"\#(id)","location":{"identifier":"r","latitude":1,"longitude":2,"onEntry":true,"onExit":false,"#
                + #""radius":3,"user":"\#(other)"}}"#
        ),
        condition(
            .all([.any([.calendar(.on, CalendarMoment(day: 1))]), .not(.sun(.after, SunMoment(.sunset)))]),
            #"{"all":[{"any":[{"calendar":{"moment":{"day":1},"side":"on"}}]},"#
                + #"{"not":{"sun":{"moment":{"event":"sunset","offset":0},"side":"after"}}}]}"#
        ),
        condition(
            .characteristic(power, .greaterOrEqual, .integer(3)),
            #"{"characteristic":{"characteristic":\#(powerJSON),"is":"greaterOrEqual","value":3}}"#
        ),
        condition(
            .betweenCalendar(CalendarMoment(hour: 1), CalendarMoment(hour: 2, minute: 3)),
            #"{"betweenCalendar":{"from":{"hour":1},"to":{"hour":2,"minute":3}}}"#
        ),
        condition(
            .betweenSun(SunMoment(.sunset), SunMoment(.sunrise, offset: 1)),
            #"{"betweenSun":{"from":{"event":"sunset","offset":0},"to":{"event":"sunrise","offset":1}}}"#
        ),
        condition(
            .presence(Presence(.firstEntry, of: .everyone)),
            #"{"presence":{"kind":"firstEntry","people":"everyone"}}"#
        ),
    ]

    @Test(arguments: records)
    func aRecordIsWrittenAsItAlwaysWas(_ record: Record, _ json: String) throws {
        #expect(String(decoding: try CanonicalJSON.encode(record), as: UTF8.self) == json)
        #expect(try CanonicalJSON.decode(Record.self, from: json.utf8) == record)
    }

    /// Parts of a trigger or an action set from a newer version survive changes by this version.
    @Test(arguments: [
        #"{"actions":[{"id":"\#(id)","play":{"song":"x"}}],"id":"\#(id)","kind":"actionSet","name":"S","type":"party"}"#,
        trigger(.unknown(.object(["tide": .integer(1)])), #"{"tide":1}"#).1,
        event(.unknown(.null), #"{"id":"\#(id)","tide":{"high":true}}"#).1,
        condition(.unknown(.null), #"{"all":[{"tide":"high"},{"not":{"moon":{"phase":0.5}}}]}"#).1,
    ])
    func whatIsNotUnderstoodWithinARecordIsKept(_ json: String) throws {
        let record = try CanonicalJSON.decode(Record.self, from: json.utf8)
        if case .unknown = record { Issue.record("\(record) is an unknown record") }
        #expect(String(decoding: try CanonicalJSON.encode(record), as: UTF8.self) == json)
    }

    @Test(arguments: [
        event(.unknown(.null), #"{"tide":{}}"#).1, event(.unknown(.null), #"{"id":"\#(id)","sun":5}"#).1,
        condition(.unknown(.null), #"{"all":5}"#).1, condition(.unknown(.null), "[]").1,
        trigger(.unknown(.null), #"{"timer":{}}"#).1,
        #"{"actions":[{}],"id":"\#(id)","kind":"actionSet","name":"S","type":"party"}"#,
    ])
    func aMangledRecordIsAnError(_ json: String) {
        #expect(throws: DecodingError.self) { try CanonicalJSON.decode(Record.self, from: json.utf8) }
    }

    @Test func aConditionThatIsNestedWithoutEndIsAnErrorAndNoTrap() {
        let depth = 100_000
        let json = String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        #expect(throws: (any Error).self) { try CanonicalJSON.decode(Condition.self, from: json.utf8) }
    }
}

/// The JSON of trigger edits, which clients in other languages write.
@Suite struct TriggerEditCodingTests {
    private static let id = "00112233-4455-6677-8899-AABBCCDDEEFF"
    private static let event = TriggerEvent(id: UUID(uuidString: id) ?? UUID(), occurrence: .duration(seconds: 60))

    @Test(arguments: [
        (TriggerEdit.fireDate(Date(timeIntervalSince1970: 60)), #"{"fireDate":60000}"#),
        (.timeZone("Asia/Tokyo"), #"{"timeZone":"Asia/Tokyo"}"#),
        (.timeZone(nil), #"{"timeZone":null}"#),
        (.recurrence(RecurrenceInterval(days: 1)), #"{"recurrence":{"days":1}}"#),
        (.recurrence(nil), #"{"recurrence":null}"#),
        (.events([event]), #"{"events":[{"duration":60,"id":"\#(id)"}]}"#),
        (.endEvents([]), #"{"endEvents":[]}"#),
        (
            .condition(.not(.sun(.after, SunMoment(.sunset)))),
            #"{"condition":{"not":{"sun":{"moment":{"event":"sunset","offset":0},"side":"after"}}}}"#
        ),
        (.condition(nil), #"{"condition":null}"#),
        (.weekdays([1, 7]), #"{"weekdays":[1,7]}"#),
        (.executesOnce(true), #"{"executesOnce":true}"#),
    ])
    func anEditNamesTheOneThingThatItChanges(_ edit: TriggerEdit, _ json: String) throws {
        #expect(String(decoding: try CanonicalJSON.encode(edit), as: UTF8.self) == json)
        #expect(try CanonicalJSON.decode(TriggerEdit.self, from: json.utf8) == edit)
    }

    @Test(arguments: ["{}", #"{"weekdays":[1],"executesOnce":true}"#, #"{"tide":1}"#, #"{"fireDate":null}"#, "[]"])
    func whatChangesNothingOrSeveralThingsIsAnError(_ json: String) {
        #expect(throws: DecodingError.self) { try CanonicalJSON.decode(TriggerEdit.self, from: json.utf8) }
    }
}
