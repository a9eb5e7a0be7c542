import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite
struct TriggerEngineTests {
    @Test func timerFiresWhenDueAndThenHasNothingLeft() throws {
        var test = try TestHome(at: date("2026-11-22 18:00"))
        let trigger = test.add(.timer(TimerSchedule(fireDate: try date("2026-11-22 19:00"))))
        #expect(test.engine.nextWake == (try date("2026-11-22 19:00")))
        #expect(test.jump(to: try date("2026-11-22 18:59:59")) == [])
        let decisions = test.jump(to: try date("2026-11-22 19:00"))
        #expect(decisions.map(\.trigger) == [trigger])
        #expect(decisions.map(\.outcome) == [.fire])
        #expect(decisions.map(\.due) == [try date("2026-11-22 19:00")])
        #expect(decisions.map(\.isLast) == [true])
        #expect(test.engine.nextWake == nil)
    }

    @Test func calendarEventFiresEveryDay() throws {
        var test = try TestHome(at: date("2026-11-22 18:00"))
        _ = test.add(on: .calendar(CalendarMoment(hour: 19, minute: 30)))
        let decisions = test.run(to: try date("2026-11-25 19:30"))
        #expect(decisions.map(\.due) == (try (22...25).map { try date("2026-11-\($0) 19:30") }))
        #expect(Set(decisions.map(\.outcome)) == [.fire])
    }

