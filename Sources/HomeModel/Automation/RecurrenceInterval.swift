/// How long after one firing the next one is, in units of the calendar: a day is as long as the day is.
package struct RecurrenceInterval: Hashable, Sendable, Codable {
    /// Weeks.
    package var weeks: Int
    /// Days.
    package var days: Int
    /// Hours.
    package var hours: Int
    /// Minutes.
    package var minutes: Int
    /// Seconds; anything but 0 is refused.
    package var seconds: Int

    /// Makes an interval; its units add up.
    package init(weeks: Int = 0, days: Int = 0, hours: Int = 0, minutes: Int = 0, seconds: Int = 0) {
        self.weeks = weeks
        self.days = days
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
    }

    private enum Key: String, CodingKey {
        case weeks, days, hours, minutes, seconds
    }

    /// Reads an interval; a unit that is missing is 0.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            weeks: try container.decodeIfPresent(Int.self, forKey: .weeks) ?? 0,
            days: try container.decodeIfPresent(Int.self, forKey: .days) ?? 0,
            hours: try container.decodeIfPresent(Int.self, forKey: .hours) ?? 0,
            minutes: try container.decodeIfPresent(Int.self, forKey: .minutes) ?? 0,
            seconds: try container.decodeIfPresent(Int.self, forKey: .seconds) ?? 0
        )
    }

    /// Writes the units that are not 0.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, count) in [(Key.weeks, weeks), (.days, days), (.hours, hours), (.minutes, minutes)] where count != 0 {
            try container.encode(count, forKey: key)
        }
        if seconds != 0 { try container.encode(seconds, forKey: .seconds) }
    }

    /// The length in seconds where every day has 24 hours. No count is too large for it.
    var length: Int128 {
        let days = Int128(weeks) * 7 + Int128(days)
        return ((days * 24 + Int128(hours)) * 60 + Int128(minutes)) * 60 + Int128(seconds)
    }
}
