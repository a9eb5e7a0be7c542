package import Foundation
package import HomeModel

extension TimerSchedule {
    /// Returns the first firing after an instant; `nil` if there is none.
    ///
    /// The nth firing is n times the recurrence after the first one, as Apple's calendars add date components: weeks and
    /// days keep the time of day, then hours and minutes are added as elapsed time. A time of day that clocks skip or
    /// repeat affects only that firing; see ``Foundation/TimeZone/instant(of:)``. A recurrence outside the limits of
    /// homes never fires.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - zone: The time zone of a schedule without one, or with one that is unknown.
    package func next(after instant: Date, in zone: TimeZone) -> Date? {
        let instant = instant.withinCalendar
        guard let recurrence else { return fireDate > instant ? fireDate : nil }
        guard let step = RecurrenceStep(recurrence) else { return nil }
        guard fireDate <= instant else { return fireDate }
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? zone
        let elapsed = Int(instant.milliseconds - fireDate.milliseconds) / 1_000
        // Time zones differ by at most 26 hours and a step of days takes at least 24, so the estimate is short by 3.
        var count = max(1, elapsed / step.nominalLength - (step.days > 0 ? 3 : 0))
        while true {
            let firing = step.date(count, from: fireDate, in: zone)
            if firing > instant { return firing }
            count += 1
        }
    }
}

/// The time between two firings, split into what the calendar adds and what a stopwatch adds.
private struct RecurrenceStep {
    /// Days of the calendar.
    let days: Int
    /// Seconds of elapsed time.
    let seconds: Int

    /// Creates a step; `nil` if the recurrence is outside the limits of homes.
    init?(_ recurrence: RecurrenceInterval) {
        let minutes = HomeLimits.longestRecurrence / 60
        let units = [recurrence.weeks, recurrence.days, recurrence.hours, recurrence.minutes]
        guard recurrence.seconds == 0, units.allSatisfy((0...minutes).contains) else { return nil }
        days = recurrence.weeks * 7 + recurrence.days
        seconds = (recurrence.hours * 60 + recurrence.minutes) * 60
        guard (HomeLimits.shortestRecurrence...HomeLimits.longestRecurrence).contains(nominalLength) else { return nil }
    }

    /// The length in seconds, with every day counted as 24 hours.
    var nominalLength: Int { days * 86_400 + seconds }

    /// Returns the date a number of steps later.
    func date(_ count: Int, from start: Date, in zone: TimeZone) -> Date {
        let (whole, fraction) = Int(start.milliseconds).quotientAndRemainder(flooringBy: 1_000)
        var first = whole
        if days > 0 {
            var local = zone.localTime(at: start)
            local.day = local.day + days * count
            first = zone.seconds(of: local)
        }
        return Date(milliseconds: Int64((first + seconds * count) * 1_000 + fraction))
    }
}
