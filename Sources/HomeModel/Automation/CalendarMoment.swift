/// A date or a time of day in the Gregorian calendar and the home's time zone. Components that are `nil` match any
/// value.
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

    /// Creates a moment.
    package init(
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        weekday: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.weekday = weekday
        self.hour = hour
        self.minute = minute
    }

    /// Whether at least one component is set and all are within the calendar's ranges.
    var isSatisfiable: Bool {
        let parts: [(Int?, ClosedRange<Int>)] = [
            (year, 1...9_999), (month, 1...12), (day, 1...31), (weekday, 1...7), (hour, 0...23), (minute, 0...59),
        ]
        let areInRange = parts.compactMap { part, range in part.map { range.contains($0) } }
        return !areInRange.isEmpty && !areInRange.contains(false)
    }
}