    @Test func sunsetFiresWithItsOffset() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .sun(SunMoment(.sunset, offset: -20)))
        let due = try #require(test.run(to: try date("2026-11-22 23:00")).first?.due)
        // Sunset in Berlin is at 16:04.
        #expect(abs(due.timeIntervalSince(try date("2026-11-22 15:44"))) < 60)
    }

    @Test func weekdaysAndConditionHoldAFiringBack() throws {
        // November 22, 2026 is a Sunday.
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let evening = TriggerEvent.Occurrence.calendar(CalendarMoment(hour: 19))
        let dark = Condition.sun(.after, SunMoment(.sunset, offset: 240))
        let weekdays = test.add(on: evening, weekdays: [2, 3, 4, 5, 6])
        let never = test.add(on: evening, if: dark)
        let decisions = test.run(to: try date("2026-11-23 19:00"))
        #expect(
            decisions.filter { $0.trigger == weekdays }.map(\.outcome) == [
                .fire, .held(.wrongWeekday), .held(.wrongWeekday), .fire,
            ]
        )
        let held = decisions.filter { $0.trigger == never }
        #expect(held.map(\.outcome) == Array(repeating: .held(.conditionFalse), count: 4))
        #expect(held.allSatisfy { $0.observations.map(\.term) == [dark] && $0.observations[0].moments.count == 1 })
    }

    @Test func triggerThatExecutesOnceFiresOnceAndIsLast() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let trigger = test.add(on: .calendar(CalendarMoment(hour: 19)), once: true)
        #expect(test.run(to: try date("2026-11-24 18:00")).map(\.isLast) == [true])
        #expect(test.engine.nextWake == nil)
        try test.edit(trigger) { $0.isEnabled = false }
        #expect(test.engine.nextWake == nil)
        try test.edit(trigger) { $0.isEnabled = true }
        #expect(test.run(to: try date("2026-11-26 18:00")).map(\.due) == [try date("2026-11-24 19:00")])
    }

    @Test func triggerThatIsHeldBackIsNotSpent() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: .calendar(CalendarMoment(hour: 19)), weekdays: [1], once: true)
        let decisions = test.run(to: try date("2026-11-29 20:00"))
        #expect(decisions.map(\.outcome) == [.held(.wrongWeekday), .held(.wrongWeekday), .fire])
        #expect(decisions.map(\.isLast) == [false, false, true])
    }

    @Test func triggerThatExecutesOnceStillWaitsIfItsFiringWasIgnored() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let trigger = test.add(on: .calendar(CalendarMoment(hour: 19)), once: true)
        #expect(test.run(to: try date("2026-11-20 19:00")).count == 1)
        test.engine.ignored(trigger, in: test.home.id, at: try date("2026-11-20 19:00"))
        #expect(test.run(to: try date("2026-11-24 18:00")).map(\.due) == [try date("2026-11-21 19:00")])
        #expect(test.engine.nextWake == nil)
    }

    @Test func twoEventsAtOneTimeFireOnce() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let events = [CalendarMoment(hour: 19), CalendarMoment(hour: 19, minute: 0)]
            .map { TriggerEvent(id: UUID(), occurrence: .calendar($0)) }
        _ = test.add(.event(EventRule(events: events)))
        #expect(test.run(to: try date("2026-11-20 19:00")).map(\.event) == [events[0]])
    }

    @Test func decisionsAreInTheOrderOfTheirTimes() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let second = test.add(on: .calendar(CalendarMoment(hour: 18, minute: 2)))
        let first = test.add(on: .calendar(CalendarMoment(hour: 18, minute: 1)))
        let alsoSecond = test.add(on: .calendar(CalendarMoment(hour: 18, minute: 2)))
        #expect(test.jump(to: try date("2026-11-20 18:02")).map(\.trigger) == [first, second, alsoSecond])
    }

    @Test func occurrenceKeyIsTheSameInAnotherRunOfTheHub() throws {
        var test = try TestHome(at: date("2026-11-22 18:59"))
        _ = test.add(on: .calendar(CalendarMoment(hour: 19)))
        let key = test.jump(to: try date("2026-11-22 19:00")).map(\.occurrence)
        var engine = TriggerEngine(timeZone: test.engine.timeZone)
        engine.update(test.home, at: test.now)
        let start = try date("2026-11-22 18:59:30")
        let again = engine.start(at: try date("2026-11-22 19:00:20"), lastSeen: start, known: .nothing)
        #expect(again.map(\.outcome) == [.fire])
        #expect(again.map(\.occurrence) == key)
    }

    @Test func disabledAndUnknownTriggersNeverFire() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let daily = TriggerEvent(id: UUID(), occurrence: .calendar(CalendarMoment(hour: 19)))
        _ = test.add(.event(EventRule(events: [daily])), isEnabled: false)
        _ = test.add(.unknown(.object(["tide": .string("high")])))
        _ = test.add(on: .unknown(.object(["tide": .string("high")])))
        _ = test.add(on: .duration(seconds: 60))
        _ = test.add(.event(EventRule(events: [])))
        _ = test.add(.timer(TimerSchedule(fireDate: test.now, recurrence: RecurrenceInterval())))
        #expect(test.engine.nextWake == nil)
        #expect(test.jump(to: try date("2027-11-20 18:00")) == [])
    }

    @Test func engineThatIsNotStartedFiresNothing() throws {
        let lamp = characteristic(.Characteristic.on)
        var test = try TestHome(at: date("1970-01-01 12:00"), isStarted: false)
        _ = test.add(on: .calendar(CalendarMoment(hour: 19)))
        let trigger = test.add(on: .characteristic(lamp, nil))
        #expect(test.engine.nextWake == nil)
        #expect(test.jump(to: try date("1970-01-02 12:00")) == [])
        test.values[lamp] = .bool(false)
        #expect(test.set(lamp, .bool(true)).map(\.outcome) == [.held(.clockNotSet)])
        #expect(
            test.engine.forecast(of: trigger, in: test.home.id, at: test.now, known: .nothing)?.obstacle == .clockNotSet
        )
        // The clock is synchronized: nothing of the years before counts.
        let now = try date("2026-11-22 18:00")
        #expect(test.engine.start(at: now, lastSeen: nil, known: .nothing) == [])
        #expect(test.engine.nextWake == (try date("2026-11-22 19:00")))
    }
}
