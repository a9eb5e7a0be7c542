package import Foundation
import HAPCatalog
import HomeModel
package import HubAPI

/// Sentences about the entries of the journal: what happened, and why.
package struct JournalSentence: Sendable {
    let language: Language
    /// The time zone of dates.
    let timeZone: TimeZone
    /// The current time. Times of the same day have no date.
    let now: Date

    /// Creates the sentences.
    package init(timeZone: TimeZone, now: Date, language: Language = .english) {
        self.timeZone = timeZone
        self.now = now
        self.language = language
    }

    // MARK: What happened

    /// Returns what happened, without time and cause: “Desk Lamp turned on”, “the room “Attic” was added”.
    package func event(_ entry: JournalEntry) -> String {
        switch entry.content {
        case .value(let value):
            return change(value)
        case .failedWrite(let value, let error):
            return language.text(.writeFailed, ["command": command(value), "reason": reason(error)])
        case .change(let verb, let objects):
            return change(verb, objects)
        case .trigger(let trigger, let outcome, _, _, _):
            return self.outcome(outcome, of: quoted(trigger.name))
        case .scene(let scene, let actions, let failures):
            let name = scene.name.isEmpty ? language.text(.ownActions) : quoted(scene.name)
            let ran = language.text(.sceneRan, ["name": name])
            guard failures > 0 else { return ran }
            return language.text(.sceneRanPartly, ["ran": ran, "failures": "\(failures)", "actions": "\(actions)"])
        case .reachability(let accessory, true, _):
            return language.text(.becameReachable, ["name": accessory.name])
        case .reachability(let accessory, false, let reason):
            let lost = language.text(.becameUnreachable, ["name": accessory.name])
            return reason.map { language.text(.because, ["event": lost, "reason": Self.bare($0)]) } ?? lost
        case .presence(let person, let isHome):
            return language.text(isHome ? .arrives : .leaves, ["people": person.name], .past)
        case .sentence(let text):
            return language.text(
                .personSaid,
                [
                    "person": entry.cause.kind == .assistant
                        ? client(entry) : entry.person ?? language.text(.someone),
                    "text": quoted(text),
                ]
            )
        }
    }

    /// Returns who or what caused an entry, in few words: “Ann with “Lights””, “the device or another controller”.
    ///
    /// - Parameter cause: The entry that caused it, if it is known.
    package func source(_ entry: JournalEntry, causedBy cause: JournalEntry? = nil) -> String? {
        if entry.person != nil || entry.app != nil { return Self.bareClause(client(entry)) }
        switch (entry.cause.kind, cause?.content) {
        case (.accessory, _): return language.text(.atTheDevice)
        case (_, .scene(let scene, _, _)?) where !scene.name.isEmpty: return quoted(scene.name)
        case (_, .trigger(let trigger, _, _, _, _)?): return quoted(trigger.name)
        case (_, .sentence(let text)?): return quoted(text)
        default: return nil
        }
    }

    /// Returns an entry with its first letter in upper case, as it stands in a list.
    package func line(_ entry: JournalEntry) -> String { Self.capitalized(event(entry)) }

    private func change(_ value: JournalValue) -> String {
        let name = value.characteristicName
        guard let new = value.value else { return language.text(.changes, ["name": name.full(in: language)], .past) }
        guard value.isChange else {
            let subject =
                language.words(for: new, of: value.type)?.isPlain == true ? name.subject : name.full(in: language)
            return language.text(.wasAlready, ["name": subject, "value": text(new, of: value)])
        }
        return trigger(JournalNames.none).becomes(name, new, .past)
    }

    private func change(_ verb: Verb, _ objects: [JournalObject]) -> String {
        let names = objects.map { $0.name.isEmpty ? language.text(.thisHome) : quoted($0.name) }
        let fields: KeyValuePairs = [
            "name": names.first ?? "", "second": names.dropFirst().first ?? "", "names": language.list(names),
        ]
        guard let phrase = language.changes[verb] else {
            return language.text(.otherChange, ["verb": verb.rawValue, "names": language.list(names)])
        }
        return Language.fill(phrase, fields)
    }

    /// Returns what a trigger did, or why it did not.
    ///
    /// - Parameter time: The time as part of the sentence; `nil` to leave it out.
    func outcome(_ outcome: TriggerOutcome, of name: String, at time: String? = nil) -> String {
        let phrase: Phrase =
            switch outcome {
            case .fired: .triggerRan
            case .ended: .triggerEnded
            case .interrupted, .begunByOtherHub: .triggerInterrupted
            default: .triggerDidNotRun
            }
        var event = language.text(phrase, ["name": name])
        if let time { event = language.text(.eventAt, ["event": event, "time": time]) }
        guard outcome != .fired, outcome != .ended else { return event }
        return language.text(.because, ["event": event, "reason": trigger(JournalNames.none).reason(outcome, .past)])
    }

    // MARK: Words

    /// Returns the user, the app and the device of a request: “Ann with “Lights””, “Ann on the command line of “Laptop””,
    /// “Ann with “Lights” on “Phone”, away from home,”.
    func client(_ entry: JournalEntry) -> String {
        let client = nearClient(entry)
        return entry.isFromAway ? language.text(.clientAway, ["client": client]) : client
    }

    private func nearClient(_ entry: JournalEntry) -> String {
        guard let device = entry.device else { return program(entry) }
        if entry.app == HubProtocol.commandLineApp, entry.cause.kind != .assistant {
            let person = entry.person ?? language.text(.someone)
            return language.text(.personWithCommandOfDevice, ["person": person, "device": quoted(device)])
        }
        return language.text(.clientOnDevice, ["client": program(entry), "device": quoted(device)])
    }

    private func program(_ entry: JournalEntry) -> String {
        let person = entry.person ?? language.text(.someone)
        guard let app = entry.app else { return person }
        if entry.cause.kind == .assistant {
            return language.text(.assistantForPerson, ["person": person, "app": quoted(app)])
        }
        if app == HubProtocol.commandLineApp { return language.text(.personWithCommand, ["person": person]) }
        return language.text(.personWithApp, ["person": person, "app": quoted(app)])
    }

    /// Returns a time: “at 19:02”, “on 21 November at 19:02”.
    package func time(_ date: Date) -> String {
        let calendar = Calendar.gregorian(in: timeZone)
        let clock = clock(date)
        guard !calendar.isDate(date, inSameDayAs: now) else { return language.text(.atTime, ["time": clock]) }
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let month = language.months[((parts.month ?? 1) - 1) % 12]
        let day = language.text(.date, ["day": "\(parts.day ?? 0)", "month": month])
        let isThisYear = parts.year == calendar.component(.year, from: now)
        let date = isThisYear ? day : language.text(.dateWithYear, ["date": day, "year": "\(parts.year ?? 0)"])
        return language.text(.onDate, ["time": language.text(.dateAndTime, ["date": date, "time": clock])])
    }

    /// Returns a time of day: “19:02”.
    package func clock(_ date: Date) -> String {
        let parts = Calendar.gregorian(in: timeZone).dateComponents([.hour, .minute], from: date)
        return language.time(parts.hour ?? 0, parts.minute ?? 0)
    }

    func quoted(_ name: String) -> String { language.text(.scene, ["name": name]) }

    func trigger(_ names: JournalNames) -> TriggerSentence {
        TriggerSentence(names: names, timeZone: timeZone, language: language)
    }

    /// Returns what a write was to do: “turn Desk Lamp on”.
    func command(_ value: JournalValue) -> String {
        let name = value.characteristicName
        guard let new = value.value else { return language.text(.setSomehow, ["name": name.full(in: language)]) }
        if let command = language.words(for: new, of: value.type)?.command {
            return Language.fill(command, ["name": name.subject])
        }
        return language.text(.set, ["name": name.full(in: language), "value": text(new, of: value)])
    }

    private func text(_ new: CharacteristicValue, of value: JournalValue) -> String {
        trigger(JournalNames.none).text(of: new, value.characteristicName)
    }

    /// Returns an error's reason as part of a sentence.
    func reason(_ error: HubError) -> String { Self.bare(error.reasonWithoutAdvice) }

    /// Returns the words for a client without the comma that joins them to a verb.
    private static func bareClause(_ text: String) -> String { text.hasSuffix(",") ? String(text.dropLast()) : text }

    /// Returns a sentence without its last period.
    static func bare(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
