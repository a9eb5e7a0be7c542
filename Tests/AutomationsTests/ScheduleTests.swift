import Automations
import Foundation
import HomeModel
import Testing

@Suite struct ScheduleTests {
    private let zone: TimeZone

    init() throws {
        zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    }

    private func timer(_ fire: String, _ recurrence: RecurrenceInterval?) throws -> TimerSchedule {
        TimerSchedule(fireDate: try date(fire), recurrence: recurrence)
    }

    @Test func timerThatFiresOnceFiresAtItsDateOnly() throws {
        let schedule = try timer("2026-11-22 19:00", nil)
        #expect(schedule.next(after: try date("2026-11-22 18:59"), in: zone) == schedule.fireDate)
        #expect(schedule.next(after: schedule.fireDate, in: zone) == nil)
    }

    @Test func dailyTimerKeepsItsTimeOfDayWhenClocksChange() throws {
        let schedule = try timer("2026-03-27 07:00", RecurrenceInterval(days: 1))
        #expect(schedule.next(after: try date("2026-03-28 12:00"), in: zone) == (try date("2026-03-29 07:00")))
        #expect(schedule.next(after: try date("2026-10-24 12:00"), in: zone) == (try date("2026-10-25 07:00")))
    }

    @Test func timerWithHoursCountsElapsedTime() throws {
        let schedule = try timer("2026-03-28 20:00", RecurrenceInterval(hours: 12))
        // The night is an hour shorter.
        #expect(schedule.next(after: try date("2026-03-28 20:00"), in: zone) == (try date("2026-03-29 09:00")))
    }

    @Test func skippedTimeOfDayDoesNotMoveTheFollowingFirings() throws {
        let schedule = try timer("2026-03-27 02:30", RecurrenceInterval(days: 1))
        #expect(schedule.next(after: try date("2026-03-28 03:00"), in: zone) == (try date("2026-03-29 03:30")))
        #expect(schedule.next(after: try date("2026-03-29 04:00"), in: zone) == (try date("2026-03-30 02:30")))
    }

    @Test func timerUsesItsOwnZone() throws {
        var schedule = try timer("2026-10-24 12:00", RecurrenceInterval(days: 7))
        // New York sets its clocks back a week after Berlin.
        schedule.timeZone = "America/New_York"
        #expect(schedule.next(after: try date("2026-10-24 12:00"), in: zone) == (try date("2026-10-31 11:00")))
        schedule.timeZone = "Nowhere/Nothing"
        #expect(schedule.next(after: try date("2026-10-24 12:00"), in: zone) == (try date("2026-10-31 12:00")))
    }

    @Test func timerOfLongAgoFindsItsNextFiringAtOnce() throws {
        // Counting 30,000 years of firings one by one would not end.
        let schedule = TimerSchedule(fireDate: .distantPast, recurrence: RecurrenceInterval(minutes: 5))
        let now = Date(milliseconds: 1 << 50)
        let next = try #require(schedule.next(after: now, in: zone))
        #expect(next > now && next <= now.addingTimeInterval(300))
        let days = TimerSchedule(fireDate: .distantPast, recurrence: RecurrenceInterval(days: 1, minutes: 5))
        let day = try #require(days.next(after: now, in: zone))
        #expect(day > now && day <= now.addingTimeInterval(27 * 3_600))
    }

    @Test func recurrenceOutsideTheLimitsNeverFires() throws {
        let limits: [RecurrenceInterval] = [
            RecurrenceInterval(), RecurrenceInterval(minutes: 4), RecurrenceInterval(minutes: 5, seconds: 1),
            RecurrenceInterval(days: 1, hours: -1), RecurrenceInterval(days: -1),
            RecurrenceInterval(weeks: 5, minutes: 1),
            RecurrenceInterval(weeks: .max, days: .max, hours: .max, minutes: .max),
            RecurrenceInterval(days: .min, minutes: .max),
        ]
        for recurrence in limits {
            let schedule = try timer("2026-11-22 19:00", recurrence)
            #expect(schedule.next(after: .distantPast, in: zone) == nil, "\(recurrence)")
            #expect(schedule.next(after: .distantFuture, in: zone) == nil, "\(recurrence)")
        }
        for recurrence in [RecurrenceInterval(minutes: 5), RecurrenceInterval(weeks: 5), RecurrenceInterval(days: 35)] {
            let schedule = try timer("2026-11-22 19:00", recurrence)
            #expect(schedule.next(after: schedule.fireDate, in: zone) != nil, "\(recurrence)")
        }
    }

