import Foundation
import HomeModel

// Times compared with moments. Only the components that are set count, from the year to the second. A moment with a time of
// day is a point in time: from its beginning on, the time is after it. Any other moment takes whole days.

extension CalendarMoment {
    /// The relation of a time to a moment.
    enum Relation: Hashable, Sendable {
        /// The moment has not begun.
        case before
        /// The moment lasts.
        case during
        /// The moment is over.
        case after
    }

    /// Returns the relation of an instant to the moment; `nil` if the moment has no components, or its time zone or its
    /// calendar is unknown.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - zone: The time zone of a moment without one.
    func relation(to instant: Date, in zone: TimeZone) -> Relation? {
        guard components.contains(where: { $0 != nil }), let zone = effectiveZone(zone),
            let calendar = DayCalendar(name: calendar)
        else { return nil }
        let time = zone.localTime(at: instant)
        let date = calendar.date(of: time.day)
        let current = [date.year, date.month, date.day, time.day.weekday, time.hour, time.minute, time.second]
        for (component, current) in zip(components, current) {
            if let component, component != current { return current < component ? .before : .after }
        }
        return .during
    }

    /// Whether the moment has a time of day.
    var isPoint: Bool { hour != nil || minute != nil || second != nil }

    /// Returns whether an instant is in the period from this moment until another one, or, if that one is of whole days,
    /// until its end; `nil` if one of them can't be compared. A period whose end is before its beginning spans the turn of
    /// the day, week or year.
    func spans(to end: CalendarMoment, _ instant: Date, in zone: TimeZone) -> Bool? {
        guard let start = relation(to: instant, in: zone), let relation = end.relation(to: instant, in: zone) else {
            return nil
        }
        let hasBegun = start != .before
        let isOver = relation == .after || relation == .during && end.isPoint
        return isLater(than: end) ? hasBegun || !isOver : hasBegun && !isOver
    }

    private var components: [Int?] { [year, month, day, weekday, hour, minute, second] }

    /// Whether the moment is later than another one. A component of the time of day that only one of them has is 0 in the
    /// other one; any other component that only one has doesn't count.
    private func isLater(than other: CalendarMoment) -> Bool {
        for (index, pair) in zip(components, other.components).enumerated() {
            let first = index >= 4 ? 0 : nil
            guard let left = pair.0 ?? first, let right = pair.1 ?? first else { continue }
            if left != right { return left > right }
        }
        return false
    }
}
