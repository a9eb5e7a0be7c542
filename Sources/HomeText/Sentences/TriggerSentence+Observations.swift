package import Foundation
import HAPCatalog
package import HomeModel

extension TriggerSentence {
    /// Returns the facts that decided a term of a condition, if the term doesn't say them itself: “sunset was at 16:31
    /// and it was 16:02”, “Kitchen Temperature was 19 °C”.
    ///
    /// - Parameter time: When the term was evaluated.
    /// - Returns: The facts; `nil` if the term says all there is.
    package func facts(_ observation: Observation, at time: Date, _ tense: Language.Tense = .present) -> String? {
        switch observation.term {
        case .characteristic(let identity, let comparison, let value):
            guard let name = names.name(of: identity) else { return nil }
            let subject = name.measured(in: language)
            guard let found = observation.value else { return language.text(.valueUnknown, ["name": subject], tense) }
            if observation.isTrue, comparison == .equal, found == value { return nil }
            return language.text(.valueWas, ["name": subject, "value": text(of: found, name)], tense)
        case .sun(_, let moment): return sun([moment], observation.moments, time, tense)
        case .betweenSun(let from, let to): return sun([from, to], observation.moments, time, tense)
        case .calendar, .betweenCalendar: return language.text(.timeWas, ["time": self.time(time)], tense)
        case .presence(let presence):
            guard let present = observation.present else { return nil }
            var checked = presence
            checked.kind = present.isEmpty ? .lastExit : .firstEntry
            if !present.isEmpty { checked.people = .users(present) }
            let fact = condition(.presence(checked), tense)
            return observation.isTrue && fact == condition(observation.term, tense) ? nil : fact
        case .all, .any, .not, .unknown: return nil
        }
    }

    /// Returns a time of day in the hub's time zone.
    package func time(_ date: Date) -> String {
        let parts = Calendar.gregorian(in: timeZone).dateComponents([.hour, .minute], from: date)
        return language.time(parts.hour ?? 0, parts.minute ?? 0)
    }

    private func sun(_ moments: [SunMoment], _ dates: [Date], _ time: Date, _ tense: Language.Tense) -> String {
        var facts = zip(moments, dates).map { moment, date in
            language.text(.sunWasAt, ["sun": text(moment), "time": self.time(date)], tense)
        }
        if dates.isEmpty { facts.append(language.text(.noSun, [:], tense)) }
        return language.list(facts + [language.text(.timeWas, ["time": self.time(time)], tense)])
    }
}
