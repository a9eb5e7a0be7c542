import Foundation
import HAPCatalog
import HomeModel
import HomeText
import Testing

struct TriggerSentenceTests {
    /// Names that were recorded, without a home.
    private struct RecordedNames: NameSource {
        func name(of characteristic: CharacteristicIdentity) -> CharacteristicName? {
            CharacteristicName(subject: "Old Lamp", type: characteristic.type)
        }
        func name(ofUser user: UUID) -> String? { "Ann" }
        func name(ofActionSet actionSet: UUID) -> String? { "Evening" }
    }

    private let recorded = TriggerSentence(names: RecordedNames(), timeZone: TextHome.utc)

    private func identity(_ type: HAPType) -> CharacteristicIdentity {
        CharacteristicIdentity(accessory: UUID(), characteristic: UUID(), type: type)
    }

    private func event(_ occurrence: TriggerEvent.Occurrence) -> TriggerEvent {
        TriggerEvent(id: UUID(), occurrence: occurrence)
    }

    @Test func sentenceSaysWhenAndWhat() throws {
        let home = TextHome.shared
        let text = "when Hall Motion detects motion if it is dark for 10 minutes"
        let sentence = home.sentence.text(try home.parse(text), actionSets: [])
        #expect(sentence == "When Hall Motion detects motion, if it is dark, run nothing yet for 10 minutes.")
        let weekdays = recorded.text(try home.parse("at 19:00 on weekdays"), actionSets: [UUID()])
        #expect(weekdays == "At 19:00 on weekdays, run “Evening”.")
    }

    @Test func scenesOfTheHomeHaveTheirNames() throws {
        let home = TextHome.shared
        let scenes = home.home.actionSets.prefix(2)
        let trigger = TriggerRecord(
            id: UUID(),
            name: "Night",
            actionSets: scenes.map(\.id) + [UUID()],
            definition: try home.parse("at 22:00")
        )
        let names = scenes.map { "“\($0.name)”" }.joined(separator: ", ")
        #expect(home.sentence.text(trigger) == "At 22:00, run \(names) and a missing scene.")
    }

    @Test func recordedEventIsToldInThePast() {
        let on = event(.characteristic(identity(HAPType.Characteristic.on), .bool(true)))
        #expect(recorded.event(on, .past) == "Old Lamp turned on")
        #expect(recorded.event(on) == "when Old Lamp turns on")
        let brightness = event(.characteristic(identity(HAPType.Characteristic.brightness), .integer(20)))
        #expect(recorded.event(brightness, .past) == "Old Lamp Brightness became 20 %")
        let temperature = identity(HAPType.Characteristic.currentTemperature)
        let range = event(.threshold(temperature, ThresholdRange(minimum: 25, maximum: nil)))
        #expect(recorded.event(range, .past) == "Old Lamp Temperature rose to 25 °C or more")
        #expect(recorded.event(event(.presence(Presence(.lastExit, of: .everyone))), .past) == "the last person left")
    }

    @Test func recordedConditionIsToldInThePast() {
        let term = Condition.all([
            .presence(Presence(.firstEntry, of: .users([UUID()]))),
            .betweenSun(SunMoment(.sunset), SunMoment(.sunrise)),
            .characteristic(identity(HAPType.Characteristic.motionDetected), .equal, .bool(true)),
        ])
        #expect(recorded.condition(term, .past) == "Ann was home and it was dark and Old Lamp detected motion")
    }

