import Foundation
import HomeModel

/// The search for the days that match a moment.
struct DaySearch {
    private let moment: CalendarMoment
    private let calendar: DayCalendar

    /// Creates a search; `nil` if the moment's calendar is unknown, or a component is out of range.
    init?(_ moment: CalendarMoment) {
        guard let calendar = DayCalendar(name: moment.calendar), moment.day.map((1...32).contains) != false,
            moment.month.map((1...13).contains) != false, moment.weekday.map((1...7).contains) != false,
            moment.year.map((1...9_999).contains) != false
        else { return nil }
        self.moment = moment
        self.calendar = calendar
    }

    /// Returns the first day that matches, from a day on; `nil` if there is none within the limits.
    func first(from start: LocalDay) -> LocalDay? {
        calendar.isGregorian ? firstGregorian(from: start) : firstOther(from: start)
    }

    private func firstGregorian(from start: LocalDay) -> LocalDay? {
        var next = start
        if let year = moment.year { next = max(next, LocalDay(year: year, month: 1, day: 1)) }
        let end = next + AutomationLimits.calendarSearch * 366
        while next <= end {
            let date = next.date
            if let year = moment.year, date.year != year { return nil }
            let nextMonth = LocalDay(year: date.year, month: date.month + 1, day: 1)
            if let month = moment.month, date.month != month {
                next = nextMonth
            } else if let day = moment.day, date.day != day {
                let wanted = next + (day - date.day)
                next = wanted > next && wanted < nextMonth ? wanted : nextMonth
            } else if let weekday = moment.weekday, next.weekday != weekday {
                next = next + 1
            } else {
                return next
            }
        }
        return nil
    }

    private func firstOther(from start: LocalDay) -> LocalDay? {
        for offset in 0..<AutomationLimits.otherCalendarSearch {
            let day = start + offset
            let date = calendar.date(of: day)
            if moment.year.map({ $0 == date.year }) != false, moment.month.map({ $0 == date.month }) != false,
                moment.day.map({ $0 == date.day }) != false, moment.weekday.map({ $0 == day.weekday }) != false
            {
                return day
            }
        }
        return nil
    }
}
