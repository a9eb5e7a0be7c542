import Foundation
import HAPCatalog
import HomeModel

extension WhenParser {
    private static let arrivals = [
        "arrives", "arrive", "comes home", "come home", "gets home", "get home", "comes back", "come back", "gets back",
        "get back", "returns", "return", "is back home", "is back", "am back", "is at home", "is home", "am at home",
        "am home",
    ]
    private static let departures = [
        "leaves home", "leave home", "leaves", "leave", "goes away", "go away", "goes out", "go out", "has left",
        "have left", "is away", "am away", "is gone", "is out",
    ]

    /// Consumes events that are joined by “or”.
    mutating func events() throws(WhenError) -> [TriggerEvent] {
        // “if Front Door unlocks” says when, too, where nothing else does.
        var events = [
            try event(beginsWith: ["at", "on", "when", "whenever", "if", "as soon as", "every time", "each time"])
        ]
        while true {
            let start = tokens.position
            _ = tokens.consume(",")
            guard tokens.consume("or") else {
                tokens.position = start
                return events
            }
            events.append(try event(beginsWith: ["at", "on", "when", "whenever"]))
        }
    }

    private mutating func event(beginsWith words: [String]) throws(WhenError) -> TriggerEvent {
        let isTime = tokens.has("at")
        _ = tokens.consumeAny(of: words)
        if isTime, let time = tokens.timeOrHour(language.months) {
            return TriggerEvent(
                id: newID(),
                occurrence: .calendar(CalendarMoment(hour: time.hour, minute: time.minute))
            )
        }
        // “at 20 minutes before sunset”, “when at sunset”.
        return TriggerEvent(id: newID(), occurrence: try occurrence())
    }

    /// Consumes what happens: “19:00”, “sunset”, “Front Door unlocks”, “the last person leaves”.
    mutating func occurrence() throws(WhenError) -> TriggerEvent.Occurrence {
        if let moment = try sun() { return .sun(moment) }
        if let moment = try calendarMoment() { return .calendar(moment) }
        if let region = try region() { return .location(region) }
        if let presence = try arrivalOrDeparture() { return .presence(presence) }
        if let motion = try motion() { return motion }
        guard let subject = try subject() else { throw unknownName() }
        return try occurrence(of: subject)
    }

    // MARK: Places

    /// Consumes “I come within 200 m of 52.52, 13.405”, “I go more than 1 km from 52.52, 13.405”; `nil` if something
    /// else is next.
    private mutating func region() throws(WhenError) -> LocationRegion? {
        let start = tokens.position
        let isCaller = tokens.consumeAny(of: ["i", "you"])
        let users = isCaller ? [] : try users() ?? []
        let within = ["come within", "comes within", "am within", "get within", "gets within"]
        let beyond = ["go more than", "goes more than", "am more than", "get more than", "gets more than"]
        let onEntry = tokens.consumeAny(of: within)
        guard isCaller || !users.isEmpty, onEntry || tokens.consumeAny(of: beyond) else {
            tokens.position = start
            return nil
        }
        guard isCaller || users == [vocabulary.home.viewer] else {
            throw WhenError(
                .notUnderstood,
                "An automation can wait for your own location only: “when I come within …”."
            )
        }
        guard let radius = tokens.distance(), tokens.consumeAny(of: onEntry ? ["of", "from"] : ["from", "of"]) else {
            throw unexpected("Use a distance and a place, as in “200 m \(onEntry ? "of" : "from") 52.52, 13.405”")
        }
        guard let place = tokens.place() else {
            throw unexpected("Use a latitude and a longitude in degrees, as in “52.52, 13.405”")
        }
        return LocationRegion(
            identifier: newID().uuidString,
            latitude: place.latitude,
            longitude: place.longitude,
            radius: radius,
            onEntry: onEntry,
            onExit: !onEntry
        )
    }

    // MARK: Ends

    /// Consumes end events: “for 10 minutes”, “until sunrise”, “and turns off after 10 minutes”; `nil` if something else
    /// is next.
    mutating func ends(after events: [TriggerEvent]) throws(WhenError) -> [TriggerEvent]? {
        guard let first = try end(events) else { return nil }
        var ends = [first]
        while true {
            let start = tokens.position
            _ = tokens.consume(",")
            guard tokens.consume("or"), let next = try end(events) else {
                tokens.position = start
                return ends
            }
            ends.append(next)
        }
    }

