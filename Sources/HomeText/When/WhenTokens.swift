import HomeModel

/// The words of a description of when an automation runs, read from first to last.
struct WhenTokens: Sendable {
    /// A word, a comma, a parenthesis, or a quoted name.
    struct Token: Hashable, Sendable {
        /// The text as it was written, without quotation marks.
        var text: String
        /// The text in lower case, for keywords; empty for a quoted name, which is never a keyword.
        var word: String
        var isQuoted: Bool { word.isEmpty }

        init(_ text: String, isQuoted: Bool = false) {
            self.text = text
            word = isQuoted ? "" : text.lowercased()
        }
    }

    private static let quotes: [Character: Set<Character>] = [
        "\"": ["\"", "”", "“"], "“": ["”", "“", "\""], "„": ["“", "”", "\""],
    ]

    let tokens: [Token]
    var position = 0

    /// Splits a text at spaces and around commas and parentheses. Text in double quotation marks is one token.
    init(_ text: String) {
        var tokens: [Token] = []
        var word = ""
        var closing: Set<Character>?
        func end() {
            guard !word.isEmpty else { return }
            tokens += Self.signs(word).map { Token($0) }
            word = ""
        }
        for character in text {
            if let marks = closing {
                guard marks.contains(character) else {
                    word.append(character)
                    continue
                }
                tokens.append(Token(word, isQuoted: true))
                (word, closing) = ("", nil)
            } else if let marks = Self.quotes[character] {
                end()
                closing = marks
            } else if character.isWhitespace {
                end()
            } else if [",", "(", ")", ";"].contains(character) {
                end()
                tokens.append(Token(String(character == ";" ? "," : character)))
            } else {
                word.append(character)
            }
        }
        // A text may end as a sentence does.
        if closing == nil, word.count > 1, word.hasSuffix(".") { word.removeLast() }
        end()
        self.tokens = tokens
    }

    init(_ tokens: [Token], _ position: Int) {
        self.tokens = tokens
        self.position = position
    }

    /// Separates the sign in `sunset-20m`.
    private static func signs(_ word: String) -> [String] {
        for sun in ["sunset", "sunrise"] where word.lowercased().hasPrefix(sun) {
            let rest = word.dropFirst(sun.count)
            if let sign = rest.first, "+-−–".contains(sign) {
                return [String(word.prefix(sun.count)), String(sign), String(rest.dropFirst())].filter { !$0.isEmpty }
            }
        }
        return [word]
    }

    var isAtEnd: Bool { position >= tokens.count }

    /// The next token; `nil` at the end.
    var next: Token? { position < tokens.count ? tokens[position] : nil }

    /// Returns whether the next words are the given ones.
    func has(_ phrase: String) -> Bool { length(of: phrase) != nil }

    /// Returns the number of tokens of a phrase if the next tokens are its words.
    func length(of phrase: String) -> Int? {
        var index = position
        for word in phrase.split(separator: " ") {
            guard index < tokens.count, tokens[index].word == word else { return nil }
            index += 1
        }
        return index - position
    }

    /// Consumes the given words if they are next.
    mutating func consume(_ phrase: String) -> Bool {
        guard let length = length(of: phrase) else { return false }
        position += length
        return true
    }

    /// Consumes the first of several phrases that is next.
    mutating func consumeAny(of phrases: [String]) -> Bool {
        for phrase in phrases where consume(phrase) { return true }
        return false
    }

    /// Runs a closure and returns to the present position if its result is `nil`.
    mutating func attempt<Result>(_ body: (inout WhenTokens) -> Result?) -> Result? {
        let start = position
        if let result = body(&self) { return result }
        position = start
        return nil
    }

    /// Returns the text of a range of tokens.
    func text(_ range: Range<Int>) -> String {
        tokens[range].reduce(into: "") { text, token in
            let isClosing = [",", ")"].contains(token.word)
            if !text.isEmpty, !isClosing, !text.hasSuffix("(") { text += " " }
            text += token.isQuoted ? "“\(token.text)”" : token.text
        }
    }
}

// MARK: Numbers and times

