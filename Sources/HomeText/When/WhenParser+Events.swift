import Foundation
import HAPCatalog
import HomeModel

extension WhenParser {
    private static let arrivals = ["arrives", "arrive", "comes home", "come home", "gets home", "get home"]
    private static let departures = [
        "leaves home", "leave home", "leaves", "leave", "goes away", "has left", "have left",
    ]

    /// Consumes events that are joined by “or”.
    mutating func events() throws(WhenError) -> [TriggerEvent] {
        var events = [try event()]
        while true {
            let start = tokens.position
            _ = tokens.consume(",")
            guard tokens.consume("or") else {
                tokens.position = start
                return events
            }
            events.append(try event())
        }
    }

    private mutating func event() throws(WhenError) -> TriggerEvent {
        _ = tokens.consumeAny(of: ["at", "on", "when", "whenever"])
        // “at 20 minutes before sunset”, “when at sunset”.
        return TriggerEvent(id: newID(), occurrence: try occurrence())
    }

    /// Consumes what happens: “19:00”, “sunset”, “Front Door unlocks”, “the last person leaves”.
    mutating func occurrence() throws(WhenError) -> TriggerEvent.Occurrence {
        if let moment = try sun() { return .sun(moment) }
        if let moment = try calendarMoment() { return .calendar(moment) }
        if let region = try region() { return .location(region) }
        if let presence = try arrivalOrDeparture() { return .presence(presence) }
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

    // MARK: Users

    private mutating func arrivalOrDeparture() throws(WhenError) -> Presence? {
        let start = tokens.position
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
