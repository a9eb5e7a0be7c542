import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI
import Testing

/// Why something happened, in sentences.
struct JournalSentenceTests {
    private let home = UUID()
    private let lamp = JournalObject(id: UUID(), name: "Desk Lamp")
    private let evening = JournalObject(id: UUID(), name: "Evening")
    private let ann = JournalObject(id: UUID(), name: "Ann", isUser: true)
    private let utc = TimeZone.gmt
    /// 22 November 2026.
    private let midnight = Date(timeIntervalSince1970: 1_795_305_600)

    private func at(_ hour: Int, _ minute: Int) -> Date { midnight + Double(hour * 3_600 + minute * 60) }

    private func entry(
        _ content: JournalContent,
        _ hour: Int = 19,
        _ minute: Int = 2,
        cause: Cause = .hub,
        person: String? = nil,
        app: String? = nil,
        names: [JournalObject] = []
    ) -> JournalEntry {
        JournalEntry(
            home: home,
            time: at(hour, minute),
            cause: cause,
            person: person,
            app: app,
            content: content,
            names: names
        )
    }

    private func value(
        _ type: HAPType = HAPType.Characteristic.on,
        _ value: CharacteristicValue = .bool(true),
        previous: CharacteristicValue? = nil
    ) -> JournalContent {
        .value(JournalValue(accessory: lamp, service: nil, iid: 11, type: type, value: value, previous: previous))
    }

    private func trigger(
        _ outcome: TriggerOutcome,
        _ occurrence: TriggerEvent.Occurrence? = nil,
        _ observations: [Observation] = [],
        due: Date? = nil
    ) -> JournalContent {
        let event = occurrence.map { TriggerEvent(id: UUID(), occurrence: $0) }
        return .trigger(evening, outcome, event: event, observations: observations, due: due)
    }

    private func text(_ chain: JournalEntry..., now: Date? = nil) -> String? {
        JournalSentence(timeZone: utc, now: now ?? at(20, 0)).explanation(chain)
    }

    private var scene: JournalContent { .scene(JournalObject(id: UUID(), name: "Cozy"), actions: 3, failures: 0) }
    private var annIsHome: Observation {
        Observation(.presence(Presence(.firstEntry, of: .users([ann.id]))), isTrue: true, present: [ann.id])
    }

