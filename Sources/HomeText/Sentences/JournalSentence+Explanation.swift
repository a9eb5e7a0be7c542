import Foundation
import HomeModel
package import HubAPI

extension JournalSentence {
    /// Returns why something happened: “Desk Lamp turned on at 19:02 because “Evening” ran: sunset was at 18:47, plus 15
    /// minutes, and Ann was home.”
    ///
    /// - Parameter chain: The entry, then its causes, each caused by the next, as ``HubAPI/HubMethods/explain`` returns
    ///   them.
    /// - Returns: One or several sentences; `nil` if the chain is empty.
    package func explanation(_ chain: [JournalEntry]) -> String? {
        guard let entry = chain.first else { return nil }
        if case .trigger = entry.content { return triggerSentences(entry, Array(chain.dropFirst())) }
        let (reason, rest) = reason(of: entry, causes: Array(chain.dropFirst()))
        let sentence: String
        switch (entry.content, reason) {
        case (.failedWrite(let value, let error), _):
            let attempt = language.text(
                .writeFailedAt,
                ["command": command(value), "time": time(entry.time), "reason": self.reason(error)]
            )
            sentence = [attempt, reason].compactMap(\.self).map(Self.sentence).joined(separator: " ")
        case (_, let reason?):
            let event = language.text(.eventAt, ["event": event(entry), "time": time(entry.time)])
            sentence = Self.sentence(language.text(.because, ["event": event, "reason": reason]))
        case (_, nil):
            let event = Self.sentence(language.text(.eventAt, ["event": event(entry), "time": time(entry.time)]))
            let isOutside = entry.cause.kind == .accessory
            sentence = isOutside ? "\(event) \(Self.sentence(language.text(.operatedAtTheDevice)))" : event
        }
        return ([sentence] + sentences(about: rest)).joined(separator: " ")
    }

    /// Returns the reason for an entry as a clause, and the causes that it doesn't tell.
    private func reason(of entry: JournalEntry, causes: [JournalEntry]) -> (reason: String?, rest: [JournalEntry]) {
        if entry.person != nil || entry.app != nil {
            if case .sentence = entry.content { return (nil, causes) }
            if case .scene = entry.content { return (language.text(.startedBy, ["client": client(entry)]), causes) }
            let phrase: Phrase = entry.cause.kind == .consent ? .agreedBy : .requestedBy
            return (language.text(phrase, ["client": client(entry)]), causes)
        }
        guard let cause = causes.first else { return (nil, []) }
        let rest = Array(causes.dropFirst())
        switch cause.content {
        case .trigger(let trigger, let outcome, _, _, _):
            let phrase: Phrase = outcome == .ended ? .triggerEnded : .triggerRan
            return (withFacts(language.text(phrase, ["name": quoted(trigger.name)]), cause), rest)
        case .scene(let scene, _, _):
            return reason(ofRun: cause, scene, rest)
        default:
            return (event(cause), rest)
        }
    }

    /// Returns that a scene ran as the reason for its values: who ran it, or the trigger that did.
    private func reason(
        ofRun run: JournalEntry,
        _ scene: JournalObject,
        _ causes: [JournalEntry]
    ) -> (reason: String?, rest: [JournalEntry]) {
        if run.person != nil || run.app != nil {
            return (language.text(.clientRan, ["client": client(run), "name": quoted(scene.name)]), causes)
        }
        guard let cause = causes.first, case .trigger(let trigger, let outcome, _, _, _) = cause.content,
            outcome == .fired
        else { return (event(run), causes) }
        let name = quoted(trigger.name)
        // The scene that a trigger owns has no name, and one that is named like its trigger needs no second mention.
        let ran =
            scene.name.isEmpty || scene.name == trigger.name
            ? language.text(.triggerRan, ["name": name])
            : language.text(.triggerRanScene, ["name": name, "scene": quoted(scene.name)])
        return (withFacts(ran, cause), Array(causes.dropFirst()))
    }

    /// Returns what led to a trigger's firing in sentences of its own.
    private func sentences(about chain: [JournalEntry]) -> [String] {
        explanation(chain).map { [language.text(.before, ["sentence": $0])] } ?? []
    }

