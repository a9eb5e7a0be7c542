import Foundation
import HAPCatalog
package import HomeModel

extension TriggerSentence {
    /// Returns a condition: “Ann is home and it is dark”. In the past: “Ann was home and it was dark”.
    package func condition(_ condition: Condition, _ tense: Language.Tense = .present) -> String {
        switch condition {
        case .all(let terms): return group(terms, .and, .always, tense)
        case .any(let terms): return group(terms, .or, .never, tense)
        case .not(let term):
            let inner = self.condition(term, tense)
            return language.text(.not, ["condition": isGroup(term) ? parenthesized(inner) : inner], tense)
        case .characteristic(let identity, let comparison, let value):
            return comparing(names.name(of: identity), comparison, value, tense)
        case .calendar(let side, let moment): return self.side(side, text(moment), tense)
        case .betweenCalendar(let from, let to):
            return language.text(.betweenTimes, ["from": text(from), "to": text(to)], tense)
        case .sun(let side, let moment): return self.side(side, text(moment), tense)
        case .betweenSun(SunMoment(.sunset), SunMoment(.sunrise)): return language.text(.dark, [:], tense)
        case .betweenSun(SunMoment(.sunrise), SunMoment(.sunset)): return language.text(.light, [:], tense)
        case .betweenSun(let from, let to):
            return language.text(.betweenTimes, ["from": text(from), "to": text(to)], tense)
        case .presence(let presence): return home(presence, tense)
        case .unknown: return language.text(.unknownCondition)
        }
    }

    private func isGroup(_ condition: Condition) -> Bool {
        switch condition {
        case .all(let terms), .any(let terms): terms.count > 1
        default: false
        }
    }

    private func parenthesized(_ text: String) -> String { language.text(.group, ["condition": text]) }

    private func group(_ terms: [Condition], _ word: Phrase, _ empty: Phrase, _ tense: Language.Tense) -> String {
        let texts = terms.map { term in
            let text = condition(term, tense)
            return isGroup(term) ? parenthesized(text) : text
        }
        guard let first = texts.first else { return language.text(empty) }
        return texts.dropFirst().reduce(first) { language.text(word, ["first": $0, "last": $1]) }
    }

    private func side(_ side: Condition.Side, _ time: String, _ tense: Language.Tense) -> String {
        let phrase: Phrase =
            switch side {
            case .before: .beforeTime
            case .on: .duringTime
            case .after: .afterTime
            }
        return language.text(phrase, ["time": time], tense)
    }

    private func comparing(
        _ name: CharacteristicName?,
        _ comparison: Condition.Comparison,
        _ value: CharacteristicValue,
        _ tense: Language.Tense
    ) -> String {
        guard let name else {
            return language.text(.equal, ["name": language.text(.missingCharacteristic), "value": "\(value)"], tense)
        }
        let words = language.words(for: value, of: name.type)
        if comparison == .equal, let words, let verb = tense == .past ? words.did : words.does {
            return "\(name.subject) \(verb)"
        }
        let phrase: Phrase =
            switch comparison {
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .equal: .equal
            case .notEqual: .notEqual
            case .greaterOrEqual: .greaterOrEqual
            case .greater: .greater
            }
        let isEquality = [.equal, .notEqual].contains(comparison)
        let isPlain = words?.isPlain == true && isEquality
        let full = isEquality ? name.full(in: language) : name.measured(in: language)
        let subject = isPlain ? name.subject : full
        return language.text(phrase, ["name": subject, "value": text(of: value, name)], tense)
    }

    private func home(_ presence: Presence, _ tense: Language.Tense) -> String {
        let isHome = [.firstEntry, .everyEntry].contains(presence.kind)
        switch presence.people {
        case .everyone: return language.text(isHome ? .someoneHome : .nobodyHome, [:], tense)
        case .caller:
            return language.text(isHome ? .youHome : .youAway, [:], tense)
        case .users(let users):
            let people = people(users)
            if isHome { return language.text(.personHome, ["people": language.list(people, .or)], tense) }
            if people.count == 2 {
                return language.text(.neitherHome, ["first": people[0], "second": people[1]], tense)
            }
            guard people.count > 2 else {
                return language.text(.personAway, ["people": people.first ?? language.text(.missingUser)], tense)
            }
            return language.text(.noneHome, ["people": language.list(people)], tense)
        }
    }
}
