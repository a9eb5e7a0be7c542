import Foundation
import HAPCatalog
import HomeModel
import Testing

@testable import Automations

@Suite struct ForecastTests {
    private let lamp = characteristic(.Characteristic.on)

    private func forecast(_ trigger: UUID, _ test: TestHome) throws -> TriggerEngine.Forecast {
        try #require(test.engine.forecast(of: trigger, in: test.home.id, at: test.now, known: test.known))
    }

    @Test func forecastHasTheConditionAndTheNextTime() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let isOn = Condition.characteristic(lamp, .equal, .bool(true))
        let trigger = test.add(on: .calendar(CalendarMoment(hour: 19)), if: isOn)
        test.values[lamp] = .bool(false)
        let observation = Observation(isOn, isTrue: false, value: .bool(false))
        let next = try date("2026-11-22 19:00")
        #expect(
            try forecast(trigger, test)
                == TriggerEngine.Forecast(wouldRun: false, obstacle: nil, observations: [observation], next: next)
        )
        test.values[lamp] = .bool(true)
        #expect(try forecast(trigger, test).wouldRun)
        #expect(test.engine.forecast(of: UUID(), in: test.home.id, at: test.now, known: test.known) == nil)
    }

    @Test func obstaclesAreNamed() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"), place: nil)
        let sunset = test.add(on: .sun(SunMoment(.sunset)))
        #expect(try forecast(sunset, test).obstacle == .noPlace)
        #expect(try forecast(sunset, test).next == nil)
        let monday = test.add(on: .calendar(CalendarMoment(hour: 19)), weekdays: [2])
        #expect(try forecast(monday, test).obstacle == .wrongWeekday)
        #expect(try forecast(monday, test).next == (try date("2026-11-23 19:00")))
        let once = test.add(on: .calendar(CalendarMoment(hour: 13)), once: true)
        #expect(try forecast(once, test).obstacle == nil)
        _ = test.run(to: try date("2026-11-22 13:00"))
        #expect(try forecast(once, test).obstacle == .disabled)
        try test.edit(monday) { $0.isEnabled = false }
        #expect(try forecast(monday, test).obstacle == .disabled)
        #expect(try forecast(monday, test).next == nil)
        let event = test.add(on: .characteristic(lamp, nil))
        #expect(
            try forecast(event, test)
                == TriggerEngine.Forecast(wouldRun: true, obstacle: nil, observations: [], next: nil)
        )
    }

    @Test func nextIsTheEarliestOfAllEventsOnAnAllowedDay() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let moments = [
            CalendarMoment(hour: 19), CalendarMoment(hour: 8), CalendarMoment(month: 2, day: 29, hour: 12),
            CalendarMoment(month: 2, day: 30),
        ]
        let events = moments.map { TriggerEvent(id: UUID(), occurrence: .calendar($0)) }
        let trigger = test.add(.event(EventRule(events: events, weekdays: [3])))
        #expect(try forecast(trigger, test).next == (try date("2026-11-24 08:00")))
        let leapDay = test.add(.event(EventRule(events: [events[2]], weekdays: [1])))
        #expect(try forecast(leapDay, test).next == (try date("2032-02-29 12:00")))
    }
}
