package import HomeModel

/// Durations in people's words: “10 minutes”, “1 hour and 30 minutes”.
package struct DurationText: Sendable {
    /// The units, in seconds, the longest first.
    private static let units: [(seconds: Int, one: Phrase, many: Phrase)] = [
        (604_800, .week, .weeks), (86_400, .day, .days), (3_600, .hour, .hours), (60, .minute, .minutes),
        (1, .second, .seconds),
    ]

    /// The language.
    package let language: Language

    /// Creates the words of a language.
    package init(language: Language = .english) {
        self.language = language
    }

    /// Returns the words for a number of seconds, without weeks and days: “36 hours”.
    package func text(seconds: Int) -> String {
        text(of: seconds, Self.units.dropFirst(2))
    }

    /// Returns the words for the interval of a timer. A single unit that occurs once has no number: “every hour”.
    package func text(_ interval: RecurrenceInterval) -> String {
        let counts = [interval.weeks, interval.days, interval.hours, interval.minutes, interval.seconds]
        let parts = zip(counts, Self.units).filter { $0.0 != 0 }
        if parts.count == 1, let part = parts.first, part.0 == 1 {
            return String(words(1, part.1).drop { $0 == "1" || $0 == " " })
        }
        return parts.isEmpty ? words(0, Self.units[3]) : language.list(parts.map { words($0.0, $0.1) })
    }

    private func text(of seconds: Int, _ units: ArraySlice<(seconds: Int, one: Phrase, many: Phrase)>) -> String {
        var rest = seconds
        var parts: [String] = []
        for unit in units {
            let count = rest / unit.seconds
            rest -= count * unit.seconds
            if count != 0 { parts.append(words(count, unit)) }
        }
        return parts.isEmpty ? words(0, Self.units[3]) : language.list(parts)
    }

    private func words(_ count: Int, _ unit: (seconds: Int, one: Phrase, many: Phrase)) -> String {
        language.text(count == 1 ? unit.one : unit.many, ["count": "\(count)"])
    }
}

extension DurationText {
    /// A unit of time, for reading.
    enum Unit: Int, CaseIterable {
        case second = 1
        case minute = 60
        case hour = 3_600
        case day = 86_400
        case week = 604_800

        /// Creates a unit from a word such as `m`, `min` or `minutes`.
        init?(_ word: some StringProtocol) {
            switch word.lowercased() {
            case "s", "sec", "secs", "second", "seconds": self = .second
            case "m", "min", "mins", "minute", "minutes": self = .minute
            case "h", "hr", "hrs", "hour", "hours": self = .hour
            case "d", "day", "days": self = .day
            case "w", "week", "weeks": self = .week
            default: return nil
            }
        }
    }

    /// Returns the seconds of a duration such as `90s`, `5m`, `1h30m`, `7d`, `2 weeks` or `1 hour and 30 minutes`.
    ///
    /// - Returns: The seconds; `nil` if the text isn't a duration, or if it is longer than 9,999 of its units.
    package static func seconds(of text: String) -> Int? {
        var parser = WhenTokens(text)
        guard let parts = parser.duration(), parser.isAtEnd else { return nil }
        return parts.reduce(0) { $0 + $1.count * $1.unit.rawValue }
    }
}
