import Foundation
import HomeModel

/// The calendar of a schedule, which gives a day its year, month and day of the month.
struct DayCalendar {
    /// Foundation's calendar in GMT; `nil` for the Gregorian calendar, which is computed here.
    private let calendar: Calendar?

    /// Creates the calendar with a name; `nil` if the name is unknown.
    ///
    /// - Parameter name: The name; `nil` for the Gregorian calendar.
    init?(name: String?) {
        guard let name else {
            calendar = nil
            return
        }
        guard let identifier = Calendar.Identifier(name: name) else { return nil }
        guard identifier != .gregorian, identifier != .iso8601 else {
            calendar = nil
            return
        }
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        self.calendar = calendar
    }

    /// Whether it is the Gregorian calendar, whose months a search can skip.
    var isGregorian: Bool { calendar == nil }

    /// Returns the year, the month and the day of the month.
    func date(of day: LocalDay) -> (year: Int, month: Int, day: Int) {
        guard let calendar else { return day.date }
        let noon = Date(milliseconds: (Int64(day.number) * 24 + 12) * 3_600_000)
        let parts = calendar.dateComponents([.year, .month, .day], from: noon)
        return (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}