    @Test func componentsThatAreFinerThanTheSetOnesAreTheFirst() throws {
        let now = try date("2026-11-22 19:20")
        func next(_ moment: CalendarMoment) -> Date? { moment.next(after: now, in: zone) }
        #expect(next(CalendarMoment(hour: 19)) == (try date("2026-11-23 19:00")))
        #expect(next(CalendarMoment(minute: 30)) == (try date("2026-11-22 19:30")))
        #expect(next(CalendarMoment(minute: 10)) == (try date("2026-11-22 20:10")))
        #expect(next(CalendarMoment(day: 1)) == (try date("2026-12-01 00:00")))
        #expect(next(CalendarMoment(month: 12)) == (try date("2026-12-01 00:00")))
        #expect(next(CalendarMoment(month: 12, hour: 8)) == (try date("2026-12-01 08:00")))
        #expect(next(CalendarMoment(day: 31, hour: 8, minute: 15)) == (try date("2026-12-31 08:15")))
        #expect(next(CalendarMoment(weekday: 2)) == (try date("2026-11-23 00:00")))
        #expect(next(CalendarMoment(day: 13, weekday: 6, hour: 9)) == (try date("2027-08-13 09:00")))
        #expect(next(CalendarMoment(year: 2030)) == (try date("2030-01-01 00:00")))
    }

    @Test func secondsAndTheTimeZoneOfAMomentCount() throws {
        let now = try date("2026-11-22 19:20:10")
        func next(_ moment: CalendarMoment) -> Date? { moment.next(after: now, in: zone) }
        #expect(next(CalendarMoment(hour: 19, minute: 20, second: 30)) == (try date("2026-11-22 19:20:30")))
        #expect(next(CalendarMoment(minute: 20, second: 5)) == (try date("2026-11-22 20:20:05")))
        #expect(next(CalendarMoment(second: 5)) == (try date("2026-11-22 19:21:05")))
        let tokyo = CalendarMoment(hour: 9, timeZone: "Asia/Tokyo")
        #expect(next(tokyo) == (try date("2026-11-23 09:00", "Asia/Tokyo")))
        #expect(next(CalendarMoment(hour: 9, second: 60)) == nil)
        #expect(next(CalendarMoment(hour: 9, timeZone: "Nowhere/Nothing")) == nil)
    }

    @Test func momentsInOtherCalendarsCome() throws {
        let now = try date("2026-11-22 19:20")
        // Rosh Hashanah 5788 is on October 2, 2027, and the Persian new year on March 21.
        let hebrew = CalendarMoment(month: 1, day: 1, hour: 8, calendar: "hebrew")
        #expect(hebrew.next(after: now, in: zone) == (try date("2027-10-02 08:00")))
        let persian = CalendarMoment(month: 1, day: 1, calendar: "persian")
        #expect(persian.next(after: now, in: zone) == (try date("2027-03-21 00:00")))
        #expect(
            CalendarMoment(hour: 20, calendar: "buddhist").next(after: now, in: zone) == (try date("2026-11-22 20:00"))
        )
        #expect(CalendarMoment(month: 2, day: 30, calendar: "iso8601").next(after: now, in: zone) == nil)
        #expect(CalendarMoment(month: 13, day: 31, calendar: "coptic").next(after: now, in: zone) == nil)
        #expect(CalendarMoment(hour: 20, calendar: "martian").next(after: now, in: zone) == nil)
    }

    @Test func leapDayFiresInLeapYearsOnly() throws {
        let moment = CalendarMoment(month: 2, day: 29, hour: 12)
        #expect(moment.next(after: try date("2026-11-22 19:00"), in: zone) == (try date("2028-02-29 12:00")))
        #expect(moment.next(after: try date("2096-03-01 00:00"), in: zone) == (try date("2104-02-29 12:00")))
        let sunday = CalendarMoment(month: 2, day: 29, weekday: 1, hour: 12)
        #expect(sunday.next(after: try date("2088-03-01 00:00"), in: zone) == (try date("2128-02-29 12:00")))
    }

    @Test func momentsThatNeverComeNeverFire() throws {
        let now = try date("2026-11-22 19:00")
        let never = [
            CalendarMoment(month: 2, day: 30), CalendarMoment(month: 13), CalendarMoment(day: 32),
            CalendarMoment(day: 0),
            CalendarMoment(hour: 24), CalendarMoment(hour: -1), CalendarMoment(minute: 60),
            CalendarMoment(minute: .max),
            CalendarMoment(day: .max), CalendarMoment(month: .min, day: .min), CalendarMoment(weekday: 8),
            CalendarMoment(year: 2025), CalendarMoment(year: .max),
            CalendarMoment(year: 2026, month: 11, day: 22, hour: 19),
        ]
        for moment in never { #expect(moment.next(after: now, in: zone) == nil, "\(moment)") }
    }

    @Test func extremeInstantsAreNoProblem() throws {
        let moment = CalendarMoment(month: 2, day: 29, hour: 12)
        for instant in [Date.distantPast, .distantFuture, Date(milliseconds: 1 << 50), Date(milliseconds: -(1 << 50))] {
            let next = try #require(moment.next(after: instant, in: zone))
            #expect(next > instant)
        }
    }
}
