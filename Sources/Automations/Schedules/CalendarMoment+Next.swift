package import Foundation
package import HomeModel

extension CalendarMoment {
    /// Returns the first time after an instant at which the moment begins; `nil` if there is none.
    ///
    /// The components that are set match, and those finer than all of them have their first value: only a month is its
    /// first midnight, only an hour is its first minute. Other components match any value: 8:00 in December is every
    /// day of December. Each time on the clock fires once: one that occurs twice at its first occurrence, and one that
    /// is skipped as ``Foundation/TimeZone/instant(of:)`` says.
    package func next(after instant: Date, in zone: TimeZone) -> Date? {
        let instant = instant.withinCalendar
        let moment = beginning
        let hours = moment.hour.map { $0...$0 } ?? 0...23
        guard let minute = moment.minute, (0...59).contains(minute), hours.lowerBound >= 0, hours.upperBound <= 23
        else {
            return nil
        }
        // A skipped time can move to the next day, or the one after it where a whole day is skipped, and past the times of
        // that day. After a change, the search therefore begins early and goes on after the first result.
        let isEarly = zone.skipsTime(before: instant)
        var earliest: Date?
        var last: LocalDay?
        var day = moment.firstDay(from: zone.localTime(at: instant).day + (isEarly ? -2 : 0))
        while let candidate = day, last.map({ candidate <= $0 }) != false {
            for hour in hours {
                let time = zone.instant(of: LocalTime(day: candidate, hour: hour, minute: minute))
                if time > instant { earliest = earliest.map { min($0, time) } ?? time }
            }
            if last == nil, let earliest { last = candidate + (zone.skipsTime(before: earliest) ? 2 : 0) }
            day = moment.firstDay(from: candidate + 1)
        }
        return earliest
    }

    /// The moment with the components set that are finer than all set ones.
    private var beginning: CalendarMoment {
        var moment = self
        guard minute == nil else { return moment }
        moment.minute = 0
        guard hour == nil else { return moment }
        moment.hour = 0
        guard day == nil, weekday == nil else { return moment }
        moment.day = 1
        if month == nil { moment.month = 1 }
        return moment
    }

    /// Returns the first day that matches, from a day on.
    private func firstDay(from start: LocalDay) -> LocalDay? {
        guard day.map((1...31).contains) != false else { return nil }
        var next = start
        if let year {
            guard (1...9_999).contains(year) else { return nil }
            next = max(next, LocalDay(year: year, month: 1, day: 1))
        }
        let end = next + AutomationLimits.calendarSearch * 366
        while next <= end {
            let date = next.date
            if let year, date.year != year { return nil }
            let nextMonth = LocalDay(year: date.year, month: date.month + 1, day: 1)
            if let month, date.month != month {
                next = nextMonth
            } else if let day, date.day != day {
                let wanted = next + (day - date.day)
                next = wanted > next && wanted < nextMonth ? wanted : nextMonth
            } else if let weekday, next.weekday != weekday {
                next = next + 1
            } else {
                return next
            }
        }
        return nil
    }
}
