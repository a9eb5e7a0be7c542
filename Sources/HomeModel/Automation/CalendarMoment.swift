/// A date or a time of day as far as it is said: what is nil fits always. Counted in the Gregorian calendar and the
/// home's time zone.
public struct CalendarMoment: Hashable, Sendable, Codable {
    /// The year.
    public var year: Int?
    /// 1 to 12.
    public var month: Int?
    /// Of the month, 1 to 31.
    public var day: Int?
    /// 1 (Sunday) to 7.
    public var weekday: Int?
    /// 0 to 23.
    public var hour: Int?
    /// 0 to 59.
    public var minute: Int?

    /// Makes a moment.
    public init(
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

    /// Whether anything is said, and nothing that no calendar has.
    var isSensible: Bool {
        let parts: [(Int?, ClosedRange<Int>)] = [
            (year, 1...9_999), (month, 1...12), (day, 1...31), (weekday, 1...7), (hour, 0...23), (minute, 0...59),
        ]
        let said = parts.compactMap { part, range in part.map { range.contains($0) } }
        return !said.isEmpty && !said.contains(false)
    }
}
