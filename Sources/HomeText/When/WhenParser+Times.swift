import Foundation
import HomeModel

extension WhenParser {
    /// Consumes a timer: “every 2 hours from 08:00”, “once on 2026-12-24 at 18:00”; `nil` if something else is next.
    mutating func timer() throws(WhenError) -> TimerSchedule? {
        let start = tokens.position
        if tokens.consumeAny(of: ["every", "each"]) {
            // “every day at 7:30” is a time of day, which can have conditions.
            let hasStart = ["day from", "day starting", "day beginning"].contains { tokens.has($0) }
            if hasStart || !tokens.has("day"), let interval = interval() { return try recurring(interval) }
            tokens.position = start
            return nil
        }
        if let schedule = try timerAfterDuration() { return schedule }
        if tokens.consume("once") { _ = tokens.consume("on") } else { _ = tokens.consume("on") }
        if let schedule = try timerOnce() { return schedule }
        tokens.position = start
        return nil
    }

    /// Consumes “in 10 minutes”; `nil` if something else is next.
    private mutating func timerAfterDuration() throws(WhenError) -> TimerSchedule? {
        let start = tokens.position
        _ = tokens.consume("once")
        guard tokens.consume("in"), let duration = tokens.duration() else {
            tokens.position = start
            return nil
        }
        let seconds = duration.reduce(0) { $0 + $1.count * $1.unit.rawValue }
        // A timer fires at whole minutes.
        let minutes = ((now.timeIntervalSince1970 + Double(seconds)) / 60).rounded(.up)
        return TimerSchedule(fireDate: Date(timeIntervalSince1970: minutes * 60))
    }

    /// Consumes the unit, or the units with their counts, of an interval.
    private mutating func interval() -> RecurrenceInterval? {
        if let next = tokens.next, let unit = DurationText.Unit(next.word), unit != .second {
            tokens.position += 1
            return Self.interval([(1, unit)])
        }
        if tokens.consume("other"), let next = tokens.next, let unit = DurationText.Unit(next.word), unit != .second {
            tokens.position += 1
            return Self.interval([(2, unit)])
        }
        return tokens.duration().map(Self.interval)
    }

    private static func interval(_ parts: [(count: Int, unit: DurationText.Unit)]) -> RecurrenceInterval {
        var interval = RecurrenceInterval()
        for part in parts {
            switch part.unit {
            case .week: interval.weeks += part.count
            case .day: interval.days += part.count
            case .hour: interval.hours += part.count
            case .minute: interval.minutes += part.count
            case .second: interval.seconds += part.count
            }
        }
        return interval
    }

    private mutating func recurring(_ interval: RecurrenceInterval) throws(WhenError) -> TimerSchedule {
        guard tokens.consumeAny(of: ["from", "starting at", "starting", "beginning at", "beginning", "at"]) else {
            // Without a start, it begins with the next minute.
            let minutes = (now.timeIntervalSince1970 / 60).rounded(.down) + 1
            return TimerSchedule(fireDate: Date(timeIntervalSince1970: minutes * 60), recurrence: interval)
        }
        _ = tokens.consume("on")
        let date = tokens.date(language.months)
        _ = tokens.consume(",")
        _ = tokens.consume("at")
        guard let time = tokens.timeOrHour(language.months) else {
            throw unexpected("Use a start such as “from 08:00” or “from 2026-12-01 08:00”")
        }
        let zone = self.zone()
        return TimerSchedule(
            fireDate: try self.date(date, time, in: zone ?? timeZone),
            timeZone: zone?.identifier,
            recurrence: interval
        )
    }

    /// Consumes a date with a year, today or tomorrow, and a time; `nil` if something else is next.
    private mutating func timerOnce() throws(WhenError) -> TimerSchedule? {
        let start = tokens.position
        if tokens.consume("at"), let time = tokens.timeOrHour(language.months), let date = relativeDay() {
            return TimerSchedule(fireDate: try self.date(date, time, in: timeZone))
        }
        tokens.position = start
        guard let date = relativeDay() ?? tokens.date(language.months), date.year != nil else {
            tokens.position = start
            return nil
        }
        _ = tokens.consume(",")
        _ = tokens.consume("at")
        guard let time = tokens.timeOrHour(language.months) else { throw unexpected("Use a time such as “at 18:00”") }
        let zone = self.zone()
        return TimerSchedule(fireDate: try self.date(date, time, in: zone ?? timeZone), timeZone: zone?.identifier)
    }

    private mutating func relativeDay() -> (year: Int?, month: Int, day: Int)? {
        let isTomorrow = tokens.consume("tomorrow")
        guard isTomorrow || tokens.consume("today") else { return nil }
        let calendar = Calendar.gregorian(in: timeZone)
        let day = isTomorrow ? calendar.date(byAdding: .day, value: 1, to: now) ?? now : now
        let parts = calendar.dateComponents([.year, .month, .day], from: day)
        return (parts.year, parts.month ?? 1, parts.day ?? 1)
    }

    /// Consumes the identifier of a time zone, such as `Europe/Berlin`.
    private mutating func zone() -> TimeZone? {
        guard let next = tokens.next, !next.isQuoted, next.text.contains("/") || ["utc", "gmt"].contains(next.word),
            let zone = TimeZone(identifier: next.text)
        else { return nil }
        tokens.position += 1
        return zone
    }

