import Foundation
package import HAPCatalog
package import HomeModel

extension TriggerSentence {
    /// Returns an event with the word that introduces it: “at 19:00”, “when Front Door unlocks”. In the past: “it was
    /// 19:00”, “Front Door unlocked”.
    package func event(_ event: TriggerEvent, _ tense: Language.Tense = .present) -> String {
        let occurrence = occurrence(event.occurrence, tense)
        switch event.occurrence {
        case .sun(let moment):
            // “20 minutes before sunset” needs no word before it.
            guard moment.offset == 0 || tense == .past else { return occurrence }
            return language.text(.atTime, ["time": occurrence], tense)
        case .calendar(let moment):
            let isDate = moment.day != nil
            return language.text(isDate ? .onDate : .atTime, ["time": occurrence], tense)
        case .characteristic, .threshold, .presence, .location, .hiddenLocation, .duration, .unknown:
            return language.text(.when, ["event": occurrence], tense)
        }
    }

    /// Returns what happens: “19:00”, “sunset”, “Front Door unlocks”. In the past: “Front Door unlocked”.
    package func occurrence(_ occurrence: TriggerEvent.Occurrence, _ tense: Language.Tense = .present) -> String {
        switch occurrence {
        case .characteristic(let identity, let value):
            guard let name = names.name(of: identity) else { return changes(nil, tense) }
            return value.map { becomes(name, $0, tense) } ?? changes(name, tense)
        case .threshold(let identity, let range): return threshold(names.name(of: identity), range, tense)
        case .sun(let moment): return text(moment)
        case .calendar(let moment): return text(moment)
        case .presence(let presence): return text(presence, tense)
        case .location(let region):
            return self.region(region, tense)
        case .hiddenLocation(let location):
            return region(location.onEntry, location.onExit, location.user, tense)
        case .duration(let seconds):
            return language.text(.passes, ["duration": DurationText(language: language).text(seconds: seconds)], tense)
        case .unknown: return language.text(.unknownEvent)
        }
    }

    /// Returns that a characteristic gets a value: “Desk Lamp turns on”. In the past: “Desk Lamp turned on”.
    package func becomes(
        _ name: CharacteristicName,
        _ value: CharacteristicValue,
        _ tense: Language.Tense = .present
    ) -> String {
        let words = language.words(for: value, of: name.type)
        if let words, let verb = tense == .past ? words.happened : words.happens { return "\(name.subject) \(verb)" }
        let subject = words?.isPlain == true ? name.subject : name.full(in: language)
        return language.text(.becomes, ["name": subject, "value": text(of: value, name)], tense)
    }

    /// Returns a value as it stands in a sentence: strings in quotation marks.
    func text(of value: CharacteristicValue, _ name: CharacteristicName) -> String {
        let text = ValueText(name.type, name.metadata, language: language).text(of: value)
        if case .string = value { return "“\(text)”" }
        return text
    }

    private func changes(_ name: CharacteristicName?, _ tense: Language.Tense) -> String {
        let subject = name?.full(in: language) ?? language.text(.missingCharacteristic)
        return language.text(.changes, ["name": subject], tense)
    }

    private func threshold(
        _ name: CharacteristicName?,
        _ range: ThresholdRange,
        _ tense: Language.Tense
    ) -> String {
        guard let name else { return changes(nil, tense) }
        let values = ValueText(name.type, name.metadata, language: language)
        let subject = name.measured(in: language)
        let (minimum, maximum) = (range.minimum.map { values.text(of: $0) }, range.maximum.map { values.text(of: $0) })
        switch (minimum, maximum) {
        case (let minimum?, let maximum?):
            return language.text(
                .entersRange,
                ["name": subject, "minimum": minimum, "maximum": maximum],
                tense
            )
        case (let minimum?, nil): return language.text(.rises, ["name": subject, "minimum": minimum], tense)
        case (nil, let maximum?): return language.text(.falls, ["name": subject, "maximum": maximum], tense)
        case (nil, nil): return changes(name, tense)
        }
    }

    // MARK: Times

    /// Returns a moment of the sun: “sunset”, “20 minutes before sunset”.
    package func text(_ moment: SunMoment) -> String {
        let sun: String =
            switch moment.event {
            case .sunrise: language.text(.sunrise)
            case .sunset: language.text(.sunset)
            default: moment.event.rawValue
            }
        guard moment.offset != 0 else { return sun }
        let minutes = Int(clamping: moment.offset.magnitude)
        let duration = DurationText(language: language).text(
            seconds: minutes.multipliedReportingOverflow(by: 60).partialValue
        )
        return language.text(moment.offset < 0 ? .beforeSun : .afterSun, ["duration": duration, "sun": sun])
    }