    @Test func aLampThatAnAutomationSwitched() {
        let sunset = TriggerEvent.Occurrence.sun(SunMoment(.sunset, offset: 15))
        let fired = entry(trigger(.fired, sunset, [annIsHome], due: at(19, 2)), names: [ann])
        let own = entry(.scene(JournalObject(id: UUID(), name: ""), actions: 1, failures: 0))
        let lit = entry(value())
        #expect(
            text(lit, own, fired)
                == "Desk Lamp turned on at 19:02 because “Evening” ran: sunset at 18:47 plus 15 minutes, and Ann was home."
        )
        #expect(
            text(lit, entry(scene), fired)
                == "Desk Lamp turned on at 19:02 because “Evening” ran “Cozy”: sunset at 18:47 plus 15 minutes, and Ann was home."
        )
        #expect(
            text(entry(scene), fired)
                == "“Cozy” ran at 19:02 because “Evening” ran: sunset at 18:47 plus 15 minutes, and Ann was home."
        )
        #expect(text(fired) == "“Evening” ran at 19:02: sunset at 18:47 plus 15 minutes, and Ann was home.")
    }

    @Test func aTimerAndAnEarlySun() {
        let timer = entry(trigger(.fired, due: at(19, 0)))
        #expect(text(entry(value()), timer) == "Desk Lamp turned on at 19:02 because “Evening” ran: it was 19:00.")
        let early = entry(trigger(.fired, .sun(SunMoment(.sunrise, offset: -90)), due: at(6, 0)))
        #expect(text(early) == "“Evening” ran at 19:02: sunrise at 07:30 minus 1 hour and 30 minutes.")
    }

    @Test func aLampThatAPersonSwitched() {
        let lit = entry(value(), cause: .app, person: "Ann", app: "com.example.lights")
        #expect(text(lit) == "Desk Lamp turned on at 19:02 because Ann with “com.example.lights” asked for it.")
        let consent = entry(value(), cause: Cause(kind: .consent), person: "Ann", app: "com.example.lights")
        #expect(text(consent) == "Desk Lamp turned on at 19:02 because Ann with “com.example.lights” agreed to it.")
        let run = entry(scene, cause: .person, person: "Ann", app: "hearth")
        #expect(text(entry(value()), run) == "Desk Lamp turned on at 19:02 because Ann on the command line ran “Cozy”.")
        #expect(text(run) == "“Cozy” ran at 19:02 because Ann on the command line started it.")
        let former = entry(value(), cause: .person, app: "hearth")
        #expect(text(former) == "Desk Lamp turned on at 19:02 because someone on the command line asked for it.")
    }

    @Test func aLampThatSomebodyOperated() {
        #expect(
            text(entry(value(), cause: .accessory))
                == "Desk Lamp turned on at 19:02. That happened at the device, or another controller did it."
        )
        #expect(text(entry(value())) == "Desk Lamp turned on at 19:02.")
    }

    @Test func valuesHaveTheirWords() {
        let brightness = HAPType.Characteristic.brightness
        #expect(
            text(entry(value(brightness, .integer(40), previous: .integer(80))))
                == "Desk Lamp Brightness became 40 % at 19:02."
        )
        #expect(text(entry(value(previous: .bool(true)))) == "Desk Lamp was already on at 19:02.")
        #expect(
            text(entry(value(HAPType.Characteristic.lockCurrentState, .integer(0)), cause: .hub))
                == "Desk Lamp unlocked at 19:02."
        )
        let socket = JournalValue(
            accessory: lamp,
            service: "Socket",
            iid: 1,
            type: HAPType.Characteristic.on,
            value: .bool(false)
        )
        #expect(text(entry(.value(socket))) == "Socket turned off at 19:02.")
    }

    @Test func aWriteThatFailed() {
        let on = JournalValue(
            accessory: lamp,
            service: nil,
            iid: 1,
            type: HAPType.Characteristic.on,
            value: .bool(true)
        )
        let error = HubError(.notReachable, "Desk Lamp doesn't answer.")
        let failed = entry(.failedWrite(on, error), cause: .person, person: "Ann", app: "hearth")
        #expect(
            text(failed)
                == "The attempt to turn Desk Lamp on at 19:02 failed: Desk Lamp doesn't answer. Ann on the command line asked for it."
        )
        #expect(
            text(entry(.failedWrite(on, error)), entry(trigger(.fired, due: at(19, 0))))
                == "The attempt to turn Desk Lamp on at 19:02 failed: Desk Lamp doesn't answer. “Evening” ran: it was 19:00."
        )
    }

    @Test func aConditionThatWasFalse() {
        let sunset = Observation(.sun(.after, SunMoment(.sunset)), isTrue: false, moments: [at(16, 31)])
        let away = Observation(.presence(Presence(.firstEntry, of: .users([ann.id]))), isTrue: false, present: [])
        let door = TriggerEvent.Occurrence.calendar(CalendarMoment(hour: 16, minute: 2))
        let one = entry(trigger(.conditionFalse, door, [sunset, annIsHome]), 16, 2, names: [ann])
        #expect(
            text(one)
                == "“Evening” did not run at 16:02 because its condition was false: "
                + "it is after sunset (sunset was at 16:31 and it was 16:02)."
        )
        let both = entry(trigger(.conditionFalse, door, [sunset, away]), 16, 2, names: [ann])
        #expect(
            text(both)
                == "“Evening” did not run at 16:02 because its condition was false: "
                + "it is after sunset (sunset was at 16:31 and it was 16:02), and Ann is home (Ann was away)."
        )
        let value = Observation(
            .characteristic(
                CharacteristicIdentity(
                    accessory: lamp.id,
                    characteristic: UUID(),
                    type: HAPType.Characteristic.currentTemperature
                ),
                .less,
                .integer(18)
            ),
            isTrue: false,
            value: .double(19.5)
        )
        let warm = entry(trigger(.conditionFalse, door, [value]), 16, 2, names: [lamp])
        #expect(
            text(warm)
                == "“Evening” did not run at 16:02 because its condition was false: "
                + "Desk Lamp Temperature is below 18 °C (Desk Lamp Temperature was 19.5 °C)."
        )
        // A condition that is the opposite of something true.
        let not = entry(trigger(.conditionFalse, door, [annIsHome]), 16, 2, names: [ann])
        #expect(text(not) == "“Evening” did not run at 16:02 because its condition was false: Ann is home.")
    }

    @Test func whatDidNotRunForOtherReasons() {
        #expect(
            text(entry(trigger(.missed, due: at(19, 0)), 21, 0), now: at(22, 0))
                == "“Evening” did not run because the hub wasn't running at that time. It was due at 19:00."
        )
        #expect(
            text(entry(trigger(.interrupted, due: at(19, 0))))
                == "“Evening” was interrupted at 19:02 because the hub stopped while it ran."
        )
        #expect(
            text(entry(trigger(.begunByOtherHub, due: at(19, 0))))
                == "“Evening” was interrupted at 19:02 because the other hub began it and its outcome is unknown."
        )
        #expect(
            text(entry(trigger(.late)))
                == "“Evening” did not run at 19:02 because the hub could not agree with the other hub or the relay in time."
        )
        #expect(
            text(entry(trigger(.takeover)))
                == "“Evening” did not run at 19:02 because its event happened just as this hub took over from the other one."
        )
        #expect(
            text(entry(trigger(.loopStopped)))
                == "“Evening” did not run at 19:02 because it was part of a chain of automations that set each other off."
        )
        #expect(
            text(entry(trigger(TriggerOutcome(rawValue: "eclipse"))))
                == "“Evening” did not run at 19:02 because eclipse."
        )
    }

    @Test func anEndThatRestoredALamp() {
        let ended = entry(trigger(.ended, .duration(seconds: 600)))
        #expect(
            text(entry(value(HAPType.Characteristic.on, .bool(false))), ended)
                == "Desk Lamp turned off at 19:02 because “Evening” ended: 10 minutes had passed."
        )
    }

    @Test func anAutomationThatAnotherOneSetOff() {
        let run = entry(scene, 19, 1, cause: .person, person: "Ann", app: "hearth")
        let identity = CharacteristicIdentity(
            accessory: lamp.id,
            characteristic: UUID(),
            type: HAPType.Characteristic.on
        )
        let fired = entry(trigger(.fired, .characteristic(identity, .bool(true))), names: [lamp])
        #expect(
            text(entry(value(HAPType.Characteristic.on, .bool(false))), fired, run)
                == "Desk Lamp turned off at 19:02 because “Evening” ran: Desk Lamp turned on. "
                + "Before that: “Cozy” ran at 19:01 because Ann on the command line started it."
        )
    }

    @Test func anotherDayHasItsDate() {
        let lit = entry(value())
        #expect(text(lit, now: at(30, 0)) == "Desk Lamp turned on on 22 November at 19:02.")
        #expect(text(lit, now: at(24 * 60, 0)) == "Desk Lamp turned on on 22 November 2026 at 19:02.")
    }

    @Test func nothingHasNoSentence() {
        #expect(JournalSentence(timeZone: utc, now: midnight).explanation([]) == nil)
    }

    @Test func linesOfTheLog() {
        let sentence = JournalSentence(timeZone: utc, now: at(20, 0))
        func line(_ content: JournalContent) -> String { sentence.line(entry(content)) }
        #expect(line(.reachability(lamp, isReachable: true, reason: nil)) == "Desk Lamp can be reached again")
        #expect(
            line(.reachability(lamp, isReachable: false, reason: "No route."))
                == "Desk Lamp can't be reached because No route"
        )
        #expect(line(.presence(ann, isHome: true)) == "Ann arrived")
        #expect(line(.presence(ann, isHome: false)) == "Ann left")
        #expect(
            line(.change(.roomAdded, objects: [JournalObject(id: home, name: "Attic")])) == "The room “Attic” was added"
        )
        #expect(line(.change(.homePlaceChanged, objects: [])) == "The home's place was changed")
        #expect(line(.change(Verb(rawValue: "newVerb"), objects: [lamp])) == "NewVerb: “Desk Lamp”")
        let scene = JournalObject(id: home, name: "Cozy")
        #expect(
            line(.scene(scene, actions: 3, failures: 1)) == "“Cozy” ran, but 1 of its 3 actions failed"
        )
    }

    @Test func sourcesInFewWords() {
        let sentence = JournalSentence(timeZone: utc, now: at(20, 0))
        #expect(
            sentence.source(entry(value(), cause: .person, person: "Ann", app: "hearth")) == "Ann on the command line"
        )
        var remote = entry(value(), cause: .person, person: "Ann", app: "hearth")
        remote.device = "Laptop"
        #expect(sentence.source(remote) == "Ann on the command line of “Laptop”")
        remote.app = "Lights"
        #expect(sentence.source(remote) == "Ann with “Lights” on “Laptop”")
        remote.way = .near
        #expect(sentence.source(remote) == "Ann with “Lights” on “Laptop”")
        remote.way = .away
        #expect(sentence.source(remote) == "Ann with “Lights” on “Laptop”, away from home")
        #expect(sentence.source(entry(value(), cause: .accessory)) == "at the device or by another controller")
        #expect(sentence.source(entry(value()), causedBy: entry(scene)) == "“Cozy”")
        #expect(sentence.source(entry(value()), causedBy: entry(trigger(.fired))) == "“Evening”")
        #expect(sentence.source(entry(value())) == nil)
    }

    @Test func everyVerbOfAHomeHasAPhrase() {
        let ofAccounts: Set<Verb> = [
            .homeAdded, .homeRemoved, .homeRenamed, .primaryHomeChanged, .favoritesChanged, .appDecided, .appForgotten,
            .deviceAdded, .deviceRenamed, .deviceRemoved, .devicesConfirmed, .deviceKeysChanged,
        ]
        #expect(Set(Language.english.changes.keys) == Verb.known.subtracting(ofAccounts))
    }

    @Test func everyKindOfServiceHasAName() {
        #expect(Set(Language.english.kinds.keys) == Set(ServiceKind.allCases))
    }
}
