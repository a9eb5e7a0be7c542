import Foundation
import HAPCatalog
import HomeModel

extension WhenParser {
    private static let conditionals = [
        "if", "only if", "but only if", "and only if", "and if", "while", "only while", "as long as", "only when",
        "but only when", "and only when",
    ]
    /// What begins a condition that is about the time, so that nothing has to introduce it.
    private static let timeWords =
        ["between", "before", "after"] + nightWords + dayWords
    private static let nightWords = ["at night", "during the night", "by night", "after dark", "in the dark"]
    private static let dayWords = ["during the day", "by day", "in the daytime"]

    /// Consumes “if it is dark”, “unless Ann is home”, “between 22:00 and 06:00”; `nil` if something else is next.
    ///
    /// - Parameter events: The events before it.
    mutating func conditionClause(after events: [TriggerEvent]) throws(WhenError) -> Condition? {
        if tokens.consumeAny(of: Self.conditionals) { return try condition() }
        if tokens.consumeAny(of: ["unless", "but not if", "except if", "except when"]) { return .not(try condition()) }
        if Self.timeWords.contains(where: tokens.has) { return try condition() }
        // “at 19:00 when Ann is home”: a time has no second event without “or”.
        let areTimes = events.allSatisfy { event in
            switch event.occurrence {
            case .calendar, .sun: true
            default: false
            }
        }
        return areTimes && tokens.consume("when") ? try condition() : nil
    }

    /// Consumes a condition. “and” binds more tightly than “or”.
    mutating func condition() throws(WhenError) -> Condition {
        var terms = [try conjunction()]
        while tokens.consumeAny(of: ["or if", "or"]) { terms.append(try conjunction()) }
        return terms.count == 1 ? terms[0] : .any(terms)
    }

    private mutating func conjunction() throws(WhenError) -> Condition {
        var terms = [try negation()]
        while true {
            let start = tokens.position
            // “and turns off after 10 minutes” ends the condition.
            guard tokens.consumeAny(of: ["and if", "and"]),
                tokens.consumesNone(of: ["turn", "turns", "then", "switch", "switches"])
            else {
                tokens.position = start
                break
            }
            terms.append(try negation())
        }
        return terms.count == 1 ? terms[0] : .all(terms)
    }

