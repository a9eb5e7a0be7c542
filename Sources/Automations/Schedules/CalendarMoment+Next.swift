package import Foundation
package import HomeModel

extension CalendarMoment {
    /// Returns the first time after an instant at which the moment begins; `nil` if there is none.
    ///
    /// The components that are set match, and those finer than all of them have their first value: only a month is its
    /// first midnight, only an hour is its first minute. Other components match any value: 8:00 in December is every
    /// day of December. Each time on the clock fires once: one that occurs twice at its first occurrence, and one that
    /// is skipped as ``Foundation/TimeZone/instant(of:)`` says.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - zone: The time zone of a moment without one.
    package func next(after instant: Date, in zone: TimeZone) -> Date? {
        let instant = instant.withinCalendar
        let moment = beginning
        guard let zone = effectiveZone(zone), let search = DaySearch(moment), let times = moment.timesOfDay else {
            return nil
        }
        // A skipped time can move to the next day, or the one after it where a whole day is skipped, and past the times of
        // that day. After a change, the search therefore begins early and goes on after the first result.
        let isEarly = zone.skipsTime(before: instant)
        let now = zone.localTime(at: instant)
        var earliest: Date?
        var last: LocalDay?
        var day = search.first(from: now.day + (isEarly ? -2 : 0))
        while let candidate = day, last.map({ candidate <= $0 }) != false {
            // What is hours ago on the clock is over.
            let hours = candidate == now.day && !isEarly ? times.hours.filter { $0 >= now.hour - 3 } : times.hours
            let found = times.first(after: instant, on: candidate, hours: hours, in: zone)
            if let found { earliest = earliest.map { min($0, found) } ?? found }
            if last == nil, let earliest { last = candidate + (zone.skipsTime(before: earliest) ? 2 : 0) }
            day = search.first(from: candidate + 1)
        }
        return earliest
    }

    /// The time zone in which the moment is meant; `nil` if it is unknown.
    func effectiveZone(_ zone: TimeZone) -> TimeZone? {
        timeZone.map { TimeZone(name: $0) } ?? zone
    }

    /// The moment with the components set that are finer than all set ones.
    private var beginning: CalendarMoment {
        var moment = self
        guard second == nil else { return moment }
        moment.second = 0
        guard minute == nil else { return moment }
        moment.minute = 0
        guard hour == nil else { return moment }
        moment.hour = 0
        guard day == nil, weekday == nil else { return moment }
        moment.day = 1
        if month == nil { moment.month = 1 }
        return moment
    }

    /// The times of day that match; `nil` if there are none.
    private var timesOfDay: TimesOfDay? {
        guard let second, (0...59).contains(second), hour.map((0...23).contains) != false,
            minute.map((0...59).contains) != false
        else { return nil }
        return TimesOfDay(
            hours: hour.map { [$0] } ?? Array(0...23),
            minutes: minute.map { $0...$0 } ?? 0...59,
            second: second
        )
    }
}

/// The times of day at which a moment begins.
private struct TimesOfDay {
    let hours: [Int]
    let minutes: ClosedRange<Int>
    let second: Int

    /// Returns the earliest of the times on a day that is after an instant.
    func first(after instant: Date, on day: LocalDay, hours: [Int], in zone: TimeZone) -> Date? {
        var earliest: Date?
        for hour in hours {
            for minute in minutes {
                let time = zone.instant(of: LocalTime(day: day, hour: hour, minute: minute, second: second))
                guard time > instant else { continue }
                // Unless clocks were set forward, the others are later.
                guard zone.skipsTime(before: time) else { return min(earliest ?? time, time) }
                earliest = min(earliest ?? time, time)
            }
        }
        return earliest
    }
}
