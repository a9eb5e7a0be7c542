/// What a clock on the wall shows: a day and a time of day, without a time zone.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// The day.
    package var day: LocalDay
    /// The seconds since midnight, 0 to 86,399.
    package var secondOfDay: Int

    /// Creates a time from a day and the seconds since midnight.
    package init(day: LocalDay, secondOfDay: Int) {
        self.day = day
        self.secondOfDay = secondOfDay
    }

    /// Creates a time from a day, an hour, a minute and a second.
    package init(day: LocalDay, hour: Int, minute: Int, second: Int = 0) {
        self.init(day: day, secondOfDay: (hour * 60 + minute) * 60 + second)
    }

    /// The hour, 0 to 23.
    package var hour: Int { secondOfDay / 3_600 }
    /// The minute, 0 to 59.
    package var minute: Int { secondOfDay / 60 % 60 }
    /// The second, 0 to 59.
    package var second: Int { secondOfDay % 60 }

    /// Orders times.
    package static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.day, left.secondOfDay) < (right.day, right.secondOfDay)
    }
}