    private mutating func end(_ events: [TriggerEvent]) throws(WhenError) -> TriggerEvent? {
        let start = tokens.position
        if tokens.consume("for") { return TriggerEvent(id: newID(), occurrence: try endDuration()) }
        if tokens.consumeAny(of: ["until", "till"]) { return try endEvent(events) }
        _ = tokens.consume("and") || tokens.consume("then")
        _ = tokens.consume("then")
        if tokens.consumeAny(of: ["turn", "turns", "switch", "switches"]) {
            _ = tokens.consumeAny(of: ["it", "them", "everything"])
            _ = tokens.consumeAny(of: ["off", "on", "back"])
            _ = tokens.consumeAny(of: ["again"])
            if tokens.consume("after") {
                // “after sunrise” is no time to wait.
                return TriggerEvent(id: newID(), occurrence: try endDuration())
            }
            if tokens.consumeAny(of: ["at", "when"]) { return try endEvent(events) }
            throw unexpected("Use “after 10m”, “at 23:00” or “when …”")
        }
        tokens.position = start
        return nil
    }

    private mutating func endDuration() throws(WhenError) -> TriggerEvent.Occurrence {
        guard let duration = tokens.duration() else {
            throw unexpected("Use a duration such as “10 minutes” or “1h30m”")
        }
        return .duration(seconds: duration.reduce(0) { $0 + $1.count * $1.unit.rawValue })
    }

    private mutating func endEvent(_ events: [TriggerEvent]) throws(WhenError) -> TriggerEvent {
        _ = tokens.consumeAny(of: ["at", "on", "when"])
        if let time = tokens.timeOrHour(language.months) {
            return TriggerEvent(
                id: newID(),
                occurrence: .calendar(CalendarMoment(hour: time.hour, minute: time.minute))
            )
        }
        if tokens.consumeAny(of: ["motion stops", "there is no motion", "no motion is detected", "the motion stops"]) {
            return TriggerEvent(id: newID(), occurrence: try motionStops(events))
        }
        return TriggerEvent(id: newID(), occurrence: try occurrence())
    }

    /// Returns the end of the motion that is one of the events, or that the home's only motion sensor detects.
    private func motionStops(_ events: [TriggerEvent]) throws(WhenError) -> TriggerEvent.Occurrence {
        for type in [HAPType.Characteristic.motionDetected, HAPType.Characteristic.occupancyDetected] {
            let sensors = events.compactMap(\.characteristic).filter { $0.type == type }
            guard let sensor = sensors.first, let found = vocabulary.home.characteristic(sensor) else { continue }
            guard Set(sensors).count == 1 else { break }
            return .characteristic(sensor, ValueText(found.shape).value(of: "not detected"))
        }
        throw WhenError(
            .ambiguous,
            "It isn't clear which sensor “motion stops” means. Name it: “until Hall Motion stops detecting motion”."
        )
    }

    // MARK: Motion

    /// Consumes “motion is detected”, “there is motion in the Hallway”; `nil` if something else is next.
    private mutating func motion() throws(WhenError) -> TriggerEvent.Occurrence? {
        let phrases = ["motion is detected", "there is motion", "motion starts", "motion begins", "something moves"]
        guard tokens.consumeAny(of: phrases) else { return nil }
        if tokens.consume("by") {
            guard let subject = try subject() else { throw unknownName() }
            let found = find(in: subject) { $0.type == HAPType.Characteristic.motionDetected }
            guard let found else { throw WhenError(.notUnderstood, "“\(subject.name)” doesn't detect motion.") }
            return .characteristic(found.identity, ValueText(found.shape).value(of: "detected"))
        }
        var room: UUID?
        if tokens.consume("in") {
            guard let found = self.room() else {
                let names = vocabulary.home.rooms.map { "“\($0.name)”" }
                throw unexpected("Use the name of a room: \(language.list(names, .or))")
            }
            room = found
        }
        let sensors = vocabulary.home.accessories.filter { room == nil || $0.room == room }.flatMap { accessory in
            vocabulary.home.services(of: accessory).flatMap(\.characteristics)
                .filter { $0.type == HAPType.Characteristic.motionDetected }
                .map { (accessory, $0) }
        }
        guard sensors.count == 1, let (accessory, shape) = sensors.first else {
            let names = sensors.map { "“\($0.0.name)”" }
            throw WhenError(
                .ambiguous,
                names.isEmpty
                    ? "No accessory there detects motion."
                    : "Several accessories detect motion: \(language.list(names, .and)). Name one, as in “when \(sensors[0].0.name) detects motion”."
            )
        }
        let identity = CharacteristicIdentity(
            accessory: accessory.id,
            characteristic: Home.characteristicID(of: shape.iid, in: accessory),
            type: shape.type
        )
        return .characteristic(identity, ValueText(shape).value(of: "detected"))
    }