extension WhenTokens {
    /// Consumes a whole number of up to four digits.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        guard let next, let number = Self.digits(next.word), range.contains(number) else { return nil }
        position += 1
        return number
    }

    private static func digits(_ digits: some StringProtocol) -> Int? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }

    /// Consumes a distance above 0 and returns its meters: `200 m`, `1.5km`.
    mutating func distance() -> Double? {
        attempt { tokens in
            guard let word = tokens.next?.word, !word.isEmpty else { return nil }
            tokens.position += 1
            let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            var unit = String(word.dropFirst(digits.count))
            if unit.isEmpty {
                unit = tokens.next?.word ?? ""
                tokens.position += 1
            }
            let scales = ["m": 1.0, "meter": 1, "meters": 1, "km": 1_000, "kilometer": 1_000, "kilometers": 1_000]
            guard let count = Double(digits), count > 0, let scale = scales[unit] else { return nil }
            return count * scale
        }
    }

    /// Consumes a latitude and a longitude in degrees: `52.52, 13.405`.
    mutating func place() -> Place? {
        attempt { tokens in
            guard let latitude = tokens.degrees() else { return nil }
            _ = tokens.consume(",")
            guard let longitude = tokens.degrees() else { return nil }
            let place = Place(latitude: latitude, longitude: longitude)
            return place.isValid ? place : nil
        }
    }

    private mutating func degrees() -> Double? {
        guard let word = next?.word, let degrees = Double(word) else { return nil }
        position += 1
        return degrees
    }

    /// Consumes a time of day: `19:00`, `7:30 pm`, `7pm`, `noon`, `midnight`.
    mutating func time() -> (hour: Int, minute: Int)? {
        attempt { tokens in
            if tokens.consume("noon") { return (12, 0) }
            if tokens.consume("midnight") { return (0, 0) }
            guard var word = tokens.next?.word[...] else { return nil }
            tokens.position += 1
            var half = ["am", "pm"].first { word.hasSuffix($0) }
            if let half { word = word.dropLast(half.count) }
            if half == nil { half = ["am", "pm"].first { tokens.consume($0) } }
            if half == nil, tokens.consume("o'clock") || tokens.consume("o’clock") { word += ":00" }
            let parts = word.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
            guard parts.count == 2 || (parts.count == 1 && half != nil), let hour = Self.digits(parts[0]) else {
                return nil
            }
            var minute = 0
            if parts.count == 2 {
                guard parts[1].utf8.count == 2, let given = Self.digits(parts[1]) else { return nil }
                minute = given
            }
            guard (0...59).contains(minute), parts[0].utf8.count <= 2 else { return nil }
            guard let half else { return (0...23).contains(hour) ? (hour, minute) : nil }
            guard (1...12).contains(hour) else { return nil }
            return (hour % 12 + (half == "pm" ? 12 : 0), minute)
        }
    }

    /// Consumes a time of day, or an hour alone where only a time can follow: `19:00`, `7`.
    mutating func timeOrHour(_ months: [String]) -> (hour: Int, minute: Int)? {
        if let time = time() { return time }
        return attempt { tokens in
            guard let hour = tokens.number(0...23) else { return nil }
            // “at 24 December”, “after 10 minutes”
            var rest = tokens
            let isCount = rest.unit() != nil || rest.month(months) != nil || rest.consume("of")
            return isCount ? nil : (hour, 0)
        }
    }

    /// Returns whether the next token has the form of a time, whether or not there is such a time.
    var hasTimeForm: Bool {
        guard let word = next?.word, let first = word.first, first.isNumber else { return false }
        return word.contains(":")
    }

    /// Consumes a duration: `10m`, `1h30m`, `10 minutes`, `an hour`, `1 hour and 30 minutes`.
    mutating func duration() -> [(count: Int, unit: DurationText.Unit)]? {
        attempt { tokens in
            var parts: [(count: Int, unit: DurationText.Unit)] = []
            while true {
                let more = tokens.attempt { tokens in
                    if !parts.isEmpty { _ = tokens.consume("and") || tokens.consume(",") }
                    return tokens.durationPart()
                }
                guard let more else { break }
                parts += more
            }
            return parts.isEmpty ? nil : parts
        }
    }

    private mutating func durationPart() -> [(count: Int, unit: DurationText.Unit)]? {
        attempt { tokens in
            if tokens.consume("an hour and a half") { return [(1, .hour), (30, .minute)] }
            if tokens.consumeAny(of: ["half an hour", "half hour"]) { return [(30, .minute)] }
            if tokens.consume("a quarter of an hour") { return [(15, .minute)] }
            if tokens.consume("a") || tokens.consume("an") || tokens.consume("one") {
                guard let unit = tokens.unit() else { return nil }
                return [(1, unit)]
            }
            if let count = tokens.number(0...9_999) {
                guard let unit = tokens.unit() else { return nil }
                return [(count, unit)]
            }
            guard let word = tokens.next?.word, !word.isEmpty else { return nil }
            tokens.position += 1
            var parts: [(Int, DurationText.Unit)] = []
            var rest = word[...]
            while !rest.isEmpty {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                rest = rest.dropFirst(digits.count)
                let letters = rest.prefix { $0.isLetter }
                rest = rest.dropFirst(letters.count)
                guard let count = Self.digits(digits), let unit = DurationText.Unit(letters) else { return nil }
                parts.append((count, unit))
            }
            return parts
        }
    }

    private mutating func unit() -> DurationText.Unit? {
        guard let next, let unit = DurationText.Unit(next.word) else { return nil }
        position += 1
        return unit
    }

    /// Consumes a date: `2026-12-24`, `24 December`, `December 24, 2026`.
    mutating func date(_ months: [String]) -> (year: Int?, month: Int, day: Int)? {
        attempt { tokens in
            if let next = tokens.next {
                let parts = next.word.split(separator: "-", omittingEmptySubsequences: false)
                if parts.count == 3, parts[0].utf8.count == 4, let year = Self.digits(parts[0]),
                    let month = Self.digits(parts[1]), let day = Self.digits(parts[2]), (1...12).contains(month),
                    (1...31).contains(day)
                {
                    tokens.position += 1
                    return (year, month, day)
                }
            }
            _ = tokens.consume("the")
            let first = tokens.dayOfMonth()
            if first != nil { _ = tokens.consume("of") }
            guard let month = tokens.month(months), let day = first ?? tokens.dayOfMonth() else { return nil }
            let year = tokens.attempt { tokens in
                _ = tokens.consume(",")
                return tokens.number(1_970...9_999)
            }
            return (year, month, day)
        }
    }

    /// Consumes a day of a month: `24`, `1st`, `first`.
    mutating func dayOfMonth() -> Int? {
        guard let word = next?.word else { return nil }
        if let index = Self.ordinals.firstIndex(of: word) {
            position += 1
            return index + 1
        }
        let digits = ["st", "nd", "rd", "th"].first { word.hasSuffix($0) }.map { word.dropLast($0.count) } ?? word[...]
        guard let day = Self.digits(digits), (1...31).contains(day) else { return nil }
        position += 1
        return day
    }

    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]

    private mutating func month(_ months: [String]) -> Int? {
        guard let word = next?.word, word.count >= 3 else { return nil }
        let abbreviation = word.hasSuffix(".") ? String(word.dropLast()) : word
        let match = months.firstIndex { month in
            let month = month.lowercased()
            return month == abbreviation || month.prefix(3) == abbreviation
        }
        guard let match else { return nil }
        position += 1
        return match + 1
    }

    /// Consumes days of the week: `weekdays`, `Mondays and Fridays`, `Monday`. A whole week is an empty list.
    mutating func days(_ names: [String]) -> [Int]? {
        if consumeAny(of: ["weekdays", "weekday", "workdays", "workday"]) { return [2, 3, 4, 5, 6] }
        if consumeAny(of: ["weekends", "weekend"]) { return [1, 7] }
        guard let first = day(names) else { return nil }
        var days: Set<Int> = [first]
        while true {
            let more = attempt { tokens in
                _ = tokens.consume(",")
                _ = tokens.consume("and") || tokens.consume("or")
                return tokens.day(names)
            }
            guard let more else { break }
            days.insert(more)
        }
        return days.count == 7 ? [] : days.sorted()
    }

    /// Consumes one day of the week.
    mutating func day(_ names: [String]) -> Int? {
        guard let word = next?.word else { return nil }
        let match = names.firstIndex { name in
            let name = name.lowercased()
            return word == name || word == name + "s" || word == name.prefix(3)
        }
        guard let match else { return nil }
        position += 1
        return match + 1
    }
}
