package import Foundation
import HAPCatalog
package import HomeModel

/// Sentences about triggers, their events, conditions and actions.
///
/// The names come from a ``NameSource``: a home, or what was recorded about it. ``WhenParser`` reads what
/// ``when(_:)`` writes.
package struct TriggerSentence {
    let names: any NameSource
    let language: Language
    /// The time zone of dates, unless a timer has its own.
    let timeZone: TimeZone

    /// Creates the sentences of a home.
    ///
    /// - Parameters:
    ///   - names: The names of characteristics and users.
    ///   - timeZone: The hub's time zone.
    package init(names: any NameSource, timeZone: TimeZone, language: Language = .english) {
        self.names = names
        self.timeZone = timeZone
        self.language = language
    }

    /// Returns the sentence about a trigger: “At 19:00 on weekdays, run “Evening”.”
    package func text(_ trigger: TriggerRecord) -> String {
        text(trigger.definition, actionSets: trigger.actionSets)
    }

    /// Returns the sentence about a trigger of a definition that runs action sets.
    package func text(_ definition: TriggerDefinition, actionSets: [UUID]) -> String {
        let scenes = actionSets.map { id in
            switch names.name(ofActionSet: id) {
            case nil: language.text(.missingScene)
            case ""?: language.text(.ownActions)
            case let name?: language.text(.scene, ["name": name])
            }
        }
        let run = language.text(.run, ["scenes": scenes.isEmpty ? language.text(.nothing) : language.list(scenes)])
        let parts = parts(definition)
        let start = parts.condition.map { language.text(.comma, ["first": parts.start, "last": $0]) } ?? parts.start
        let all = language.text(
            .comma,
            ["first": start, "last": ([run] + (parts.end.map { [$0] } ?? [])).joined(separator: " ")]
        )
        return all.prefix(1).uppercased() + all.dropFirst() + "."
    }

    /// Returns when a trigger fires and what ends its effect, in words that ``WhenParser`` reads: “at 19:00 on
    /// weekdays, if Ann is home, for 10 minutes”.
    package func when(_ definition: TriggerDefinition) -> String {
        let parts = parts(definition)
        let all = [parts.start, parts.condition, parts.end].compactMap(\.self)
        return all.dropFirst().reduce(all[0]) { language.text(.comma, ["first": $0, "last": $1]) }
    }

    private func parts(_ definition: TriggerDefinition) -> (start: String, condition: String?, end: String?) {
        switch definition {
        case .timer(let schedule): return (timer(schedule), nil, nil)
        case .event(let rule):
            var start = language.list(rule.events.map { event($0) }, .or)
            // Between two alternatives there is no comma, which would end them.
            if rule.events.count > 2 {
                start = rule.events.dropFirst().reduce(event(rule.events[0])) {
                    language.text(.or, ["first": $0, "last": event($1)])
                }
            }
            if let days = days(rule.weekdays) { start += " \(language.text(.onDays, ["days": days]))" }
            if rule.executesOnce { start = language.text(.once, ["when": start]) }
            let condition = rule.condition.map { language.text(.ifCondition, ["condition": self.condition($0)]) }
            let ends = rule.endEvents.map(end)
            let end = ends.dropFirst().reduce(ends.first) { first, last in
                first.map { language.text(.or, ["first": $0, "last": last]) }
            }
            return (start, condition, end)
        case .unknown: return (language.text(.unknownTrigger), nil, nil)
        }
    }

    private func timer(_ schedule: TimerSchedule) -> String {
        let zone = schedule.timeZone.flatMap { TimeZone(identifier: $0) }
        let calendar = Calendar.gregorian(in: zone ?? timeZone)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: schedule.fireDate)
        let time = language.time(parts.hour ?? 0, parts.minute ?? 0)
        let day = Self.day(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        let place = zone.map { $0.isSame(as: timeZone) ? "" : " \($0.identifier)" } ?? ""
        guard let recurrence = schedule.recurrence else {
            let moment = language.text(.dateAndTime, ["date": day, "time": time])
            return language.text(.timerOnce, ["moment": moment + place])
        }
        let interval = DurationText(language: language).text(recurrence)
        return language.text(.timerRecurring, ["interval": interval, "moment": "\(day) \(time)\(place)"])
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> String {
        String(format: "%04d-%02d-%02d", year, month, day)
    }

    /// Returns the days of a trigger; `nil` for every day.
    private func days(_ weekdays: [Int]) -> String? {
        switch weekdays {
        case [], [1, 2, 3, 4, 5, 6, 7]: return nil
        case [2, 3, 4, 5, 6]: return language.text(.weekdays)
        case [1, 7]: return language.text(.weekends)
        default:
            // The week begins on Monday.
            let ordered = weekdays.filter((1...7).contains).sorted { ($0 + 5) % 7 < ($1 + 5) % 7 }
            return language.list(ordered.map { language.recurringDays[$0 - 1] })
        }
    }

    private func end(_ event: TriggerEvent) -> String {
        if case .duration(let seconds) = event.occurrence {
            return language.text(.forDuration, ["duration": DurationText(language: language).text(seconds: seconds)])
        }
        return language.text(.until, ["event": occurrence(event.occurrence)])
    }
}

extension TimeZone {
    /// Whether both always have the same time: zones may have several identifiers, such as `UTC` and `GMT`.
    func isSame(as other: TimeZone) -> Bool {
        func isUniversal(_ zone: TimeZone) -> Bool {
            zone.secondsFromGMT() == 0 && ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(zone.identifier)
        }
        return identifier == other.identifier || (isUniversal(self) && isUniversal(other))
    }
}

extension Calendar {
    /// The Gregorian calendar, in which all of the home's times are.
    static func gregorian(in timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }
}