    // MARK: Triggers

    private func triggerSentences(_ entry: JournalEntry, _ causes: [JournalEntry]) -> String {
        guard case .trigger(let trigger, let outcome, _, _, let due) = entry.content else { return "" }
        let name = quoted(trigger.name)
        var event = self.outcome(outcome, of: name, at: time(entry.time))
        switch outcome {
        case .fired, .ended:
            event = withFacts(event, entry)
        case .conditionFalse:
            let terms = falseTerms(entry)
            if !terms.isEmpty { event = language.text(.withFacts, ["event": event, "facts": terms]) }
        case .missed:
            // What counts is when it was due, not when the hub noticed.
            guard let due else { break }
            event = language.text(.wasDue, ["event": self.outcome(outcome, of: name), "time": time(due)])
        default:
            break
        }
        return ([Self.sentence(event)] + sentences(about: causes)).joined(separator: " ")
    }

    /// Returns a clause with the event and the condition that led to it.
    private func withFacts(_ clause: String, _ entry: JournalEntry) -> String {
        guard case .trigger(_, _, let event, let observations, let due) = entry.content else { return clause }
        let sentence = trigger(JournalNames(entry))
        var facts: [String] = []
        if let event {
            facts.append(fact(of: event, due: due, at: entry.time, sentence))
        } else if let due {
            facts.append(language.text(.atTime, ["time": clock(due)], .past))
        }
        for observation in observations {
            if observation.isTrue {
                facts.append(sentence.condition(observation.term, .past))
            } else if let fact = sentence.facts(observation, at: entry.time, .past) {
                facts.append(fact)
            }
        }
        guard !facts.isEmpty else { return clause }
        return language.text(.withFacts, ["event": clause, "facts": language.list(facts, .alsoTrue)])
    }

    /// Returns the event of a trigger; one of the sun with the time that it was.
    private func fact(of event: TriggerEvent, due: Date?, at time: Date, _ sentence: TriggerSentence) -> String {
        guard case .sun(let moment) = event.occurrence, let due else { return sentence.event(event, .past) }
        let offset = Double(moment.offset) * 60
        var sun = SunMoment(moment.event)
        let base = language.text(.sunAt, ["sun": sentence.text(sun), "time": clock(due - offset)])
        guard moment.offset != 0 else { return base }
        sun.offset = 0
        let minutes = Int(clamping: moment.offset.magnitude).multipliedReportingOverflow(by: 60).partialValue
        let duration = DurationText(language: language).text(seconds: minutes)
        return language.text(moment.offset > 0 ? .sunPlus : .sunMinus, ["sun": base, "duration": duration])
    }

    /// Returns the terms of the condition of a trigger's entry, in the present, whether they were true, and the facts in the
    /// past that decided them.
    package func terms(of entry: JournalEntry) -> [(term: String, isTrue: Bool, facts: String?)] {
        guard case .trigger(_, _, _, let observations, _) = entry.content else { return [] }
        let sentence = trigger(JournalNames(entry))
        return observations.map { observation in
            let facts = sentence.facts(observation, at: entry.time, .past)
            return (sentence.condition(observation.term), observation.isTrue, facts)
        }
    }

    /// Returns the terms that made a condition false, each with its facts: “it is after sunset (sunset was at 16:31 and it
    /// was 16:02)”.
    private func falseTerms(_ entry: JournalEntry) -> String {
        let all = terms(of: entry)
        let failed = all.filter { !$0.isTrue }
        // With a negated condition, what was true is the reason.
        let terms = (failed.isEmpty ? all : failed).map { term in
            guard let facts = term.facts else { return term.term }
            return language.text(.termWithFacts, ["term": term.term, "facts": facts])
        }
        return language.list(terms, .alsoTrue)
    }

    private static func sentence(_ clause: String) -> String {
        let capitalized = capitalized(clause)
        return capitalized.hasSuffix(".") || capitalized.hasSuffix(".”") ? capitalized : capitalized + "."
    }
}
