import Foundation
import HAPCatalog
import HomeModel
import Testing

@testable import Automations

/// Changes of homes, and what they cost.
@Suite struct HomeUpdateTests {
    private let lamp = characteristic(.Characteristic.on)

    @Test func editedTriggerFiresAtItsNewTimeOnly() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .calendar(CalendarMoment(hour: 19)))
        test.now = try date("2026-11-22 20:00:10")
        try test.edit(trigger) { record in
            let event = TriggerEvent(id: UUID(), occurrence: .calendar(CalendarMoment(hour: 20)))
            record.definition = .event(EventRule(events: [event]))
        }
        // An edit shortly after a time doesn't fire for it.
        #expect(test.engine.nextWake == (try date("2026-11-23 20:00")))
    }

    @Test func renamedTriggerStillFiresWhatIsDue() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .calendar(CalendarMoment(hour: 19)))
        test.now = try date("2026-11-22 19:00:01")
        try test.edit(trigger) { $0.name = "Evening" }
        test.home.apply(
            Change(
                verb: .homePlaceChanged,
                subjects: [],
                effects: [.put(.home(HomeRecord(id: test.home.id, defaultRoom: UUID(), place: nil)))]
            )
        )
        test.engine.update(test.home, at: test.now)
        #expect(test.jump(to: test.now).map(\.outcome) == [.fire])
    }

    @Test func newPlaceMovesTheSun() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"), place: nil)
        _ = test.add(on: .sun(SunMoment(.sunset)))
        #expect(test.engine.nextWake == nil)
        for place in [berlin, Place(latitude: 40.4, longitude: -3.7)] {
            test.put(.home(HomeRecord(id: test.home.id, defaultRoom: UUID(), place: place)))
            #expect(test.engine.nextWake == SunMoment(.sunset).next(after: test.now, at: place))
        }
    }

    @Test func removedTriggersAndHomesLeaveNothing() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let region = LocationRegion(
            identifier: "",
            latitude: 0,
            longitude: 0,
            radius: 100,
            onEntry: true,
            onExit: true,
            user: test.ann
        )
        let occurrences: [TriggerEvent.Occurrence] = [
            .calendar(CalendarMoment(hour: 19)), .sun(SunMoment(.sunrise)), .characteristic(lamp, nil),
            .characteristic(lamp, .bool(true)), .threshold(lamp, ThresholdRange(minimum: 1, maximum: nil)),
            .presence(Presence(.everyEntry, of: .everyone)), .location(region),
        ]
        for isHomeRemoved in [false, true] {
            let triggers =
                occurrences.map { test.add(on: $0, until: $0) } + [
                    test.add(.timer(TimerSchedule(fireDate: try date("2026-11-23 12:00"))))
                ]
            for trigger in triggers { test.engine.began(trigger, in: test.home.id, at: test.now) }
            #expect(test.engine.queue.count == 5)
            if isHomeRemoved {
                test.engine.remove(home: test.home.id)
            } else {
                for trigger in triggers { test.remove(trigger) }
            }
            #expect(test.engine.queue.count == 0)
            #expect(test.engine.triggers.isEmpty)
            #expect(test.engine.presences.isEmpty)
            #expect(test.engine.locations.isEmpty)
            #expect(!test.engine.watches(accessory: lamp.accessory))
        }
        test.engine.remove(home: test.home.id)
        #expect(test.engine.homes.isEmpty)
    }

    /// Work is counted in comparisons of the queue: it doesn't grow with the number of triggers.
    @Test func tenThousandTriggersCostNoMoreThanAFew() throws {
        let now = try date("2026-11-22 12:00")
        var engine = TriggerEngine(timeZone: .gmt)
        _ = engine.start(at: now, lastSeen: nil, known: .nothing)
        var homes: [Home] = []
        for number in 0..<10 {
            let triggers = (0..<1_000).map { index in
                let fire = now.addingTimeInterval(Double(300 * (index * 10 + number)))
                let schedule = TimerSchedule(fireDate: fire, recurrence: RecurrenceInterval(weeks: 5))
                return TriggerRecord(id: UUID(), name: "\(index)", isEnabled: true, definition: .timer(schedule))
            }
            homes.append(Home(id: UUID(), records: triggers.map { .trigger($0) }))
            engine.update(homes[number], at: now)
        }
        #expect(engine.queue.count == 10_000)
        // One removal and one insertion, at most 2 comparisons on each of 14 levels, twice.
        let perChange = 2 * (2 * 14 + 2)

        for home in homes {
            var home = home
            var record = try #require(home.triggers.first)
            record.definition = .timer(TimerSchedule(fireDate: now.addingTimeInterval(86_400)))
            home.apply(Change(verb: .triggerUpdated, subjects: [], effects: [.put(.trigger(record))]))
            let before = engine.queue.comparisons
            engine.update(home, at: now)
            #expect(engine.queue.comparisons - before <= perChange)
            // Nothing changed.
            let after = engine.queue.comparisons
            engine.update(home, at: now)
            #expect(engine.queue.comparisons == after)
        }

        var fired = 0
        while let wake = engine.nextWake, fired < 1_000 {
            let before = engine.queue.comparisons
            let decisions = engine.advance(to: wake, known: .nothing)
            #expect(engine.queue.comparisons - before <= decisions.count * perChange)
            fired += decisions.count
        }
        #expect(fired >= 1_000)
    }
}
