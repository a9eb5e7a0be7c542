/// The time between two firings of a timer, in calendar units: a day is as long as the calendar says.
package struct RecurrenceInterval: Hashable, Sendable, Codable {
    /// Weeks.
    package var weeks: Int
    /// Days.
    package var days: Int
    /// Hours.
    package var hours: Int
    /// Minutes.
    package var minutes: Int
    /// Seconds; requests with a value other than 0 are rejected.
    package var seconds: Int

    /// Creates an interval; the units add up.
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

    /// Decodes an interval. Missing units are 0.
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

    /// Encodes the units that are not 0.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, count) in [(Key.weeks, weeks), (.days, days), (.hours, hours), (.minutes, minutes)] where count != 0 {
            try container.encode(count, forKey: key)
        }
        if seconds != 0 { try container.encode(seconds, forKey: .seconds) }
    }

    /// The length in seconds, with every day counted as 24 hours. The type holds the sum of any counts.
    var length: Int128 {
        let days = Int128(weeks) * 7 + Int128(days)
        return ((days * 24 + Int128(hours)) * 60 + Int128(minutes)) * 60 + Int128(seconds)
    }
}
