import Foundation

/// A date or a time of day. Components that are `nil` match any value.
package struct CalendarMoment: Hashable, Sendable, Codable {
    /// The year.
    package var year: Int?
    /// 1 to 12.
    package var month: Int?
    /// The day of the month, 1 to 31.
    package var day: Int?
    /// 1 (Sunday) to 7.
    package var weekday: Int?
    /// 0 to 23.
    package var hour: Int?
    /// 0 to 59.
    package var minute: Int?
    /// 0 to 59; `nil` for the whole minute.
    package var second: Int?
    /// The identifier of the time zone (`Europe/Berlin`); `nil` for the hub's time zone.
    package var timeZone: String?
    /// The name of the calendar, as ``Foundation/Calendar/Identifier/name`` returns it; `nil` for the Gregorian calendar.
    package var calendar: String?

    /// Creates a moment.
    package init(
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        weekday: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        timeZone: String? = nil,
        calendar: String? = nil
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.weekday = weekday
        self.hour = hour
        self.minute = minute
        self.second = second
        self.timeZone = timeZone
        self.calendar = calendar
    }

    /// Whether at least one component is set, all are within the calendar's ranges, and the calendar and the time zone
    /// exist.
    var isSatisfiable: Bool {
        guard calendar.map({ Calendar.Identifier(name: $0) != nil }) ?? true,
            timeZone.map({ TimeZone(name: $0) != nil }) ?? true
        else { return false }
        // Some calendars have a thirteenth month, or months of 32 days.
        let isGregorian = calendar == nil || calendar == Calendar.Identifier.gregorian.name
        let parts: [(Int?, ClosedRange<Int>)] = [
            (year, 1...9_999), (month, 1...(isGregorian ? 12 : 13)), (day, 1...(isGregorian ? 31 : 32)),
            (weekday, 1...7), (hour, 0...23), (minute, 0...59), (second, 0...59),
        ]
        let areInRange = parts.compactMap { part, range in part.map { range.contains($0) } }
        return !areInRange.isEmpty && !areInRange.contains(false)
    }
}
