/// A day of the proleptic Gregorian calendar.
package struct LocalDay: Hashable, Comparable, Sendable {
    /// The number of days since January 1, 1970.
    package var number: Int

    /// Creates a day from the number of days since January 1, 1970.
    package init(number: Int) {
        self.number = number
    }

    /// Creates a day from its date. A month or a day out of range is carried over, as February 30 to March.
    package init(year: Int, month: Int, day: Int) {
        // A year that begins in March has its leap day at the end. An era is 400 years, after which the calendar repeats.
        let monthsSinceMarch = year * 12 + month - 3
        let (marchYear, monthOfYear) = monthsSinceMarch.quotientAndRemainder(flooringBy: 12)
        let (era, yearOfEra) = marchYear.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * monthOfYear + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * Self.daysPerEra + dayOfEra - Self.daysToEpoch
    }

    /// The year, the month (1 to 12) and the day of the month (1 to 31).
    package var date: (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + Self.daysToEpoch).quotientAndRemainder(flooringBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthOfYear = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthOfYear + 2) / 5 + 1
        let month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    /// The day of the week, 1 (Sunday) to 7.
    package var weekday: Int {
        // January 1, 1970 was a Thursday.
        (number + 4).quotientAndRemainder(flooringBy: 7).remainder + 1
    }

    /// Orders days by time.
    package static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }

    /// Returns the day that is a number of days later.
    package static func + (day: LocalDay, days: Int) -> LocalDay { LocalDay(number: day.number + days) }

    private static let daysPerEra = 146_097
    /// The days from March 1 of the year 0 to January 1, 1970.
    private static let daysToEpoch = 719_468
}