    private mutating func negation() throws(WhenError) -> Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw WhenError(
                .tooLong,
                "The condition has more than \(Self.maximumDepth) levels of parentheses and “not”."
            )
        }
        if tokens.consume("not") { return .not(try negation()) }
        if tokens.consume("(") {
            let inner = try condition()
            guard tokens.consume(")") else { throw unexpected("Close the parenthesis") }
            return inner
        }
        return try term()
    }

    private mutating func term() throws(WhenError) -> Condition {
        if let term = try time() { return term }
        if let everyone = everyoneIsHome() { return everyone }
        if let presence = try home() { return .presence(presence) }
        guard let subject = try subject() else {
            guard !tokens.isAtEnd else { throw missing("Use a condition such as “it is dark” or “Ann is home”") }
            throw unknownName()
        }
        return try comparison(subject)
    }

    // MARK: Time

    private mutating func time() throws(WhenError) -> Condition? {
        let start = tokens.position
        if tokens.consumeAny(of: Self.nightWords) { return .betweenSun(SunMoment(.sunset), SunMoment(.sunrise)) }
        if tokens.consumeAny(of: Self.dayWords) { return .betweenSun(SunMoment(.sunrise), SunMoment(.sunset)) }
        let isExplicit = tokens.consumeAny(of: ["it is", "it's", "it’s", "the time is"])
        if isExplicit {
            if tokens.consumeAny(of: ["dark", "night"]) { return .betweenSun(SunMoment(.sunset), SunMoment(.sunrise)) }
            if tokens.consumeAny(of: ["light", "daylight"]) {
                return .betweenSun(SunMoment(.sunrise), SunMoment(.sunset))
            }
            if tokens.consume("not dark") { return .betweenSun(SunMoment(.sunrise), SunMoment(.sunset)) }
            _ = tokens.consume("a")
            if let day = tokens.day(language.days) { return .calendar(.on, CalendarMoment(weekday: day)) }
        }
        for (word, side) in [("before", Condition.Side.before), ("after", .after)] where tokens.consume(word) {
            if let moment = try sun() { return .sun(side, moment) }
            if let time = tokens.timeOrHour(language.months) {
                return .calendar(side, CalendarMoment(hour: time.hour, minute: time.minute))
            }
            if let moment = try calendarMoment() { return .calendar(side, moment) }
            throw unexpected("Use a time such as “22:00” or “sunset”")
        }
        if tokens.consume("between") { return try interval() }
        if isExplicit { throw unexpected("Use “dark”, “after sunset”, “before 22:00” or “between 22:00 and 06:00”") }
        tokens.position = start
        return nil
    }

    private enum Boundary {
        case sun(SunMoment)
        case calendar(CalendarMoment)
    }

    /// Consumes “22:00 and 06:00”, “sunset and sunrise”, “sunset and 23:00”.
    private mutating func interval() throws(WhenError) -> Condition {
        guard let from = try boundary(), tokens.consume("and"), let to = try boundary() else {
            throw unexpected("Use two times, as in “between 22:00 and 06:00” or “between sunset and 23:00”")
        }
        switch (from, to) {
        case (.sun(let from), .sun(let to)): return .betweenSun(from, to)
        case (.calendar(let from), .calendar(let to)): return .betweenCalendar(from, to)
        case (.sun(let from), .calendar(let to)):
            guard let hour = to.hour else { throw unexpected("Use a time of day such as “23:00”") }
            // Sunset comes after noon and sunrise before, so a time that is earlier is on the next day.
            let isNextDay = hour < (from.event == .sunset ? 12 : 3)
            return Self.joined(.sun(.after, from), .calendar(.before, to), isNextDay: isNextDay)
        case (.calendar(let from), .sun(let to)):
            guard let hour = from.hour else { throw unexpected("Use a time of day such as “17:00”") }
            let isNextDay = hour >= 12 && to.event == .sunrise
            return Self.joined(.calendar(.after, from), .sun(.before, to), isNextDay: isNextDay)
        }
    }

    private mutating func boundary() throws(WhenError) -> Boundary? {
        if let moment = try sun() { return .sun(moment) }
        if let time = tokens.timeOrHour(language.months) {
            return .calendar(CalendarMoment(hour: time.hour, minute: time.minute))
        }
        return try calendarMoment().map { .calendar($0) }
    }

    private static func joined(_ from: Condition, _ to: Condition, isNextDay: Bool) -> Condition {
        isNextDay ? .any([from, to]) : .all([from, to])
    }

    // MARK: Presence

    private static let isHome = ["is at home", "is home", "are at home", "are home", "am at home", "am home", "is in"]
    private static let isAway = [
        "is not at home", "is not home", "isn't at home", "isn't home", "is away", "are away", "am away", "am not home",
        "is out", "are not home", "are not at home",
    ]

    /// Consumes “everyone is home”, which is true while each user of the home is.
    private mutating func everyoneIsHome() -> Condition? {
        let start = tokens.position
        let users = vocabulary.home.users.map { Condition.presence(Presence(.firstEntry, of: .users([$0.id]))) }
        guard tokens.consumeAny(of: ["everyone", "everybody"]), tokens.consumeAny(of: Self.isHome), !users.isEmpty
        else {
            tokens.position = start
            return nil
        }
        return users.count == 1 ? users[0] : .all(users)
    }

    private mutating func home() throws(WhenError) -> Presence? {
        let start = tokens.position
        let away = ["nobody", "no one", "no-one", "none"]
        if tokens.consumeAny(of: ["someone", "somebody", "anyone", "anybody"]) {
            guard tokens.consumeAny(of: Self.isHome) else { throw unexpected("Use “is home”") }
            return Presence(.firstEntry, of: .everyone)
        }
        if !tokens.has("none of"), tokens.consumeAny(of: away) {
            guard tokens.consumeAny(of: Self.isHome) else { throw unexpected("Use “is home”") }
            return Presence(.lastExit, of: .everyone)
        }
        if tokens.consumeAny(of: ["everyone", "everybody"]) {
            guard tokens.consumeAny(of: Self.isAway + ["has left", "is gone"]) else {
                throw unexpected("Use “is home” or “is away”")
            }
            return Presence(.lastExit, of: .everyone)
        }
        if tokens.consumeAny(of: ["neither", "none of"]) {
            let users = try knownUsers()
            guard tokens.consumeAny(of: Self.isHome) else { throw unexpected("Use “is home”") }
            return Presence(.lastExit, of: .users(users))
        }
        let people: Presence.People
        if tokens.has("i am") || tokens.has("you are") {
            tokens.position += 1
            people = caller
        } else if let users = try users() {
            people = .users(users)
        } else {
            return nil
        }
        if tokens.consumeAny(of: Self.isAway) { return Presence(.lastExit, of: people) }
        if tokens.consumeAny(of: Self.isHome) { return Presence(.firstEntry, of: people) }
        tokens.position = start
        // An accessory may have a user's name.
        guard vocabulary.subjects(at: tokens) == nil else { return nil }
        _ = try users()
        throw unexpected("Use “is home” or “is away”")
    }

    // MARK: Characteristics

    private mutating func comparison(_ subject: HomeVocabulary.Subject) throws(WhenError) -> Condition {
        if let (found, value) = verb(of: subject, { [$0.does].compactMap(\.self) }) {
            return .characteristic(found.identity, .equal, value)
        }
        let named = characteristic(of: subject)
        guard tokens.consumeAny(of: ["is", "are", "has"]) else {
            throw unexpected("Use “is” and a value, as in “\(subject.name) is …”")
        }
        for (phrases, comparison) in Self.comparisons where tokens.consumeAny(of: phrases) {
            let found = try numeric(subject, named)
            return .characteristic(found.identity, comparison, try number(of: found.shape))
        }
        let isNegated = tokens.consume("not")
        let (found, value) = try state(of: subject, named)
        return .characteristic(found.identity, isNegated ? .notEqual : .equal, value)
    }

    private static let comparisons: [([String], Condition.Comparison)] = [
        (["at least"], .greaterOrEqual), (["at most"], .lessOrEqual),
        (["above", "over", "more than", "greater than"], .greater),
        (["below", "under", "less than", "lower than"], .less),
    ]
}
