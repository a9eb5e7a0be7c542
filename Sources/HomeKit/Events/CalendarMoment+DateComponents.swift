import Foundation
import HomeModel

extension CalendarMoment {
    /// Creates a moment from an app's components, with their calendar and time zone. Throws if they have weeks, or a
    /// calendar that schedules can't use.
    init(_ components: DateComponents) throws(HMError) {
        let weeks = [
            components.weekOfMonth, components.weekOfYear, components.weekdayOrdinal, components.yearForWeekOfYear,
        ]
        guard weeks.allSatisfy({ $0 == nil }) else {
            throw HMError(.invalidParameter, reason: "A date can't be given in weeks.")
        }
        self.init(
            year: components.year,
            month: components.month,
            day: components.day,
            weekday: components.weekday,
            hour: components.hour,
            minute: components.minute,
            second: components.second,
            timeZone: components.timeZone?.identifier,
            calendar: try components.calendar.map { calendar throws(HMError) in try calendar.storedName }
        )
    }

    /// The moment as apps see it.
    var components: DateComponents {
        DateComponents(
            calendar: calendar.flatMap { Calendar.Identifier(name: $0) }.map { Calendar(identifier: $0) },
            timeZone: timeZone.flatMap { TimeZone(identifier: $0) },
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second,
            weekday: weekday
        )
    }
}

extension Calendar {
    /// The calendar's name in stored data. Throws if schedules can't use the calendar.
    var storedName: String {
        get throws(HMError) {
            guard let name = identifier.name else {
                throw HMError(.invalidParameter, reason: "Triggers can't use the calendar \(identifier).")
            }
            return name
        }
    }
}

extension SunMoment {
    /// Creates a moment from an app's event and offset. Throws if the offset isn't in whole minutes, hours and days.
    init(_ event: HMSignificantEvent, offset: DateComponents?) throws(HMError) {
        self.init(Event(rawValue: event.rawValue), offset: try offset.map(Self.minutes) ?? 0)
    }

    private static func minutes(_ offset: DateComponents) throws(HMError) -> Int {
        let rest = [
            offset.era, offset.year, offset.yearForWeekOfYear, offset.quarter, offset.month, offset.weekOfMonth,
            offset.weekOfYear, offset.weekday, offset.weekdayOrdinal, offset.second, offset.nanosecond,
        ]
        // No offset is longer than 12 hours, so a number that doesn't fit is refused like any that is too large.
        let limit = Int(Int32.max)
        let units = [(offset.day ?? 0, 24 * 60), (offset.hour ?? 0, 60), (offset.minute ?? 0, 1)]
        guard rest.allSatisfy({ $0 ?? 0 == 0 }), units.allSatisfy({ (-limit...limit).contains($0.0) }) else {
            throw HMError(.invalidParameter, reason: "An offset consists of hours and minutes.")
        }
        return units.reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The offset as apps see it, or `nil` if there is none.
    var components: DateComponents? {
        guard offset != 0 else { return nil }
        let (hours, minutes) = offset.quotientAndRemainder(dividingBy: 60)
        return DateComponents(hour: hours == 0 ? nil : hours, minute: minutes == 0 ? nil : minutes)
    }
}

extension RecurrenceInterval {
    /// Creates an interval from an app's components. Throws if it is longer than any that timers can have.
    init(_ components: DateComponents) throws(HMError) {
        let longer = [
            components.era, components.year, components.yearForWeekOfYear, components.quarter, components.month,
        ]
        guard longer.allSatisfy({ $0 ?? 0 == 0 }) else {
            throw HMError(.recurrenceTooLarge, reason: "A timer must recur after 5 weeks or less.")
        }
        guard components.nanosecond ?? 0 == 0 else {
            throw HMError(.recurrenceMustBeOnSpecifiedBoundaries, reason: "A timer must recur after whole minutes.")
        }
        self.init(
            weeks: components.weekOfYear ?? components.weekOfMonth ?? 0,
            days: components.day ?? 0,
            hours: components.hour ?? 0,
            minutes: components.minute ?? 0,
            seconds: components.second ?? 0
        )
    }

    /// The interval as apps see it.
    var components: DateComponents {
        func unit(_ count: Int) -> Int? { count == 0 ? nil : count }
        return DateComponents(
            day: unit(days),
            hour: unit(hours),
            minute: unit(minutes),
            second: unit(seconds),
            weekOfYear: unit(weeks)
        )
    }
}
