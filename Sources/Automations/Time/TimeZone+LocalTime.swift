package import Foundation
import HomeModel

extension TimeZone {
    private static let secondsPerDay = 86_400

    /// Returns what a clock in this zone shows at an instant, to the second.
    package func localTime(at instant: Date) -> LocalTime {
        let seconds = Int(instant.milliseconds).quotientAndRemainder(flooringBy: 1_000).quotient
        return Self.localTime(ofSeconds: seconds + offset(atSeconds: seconds))
    }

    /// Returns the instant at which a clock in this zone shows a time.
    ///
    /// A time that occurs twice, because clocks are set back, is the first of both. A time that is skipped, because clocks
    /// are set forward, is as long after the change as it would have been without it: where 2:00 becomes 3:00, 2:30
    /// is 3:30. This is how Apple's calendars add days.
    package func instant(of time: LocalTime) -> Date {
        Date(milliseconds: Int64(seconds(of: time)) * 1_000)
    }

    /// Returns the instant of ``instant(of:)`` in seconds since 1970.
    func seconds(of time: LocalTime) -> Int {
        let local = time.day.number * Self.secondsPerDay + time.secondOfDay
        // No two changes are within two days, so one of these offsets applies.
        let before = offset(atSeconds: local - Self.secondsPerDay)
        let after = offset(atSeconds: local + Self.secondsPerDay)
        let candidates = [local - before, local - after].filter { offset(atSeconds: $0) == local - $0 }
        return candidates.min() ?? local - before
    }

    /// Returns whether clocks have been set forward in the two days before an instant.
    func skipsTime(before instant: Date) -> Bool {
        let seconds = Int(instant.milliseconds).quotientAndRemainder(flooringBy: 1_000).quotient
        return offset(atSeconds: seconds) > offset(atSeconds: seconds - 2 * Self.secondsPerDay)
    }

    private func offset(atSeconds seconds: Int) -> Int {
        secondsFromGMT(for: Date(milliseconds: Int64(seconds) * 1_000))
    }

    private static func localTime(ofSeconds seconds: Int) -> LocalTime {
        let (day, second) = seconds.quotientAndRemainder(flooringBy: secondsPerDay)
        return LocalTime(day: LocalDay(number: day), secondOfDay: second)
    }
}