    @Test func factsSayWhatDecidedATerm() {
        let now = Date(timeIntervalSince1970: 16 * 3_600 + 120)
        let sunset = Date(timeIntervalSince1970: 16 * 3_600 + 31 * 60)
        let sun = Observation(.sun(.after, SunMoment(.sunset)), isTrue: false, moments: [sunset])
        #expect(recorded.facts(sun, at: now, .past) == "sunset was at 16:31 and it was 16:02")
        let polar = Observation(.sun(.after, SunMoment(.sunset)), isTrue: false)
        #expect(recorded.facts(polar, at: now) == "the sun doesn't rise or set and it is 16:02")
        let temperature = identity(HAPType.Characteristic.currentTemperature)
        let cold = Observation(.characteristic(temperature, .less, .integer(18)), isTrue: false, value: .double(19))
        #expect(recorded.facts(cold, at: now) == "Old Lamp Temperature is 19 °C")
        let unknown = Observation(.characteristic(temperature, .less, .integer(18)), isTrue: false)
        #expect(recorded.facts(unknown, at: now) == "the value of Old Lamp Temperature is not known")
        let on = identity(HAPType.Characteristic.on)
        #expect(
            recorded.facts(
                Observation(.characteristic(on, .equal, .bool(true)), isTrue: true, value: .bool(true)),
                at: now
            ) == nil
        )
        let nobody = Observation(.presence(Presence(.firstEntry, of: .everyone)), isTrue: false, present: [])
        #expect(recorded.facts(nobody, at: now, .past) == "nobody was home")
        let someone = Observation(.presence(Presence(.lastExit, of: .everyone)), isTrue: false, present: [UUID()])
        #expect(recorded.facts(someone, at: now, .past) == "Ann was home")
    }

    @Test func whatIsMissingOrNewIsSaidSo() {
        let home = TextHome.shared
        let lost = identity(HAPType.Characteristic.on)
        #expect(
            home.sentence.event(event(.characteristic(lost, .bool(true)))) == "when a missing characteristic changes"
        )
        let region = LocationRegion(
            identifier: "r",
            latitude: 1,
            longitude: 2,
            radius: 3,
            onEntry: true,
            onExit: false,
            user: home.ann
        )
        #expect(home.sentence.event(event(.location(region))) == "when Ann comes within 3 m of 1, 2")
        let hidden = HiddenLocation(onEntry: true, onExit: true, user: nil)
        #expect(home.sentence.event(event(.hiddenLocation(hidden))) == "when someone enters or leaves a region")
        #expect(home.sentence.when(.unknown(.null)) == "at a time of a newer version")
        #expect(home.sentence.event(event(.unknown(.null))) == "when an event of a newer version")
        #expect(home.sentence.condition(.unknown(.null)) == "a condition of a newer version")
        #expect(home.sentence.condition(.all([])) == "always")
    }

    @Test func secondsZonesAndCalendarsOfAppsAreSaid() {
        let sentence = TextHome.shared.sentence
        #expect(sentence.text(CalendarMoment(hour: 7, minute: 30, second: 5)) == "07:30:05")
        #expect(sentence.text(CalendarMoment(hour: 7, minute: 30, timeZone: "Europe/Berlin")) == "07:30 Europe/Berlin")
        #expect(sentence.text(CalendarMoment(hour: 7, minute: 30, timeZone: "UTC", calendar: "gregorian")) == "07:30")
        let hebrew = CalendarMoment(month: 13, day: 1, hour: 7, calendar: "hebrew")
        #expect(sentence.text(hebrew) == "the calendar time month 13, day 1, hour 7, hebrew")
        #expect(sentence.text(CalendarMoment(year: 2030, month: 1)) == "the calendar time year 2030, month 1")
    }

    @Test func actionIsACommand() throws {
        let home = TextHome.shared
        func text(_ type: HAPType, of name: String, _ value: CharacteristicValue) throws -> String {
            try home.sentence.text(Action(id: UUID(), operation: .write(home.characteristic(type, of: name), value)))
        }
        #expect(try text(HAPType.Characteristic.on, of: "Desk Lamp", .bool(true)) == "turn Desk Lamp on")
        #expect(
            try text(HAPType.Characteristic.brightness, of: "Desk Lamp", .integer(20))
                == "set Desk Lamp Brightness to 20 %"
        )
        #expect(try text(HAPType.Characteristic.lockTargetState, of: "Front Door", .integer(0)) == "unlock Front Door")
        #expect(try text(HAPType.Characteristic.targetDoorState, of: "Garage Door", .integer(1)) == "close Garage Door")
    }

    @Test func bracesInANameStay() {
        struct Braces: NameSource {
            func name(of characteristic: CharacteristicIdentity) -> CharacteristicName? {
                CharacteristicName(subject: "{value}", type: characteristic.type)
            }
            func name(ofUser user: UUID) -> String? { "{people}" }
            func name(ofActionSet actionSet: UUID) -> String? { "{name}" }
        }
        let sentence = TriggerSentence(names: Braces(), timeZone: TextHome.utc)
        let brightness = event(.characteristic(identity(HAPType.Characteristic.brightness), .integer(20)))
        #expect(sentence.event(brightness) == "when {value} Brightness becomes 20 %")
    }
}
