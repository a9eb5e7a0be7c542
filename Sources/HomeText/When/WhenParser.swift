package import Foundation
package import HomeModel

/// Reads when an automation runs: “at 19:00 on weekdays, if Ann is home, for 10 minutes”.
///
/// It reads what ``TriggerSentence/when(_:)`` writes, and other ways to say the same. Names are compared as the home
/// compares them, and the longest name that fits is meant. Nothing is guessed: a text that isn't understood from its
/// first to its last word is an error.
package struct WhenParser {
    /// The characters of a text.
    package static let maximumLength = 2_000
    /// The levels of parentheses and “not”.
    package static let maximumDepth = 20

    /// The forms of a time or event, for messages.
    static let forms = """
        “at 19:00”, “at sunset - 20m”, “on 24 December at 18:00”, “every 2 hours from 08:00”, \
        “when Front Door unlocks”, “when the last person leaves”
        """

    let vocabulary: HomeVocabulary
    let language: Language
    let now: Date
    let timeZone: TimeZone
    let newID: () -> UUID
    var tokens: WhenTokens
    var depth = 0

    /// Returns the definition of a trigger that runs at the given times or events.
    ///
    /// - Parameters:
    ///   - text: The text, at most ``maximumLength`` characters.
    ///   - vocabulary: The names of the home.
    ///   - now: The hub's time, with which recurring timers begin.
    ///   - timeZone: The hub's time zone.
    ///   - newID: Creates the IDs of events.
    /// - Throws: ``WhenError`` with the part that wasn't understood and what would be.
    package static func definition(
        of text: String,
        in vocabulary: HomeVocabulary,
        now: Date,
        timeZone: TimeZone,
        newID: @escaping () -> UUID = { UUID() }
    ) throws(WhenError) -> TriggerDefinition {
        guard text.count <= maximumLength else {
            throw WhenError(.tooLong, "The text has \(text.count) characters. At most \(maximumLength) are read.")
        }
        var parser = WhenParser(
            vocabulary: vocabulary,
            language: vocabulary.language,
            now: now,
            timeZone: timeZone,
            newID: newID,
            tokens: WhenTokens(text)
        )
        return try parser.definition()
    }

    private mutating func definition() throws(WhenError) -> TriggerDefinition {
        guard !tokens.isAtEnd else {
            throw WhenError(.notUnderstood, "The text is empty. Use a form such as \(Self.forms).")
        }
        if let schedule = try timer() {
            guard tokens.isAtEnd else {
                throw unexpected(
                    "A timer (“every …” or “once on” a date) has no days, conditions or end. “at 19:00 on weekdays” can have them"
                )
            }
            return .timer(schedule)
        }
        var rule = EventRule(events: [])
        rule.executesOnce = tokens.consume("once")
        let firstDays = try leadingDays()
        rule.events = try events()
        var days = firstDays
        while !tokens.isAtEnd {
            try clause(of: &rule, &days)
        }
        rule.weekdays = days ?? []
        return .event(rule)
    }

    /// Consumes days at the beginning: “on Mondays at 8:00”, “every weekday at 8:00”.
    private mutating func leadingDays() throws(WhenError) -> [Int]? {
        let start = tokens.position
        guard let days = try? self.days() else {
            tokens.position = start
            return nil
        }
        _ = tokens.consume(",")
        return days
    }

    private static let everyDay =
        ["daily", "on every day", "on all days"]
        + ["every", "each"].flatMap { each in
            ["day", "morning", "afternoon", "evening", "night"].map { "\(each) \($0)" }
        }

    /// Consumes “on Mondays”, “every day”, “daily”; `nil` if something else is next.
    private mutating func days() throws(WhenError) -> [Int]? {
        if tokens.consumeAny(of: Self.everyDay) { return [] }
        guard tokens.consumeAny(of: ["on every", "every", "each", "on"]) else {
            return tokens.has("weekdays") || tokens.has("weekends") ? tokens.days(language.days) : nil
        }
        guard let days = tokens.days(language.days) else {
            throw unexpected("Use days such as “on weekdays” or “on Mondays and Fridays”")
        }
        return days
    }

    private mutating func clause(of rule: inout EventRule, _ days: inout [Int]?) throws(WhenError) {
        _ = tokens.consume(",")
        if tokens.isAtEnd { throw missing("Use a condition (“if …”), days (“on …”) or an end (“for …”, “until …”)") }
        let start = tokens.position
        if let condition = try conditionClause(after: rule.events) {
            guard rule.condition == nil else {
                tokens.position = start
                throw unexpected("There is a condition already. Join conditions with “and” or “or”")
            }
            rule.condition = condition
        } else if tokens.consumeAny(of: ["once", "only once"]) {
            rule.executesOnce = true
        } else if let ends = try ends(after: rule.events) {
            rule.endEvents += ends
        } else if tokens.consume("and") {
            // “when Front Door unlocks and it is dark”
            guard rule.condition == nil else {
                tokens.position = start
                throw unexpected("There is a condition already. Join conditions with “and” or “or”")
            }
            rule.condition = try condition()
        } else {
            guard let more = try self.days() else {
                throw unexpected(
                    "Use a condition (“if …”), days (“on …”), an end (“for …”, “until …”) or another event (“or …”)"
                )
            }
            guard days == nil else {
                tokens.position = start
                throw unexpected("The days are given already")
            }
            days = more
        }
    }

    // MARK: Messages

    /// Returns the error that the next words are not understood.
    ///
    /// - Parameter advice: What would be understood, as a sentence without its period.
    func unexpected(_ advice: String) -> WhenError {
        guard !tokens.isAtEnd else { return missing(advice) }
        let rest = Self.shortened(tokens.text(tokens.position..<tokens.tokens.count))
        let before = tokens.text(0..<tokens.position)
        let place = before.isEmpty ? "" : " after “\(Self.shortenedAtStart(before))”"
        return WhenError(.notUnderstood, "“\(rest)” is not understood\(place). \(advice).")
    }

    /// Returns the error that the text ends too early.
    func missing(_ advice: String) -> WhenError {
        let before = Self.shortenedAtStart(tokens.text(0..<tokens.position))
        return WhenError(.notUnderstood, "Something is missing after “\(before)”. \(advice).")
    }

    private static func shortened(_ text: String) -> String { text.count > 60 ? "\(text.prefix(60))…" : text }
    private static func shortenedAtStart(_ text: String) -> String { text.count > 60 ? "…\(text.suffix(60))" : text }
}
