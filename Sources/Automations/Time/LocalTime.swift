/// What a clock on the wall shows: a day and a time of day, without a time zone.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// The day.
    package var day: LocalDay
    /// The seconds since midnight, 0 to 86,399.
    package var second: Int

    /// Creates a time from a day and the seconds since midnight.
    package init(day: LocalDay, second: Int) {
        self.day = day
        self.second = second
    }

    /// Creates a time from a day, an hour and a minute.
    package init(day: LocalDay, hour: Int, minute: Int) {
        self.init(day: day, second: (hour * 60 + minute) * 60)
    }

    /// The hour, 0 to 23.
    package var hour: Int { second / 3_600 }
    /// The minute, 0 to 59.
    package var minute: Int { second / 60 % 60 }

    /// Orders times.
    package static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.day, left.second) < (right.day, right.second)
    }
}
