import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite
struct TriggerEngineTests {
    private let lamp = characteristic(.Characteristic.on)

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

    @Test func characteristicFiresOnTheChangeToItsValueOnly() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(lamp, .bool(true)))
        #expect(test.set(lamp, .bool(false)) == [])
        #expect(test.set(lamp, .bool(true)).map(\.trigger) == [trigger])
        #expect(test.set(lamp, .bool(true)) == [])
        #expect(test.set(lamp, .bool(false)) == [])
    }
}