    /// Consumes the name of a room.
    private mutating func room() -> UUID? {
        tokens.attempt { tokens in
            _ = tokens.consume("the")
            for length in (1...4).reversed() where tokens.position + length <= tokens.tokens.count {
                let words = tokens.tokens[tokens.position..<tokens.position + length].map(\.text)
                let name = FoldedName(words.joined(separator: " "))
                guard let room = vocabulary.home.rooms.first(where: { FoldedName($0.name) == name }) else { continue }
                tokens.position += length
                return room.id
            }
            return nil
        }
    }

    // MARK: Users

    private mutating func arrivalOrDeparture() throws(WhenError) -> Presence? {
        let start = tokens.position
        if tokens.consumeAny(of: ["nobody", "no one", "no-one"]) {
            guard tokens.consumeAny(of: ["is at home", "is home", "is in"]) else { throw unexpected("Use “is home”") }
            _ = tokens.consume("anymore") || tokens.consume("any more")
            return Presence(.lastExit, of: .everyone)
        }
        if tokens.has("someone is home") || tokens.has("somebody is home") || tokens.has("anyone is home") {
            tokens.position += 3
            return Presence(.firstEntry, of: .everyone)
        }
        if tokens.consumeAny(of: ["someone", "somebody", "anyone", "anybody", "a person"]) {
            return try movement(.everyEntry, .everyExit, .everyone)
        }
        if tokens.consumeAny(of: ["the first person", "the first one", "the first"]), !tokens.has("of") {
            return try movement(.firstEntry, nil, .everyone)
        }
        tokens.position = start
        if tokens.consumeAny(of: ["the last person", "the last one", "the last"]), !tokens.has("of") {
            return try movement(nil, .lastExit, .everyone)
        }
        tokens.position = start
        if tokens.consumeAny(of: ["everyone", "everybody"]) { return try movement(nil, .lastExit, .everyone) }
        if tokens.consume("the first of") { return try movement(.firstEntry, nil, .users(try knownUsers())) }
        if tokens.consume("the last of") { return try movement(nil, .lastExit, .users(try knownUsers())) }
        if tokens.consumeAny(of: ["i", "you"]) { return try movement(.everyEntry, .everyExit, caller) }
        guard let users = try users(), tokens.consumesNone(of: Self.arrivals + Self.departures) == false else {
            tokens.position = start
            return nil
        }
        return try movement(.everyEntry, .everyExit, .users(users))
    }

    /// The user who gives the command.
    var caller: Presence.People { vocabulary.home.viewer.map { .users([$0]) } ?? .caller }

    private mutating func movement(
        _ arrival: Presence.Kind?,
        _ departure: Presence.Kind?,
        _ people: Presence.People
    ) throws(WhenError) -> Presence {
        if let arrival, tokens.consumeAny(of: Self.arrivals) { return Presence(arrival, of: people) }
        if let departure, tokens.consumeAny(of: Self.departures) { return Presence(departure, of: people) }
        let verbs = [arrival.map { _ in "“arrives”" }, departure.map { _ in "“leaves”" }].compactMap(\.self)
        throw unexpected("Use \(verbs.joined(separator: " or "))")
    }
}

extension WhenTokens {
    /// Returns whether none of the phrases is next.
    func consumesNone(of phrases: [String]) -> Bool { !phrases.contains { has($0) } }
}