    /// Returns the date of a day, or of today, at a time.
    private func date(
        _ date: (year: Int?, month: Int, day: Int)?,
        _ time: (hour: Int, minute: Int),
        in zone: TimeZone
    ) throws(WhenError) -> Date {
        let calendar = Calendar.gregorian(in: zone)
        let today = calendar.dateComponents([.year, .month, .day], from: now)
        var parts = DateComponents()
        parts.year = date?.year ?? today.year
        parts.month = date?.month ?? today.month
        parts.day = date?.day ?? today.day
        parts.hour = time.hour
        parts.minute = time.minute
        guard let result = calendar.date(from: parts) else {
            throw WhenError(.notUnderstood, "The date isn't in the calendar.")
        }
        let found = calendar.dateComponents([.year, .month, .day], from: result)
        guard found.year == parts.year, found.month == parts.month, found.day == parts.day else {
            let day = "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0)"
            throw WhenError(.notUnderstood, "There is no day \(day).")
        }
        return result
    }

    // MARK: The sun

    /// Consumes a moment of the sun: “sunset”, “sunset - 20m”, “20 minutes before sunset”.
    mutating func sun() throws(WhenError) -> SunMoment? {
        let start = tokens.position
        if let event = sunEvent() {
            guard let sign = try sign() else { return SunMoment(event) }
            guard let duration = tokens.duration() else { throw unexpected("Use an offset such as “sunset - 20m”") }
            return SunMoment(event, offset: try minutes(duration, sign))
        }
        if let duration = tokens.duration() {
            let sign = tokens.consume("before") ? -1 : tokens.consume("after") ? 1 : 0
            if sign != 0, let event = sunEvent() { return SunMoment(event, offset: try minutes(duration, sign)) }
        }
        tokens.position = start
        return nil
    }

    private static let sunsetWords = [
        "sunset", "sundown", "dusk", "nightfall", "the sun sets", "the sun goes down", "it gets dark",
    ]
    private static let sunriseWords = [
        "sunrise", "sunup", "dawn", "daybreak", "the sun rises", "the sun comes up", "it gets light",
    ]

    private mutating func sunEvent() -> SunMoment.Event? {
        _ = tokens.has("the sunset") || tokens.has("the sunrise") ? tokens.consume("the") : false
        if tokens.consumeAny(of: Self.sunsetWords) { return .sunset }
        return tokens.consumeAny(of: Self.sunriseWords) ? .sunrise : nil
    }

    /// Consumes a sign, which may be joined to the duration after it.
    private mutating func sign() throws(WhenError) -> Int? {
        if tokens.consumeAny(of: ["-", "−", "–", "minus"]) { return -1 }
        if tokens.consumeAny(of: ["+", "plus"]) { return 1 }
        guard let next = tokens.next, let first = next.word.first, "+-−–".contains(first), next.word.count > 1 else {
            return nil
        }
        tokens = tokens.splittingFirstCharacter()
        tokens.position += 1
        return first == "+" ? 1 : -1
    }

    private func minutes(_ duration: [(count: Int, unit: DurationText.Unit)], _ sign: Int) throws(WhenError) -> Int {
        let seconds = duration.reduce(0) { $0 + $1.count * $1.unit.rawValue }
        guard seconds.isMultiple(of: 60) else {
            throw WhenError(
                .notUnderstood,
                "An offset from sunrise or sunset is in whole minutes, as in “sunset - 20m”."
            )
        }
        guard seconds / 60 <= HomeLimits.sunOffset else {
            throw WhenError(.invalidParameter, "An offset from sunrise or sunset is at most 12 hours.")
        }
        return sign * seconds / 60
    }

    // MARK: Calendar moments

    /// The days of the months in a leap year.
    private static let daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    /// Consumes a calendar moment: “19:00”, “24 December at 18:00”, “day 1 of every month at 08:00”, “minute 30 of every
    /// hour”.
    mutating func calendarMoment() throws(WhenError) -> CalendarMoment? {
        if let time = tokens.time() { return CalendarMoment(hour: time.hour, minute: time.minute) }
        let start = tokens.position
        if tokens.consume("minute"), let minute = tokens.number(0...59),
            tokens.consumeAny(of: ["of every hour", "of each hour"])
        {
            return CalendarMoment(minute: minute)
        }
        tokens.position = start
        if let day = monthlyDay() {
            let time = try timeOfDay()
            return CalendarMoment(day: day, hour: time.hour, minute: time.minute)
        }
        guard let date = tokens.date(language.months) else { return nil }
        guard date.year == nil else {
            throw WhenError(.notUnderstood, "A date with a year happens once: it can't be joined with other events.")
        }
        guard date.day <= Self.daysOfMonths[date.month - 1] else {
            throw WhenError(.notUnderstood, "There is no \(date.day) \(language.months[date.month - 1]).")
        }
        let time = try timeOfDay()
        return CalendarMoment(month: date.month, day: date.day, hour: time.hour, minute: time.minute)
    }

    private mutating func monthlyDay() -> Int? {
        tokens.attempt { tokens in
            _ = tokens.consume("the")
            _ = tokens.consume("day")
            guard let day = tokens.dayOfMonth(),
                tokens.consumeAny(of: ["of every month", "of each month", "of the month", "day of every month"])
            else { return nil }
            return day
        }
    }

    private mutating func timeOfDay() throws(WhenError) -> (hour: Int, minute: Int) {
        _ = tokens.consume(",")
        _ = tokens.consume("at")
        guard let time = tokens.timeOrHour(language.months) else { throw unexpected("Use a time such as “at 18:00”") }
        return time
    }
}

extension WhenTokens {
    /// Returns the tokens with the first character of the next token as a token of its own.
    func splittingFirstCharacter() -> WhenTokens {
        guard let next else { return self }
        var all = tokens
        all[position...position] = [Token(String(next.text.prefix(1))), Token(String(next.text.dropFirst()))]
        return WhenTokens(all, position)
    }
}
