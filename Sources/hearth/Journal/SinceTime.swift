import Foundation
import HomeText

/// The start of a period: a duration before now such as `2h`, a time of day, or a date.
enum SinceTime {
    /// The calendar's formats, from the most to the least exact.
    private static let formats = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd"]

    /// Returns the time that a text means.
    ///
    /// - Throws: `invalidTime` if it can't be understood.
    static func date(of text: String, at time: HubTime) throws(CommandFailure) -> Date {
        if let seconds = DurationText.seconds(of: text) { return time.now - Double(seconds) }
        if let date = try? Date(text, strategy: .iso8601) { return date }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = time.timeZone
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = calendar
        formatter.timeZone = time.timeZone
        for format in formats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text.replacing("T", with: " ")) { return date }
        }
        let parts = text.split(separator: ":").map { Int($0) }
        if parts.count == 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute),
            let today = calendar.date(bySettingHour: hour, minute: minute, second: 0, of: time.now)
        {
            // The last time that the clock showed it.
            return today <= time.now ? today : calendar.date(byAdding: .day, value: -1, to: today) ?? today
        }
        throw CommandFailure(
            "invalidTime",
            "“\(text)” is not a time. Use a duration such as 2h or 7d, a time such as 19:00, or a date such as 2026-11-22."
        )
    }
}