    /// Returns a calendar moment: “19:00”, “24 December at 18:00”.
    package func text(_ moment: CalendarMoment) -> String {
        let second = moment.second.map { $0 == 0 ? "" : $0 < 10 ? ":0\($0)" : ":\($0)" } ?? ""
        let zone = moment.timeZone.flatMap { TimeZone(identifier: $0) }
        let zoneText = zone.map { $0.isSame(as: timeZone) ? "" : " \($0.identifier)" } ?? ""
        let time = moment.hour.map { language.time($0, moment.minute ?? 0) + second + zoneText }
        let month = moment.month.flatMap { language.months.indices.contains($0 - 1) ? language.months[$0 - 1] : nil }
        guard moment.calendar == nil || moment.calendar == Calendar.Identifier.gregorian.name else {
            return language.text(.otherCalendar, ["components": Self.components(moment)])
        }
        switch (moment.year, month, moment.day, moment.weekday, time, moment.minute) {
        case (nil, nil, nil, nil, let time?, _): return time
        case (nil, nil, nil, nil, nil, let minute?): return language.text(.minuteOfHour, ["minute": "\(minute)"])
        case (nil, let month?, let day?, nil, let time?, _):
            let date = language.text(.date, ["day": "\(day)", "month": month])
            return language.text(.dateAndTime, ["date": date, "time": time])
        case (nil, let month?, let day?, nil, nil, nil):
            return language.text(.date, ["day": "\(day)", "month": month])
        case (nil, nil, let day?, nil, let time?, _):
            return language.text(.dayOfMonth, ["day": "\(day)", "time": time])
        case (nil, nil, nil, let weekday?, nil, nil) where (1...7).contains(weekday):
            return language.days[weekday - 1]
        default:
            return language.text(.otherCalendar, ["components": Self.components(moment)])
        }
    }

    /// Returns the components as in `month 12, hour 18`.
    private static func components(_ moment: CalendarMoment) -> String {
        let parts: [(String, Int?)] = [
            ("year", moment.year), ("month", moment.month), ("day", moment.day), ("weekday", moment.weekday),
            ("hour", moment.hour), ("minute", moment.minute), ("second", moment.second),
        ]
        let numbers = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
        return (numbers + [moment.timeZone, moment.calendar].compactMap(\.self)).joined(separator: ", ")
    }

    // MARK: Users

    /// Returns users' names.
    func people(_ users: [UUID]) -> [String] {
        users.map { names.name(ofUser: $0) ?? language.text(.missingUser) }
    }

    private func text(_ presence: Presence, _ tense: Language.Tense) -> String {
        let arrives = [.everyEntry, .firstEntry].contains(presence.kind)
        let isSelective = [.firstEntry, .lastExit].contains(presence.kind)
        let people: String
        switch presence.people {
        case .everyone where isSelective: people = language.text(arrives ? .firstPerson : .lastPerson)
        case .everyone: people = language.text(.someone)
        case .caller: return language.text(arrives ? .youArrive : .youLeave, [:], tense)
        case .users(let users) where isSelective && users.count > 1:
            people = language.text(arrives ? .firstOf : .lastOf, ["people": language.list(self.people(users))])
        case .users(let users): people = language.list(self.people(users), .or)
        }
        return language.text(arrives ? .arrives : .leaves, ["people": people], tense)
    }

    private func region(_ region: LocationRegion, _ tense: Language.Tense) -> String {
        guard region.onEntry != region.onExit else {
            return self.region(region.onEntry, region.onExit, region.user, tense)
        }
        let place = language.text(
            .place,
            ["latitude": Self.degrees(region.latitude), "longitude": Self.degrees(region.longitude)]
        )
        let distance = language.text(.meters, ["count": "\(Int(region.radius.rounded(.up)))"])
        let phrase: Phrase =
            switch (region.user, region.onEntry) {
            case (nil, true): .youComeWithin
            case (nil, false): .youGoBeyond
            case (_, true): .comesWithin
            case (_, false): .goesBeyond
            }
        let people = region.user.flatMap { names.name(ofUser: $0) } ?? language.text(.someone)
        return language.text(phrase, ["people": people, "distance": distance, "place": place], tense)
    }

    /// Returns degrees to about a meter.
    private static func degrees(_ value: Double) -> String {
        let rounded = (value * 100_000).rounded() / 100_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private func region(_ onEntry: Bool, _ onExit: Bool, _ user: UUID?, _ tense: Language.Tense) -> String {
        let people = user.flatMap { names.name(ofUser: $0) } ?? language.text(.someone)
        let phrase: Phrase = onEntry && onExit ? .crossesRegion : onExit ? .leavesRegion : .entersRegion
        return language.text(phrase, ["people": people], tense)
    }
}
