import Foundation
import HomeModel

extension TriggerDefinition {
    /// Returns a short description of what runs the automation.
    func text(in home: Home) -> String {
        switch self {
        case .timer(let schedule): return schedule.text
        case .event(let rule):
            let events = rule.events.map { $0.text(in: home) }.joined(separator: " or ")
            return rule.condition == nil ? events : "\(events), if a condition holds"
        case .unknown: return "unknown (from a newer version)"
        }
    }
}

extension TimerSchedule {
    fileprivate var text: String {
        var style = Date.ISO8601FormatStyle(timeZone: timeZone.flatMap { TimeZone(identifier: $0) } ?? .current)
        style = style.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        let first = "\(fireDate.formatted(style).dropLast(3))"
        guard let recurrence else { return "at \(first)" }
        let units = [
            (recurrence.weeks, "week"), (recurrence.days, "day"), (recurrence.hours, "hour"),
            (recurrence.minutes, "minute"),
        ]
        let parts = units.filter { $0.0 != 0 }.map { $0.0 == 1 ? $0.1 : "\($0.0) \($0.1)s" }
        return "every \(parts.joined(separator: " and ")) from \(first)"
    }
}

extension TriggerEvent {
    fileprivate func text(in home: Home) -> String {
        switch occurrence {
        case .characteristic(let identity, let value):
            guard let found = home.characteristic(identity) else { return "a missing characteristic" }
            let name = "\(found.accessory.name) \(found.shape.displayName)"
            return value.map { "\(name) is \(ValueFormatter(characteristic: found.shape).text(of: $0))" }
                ?? "\(name) changes"
        case .threshold(let identity, let range):
            guard let found = home.characteristic(identity) else { return "a missing characteristic" }
            let name = "\(found.accessory.name) \(found.shape.displayName)"
            let bounds = [range.minimum.map { "at least \($0)" }, range.maximum.map { "at most \($0)" }]
            return "\(name) is \(bounds.compactMap(\.self).joined(separator: " and "))"
        case .sun(let moment):
            guard moment.offset != 0 else { return moment.event.rawValue }
            let side = moment.offset < 0 ? "before" : "after"
            return "\(moment.offset.magnitude) minutes \(side) \(moment.event.rawValue)"
        case .calendar(let moment):
            guard let hour = moment.hour else { return "a calendar time" }
            let minute = moment.minute ?? 0
            return "at \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        case .presence(let presence):
            return [.everyEntry, .firstEntry].contains(presence.kind) ? "someone arrives" : "someone leaves"
        case .location(let region): return region.onEntry ? "arrival at a place" : "departure from a place"
        case .hiddenLocation(let location):
            return location.onEntry ? "someone's arrival at a place" : "someone's departure from a place"
        case .duration(let seconds): return "after \(seconds) seconds"
        case .unknown: return "an unknown event (from a newer version)"
        }
    }
}
