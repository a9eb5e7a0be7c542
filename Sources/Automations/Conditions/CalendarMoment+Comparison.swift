import HomeModel

// Times compared with moments. Only the components that are set count, from the year to the minute. A moment with an hour
// or a minute is a point in time: from its beginning on, the time is after it. Any other moment takes whole days.

extension CalendarMoment {
    /// Returns whether a time is within the moment.
    func contains(_ time: LocalTime) -> Bool {
        isSet && comparisons(with: time).allSatisfy { $0.component == $0.current }
    }

    /// Returns whether the moment has not begun at a time.
    func isAfter(_ time: LocalTime) -> Bool {
        difference(from: time).map { $0 > 0 } ?? false
    }

    /// Returns whether the moment is over at a time, or has begun if it is a point in time.
    func isBefore(_ time: LocalTime) -> Bool {
        guard isSet else { return false }
        guard let difference = difference(from: time) else { return isPoint }
        return difference < 0
    }

    /// Returns whether a time is in the period from this moment until another one, or, if that one is of whole days,
    /// until its end. A period whose end is before its beginning spans the turn of the day, week or year.
    func spans(_ end: CalendarMoment, _ time: LocalTime) -> Bool {
        guard isSet, end.isSet else { return false }
        let hasBegun = !isAfter(time)
        let isOver = end.isBefore(time)
        return isLater(than: end) ? hasBegun || !isOver : hasBegun && !isOver
    }

    private var isSet: Bool { components.contains { $0 != nil } }

    private var isPoint: Bool { hour != nil || minute != nil }

    private var components: [Int?] { [year, month, day, weekday, hour, minute] }

    /// The set components and those of a time.
    private func comparisons(with time: LocalTime) -> [(component: Int, current: Int)] {
        let date = time.day.date
        let current = [date.year, date.month, date.day, time.day.weekday, time.hour, time.minute]
        return zip(components, current).compactMap { component, current in component.map { ($0, current) } }
    }

    /// The first difference from a time; `nil` if there is none.
    private func difference(from time: LocalTime) -> Int? {
        comparisons(with: time).lazy.map { $0.component - $0.current }.first { $0 != 0 }
    }

    /// Whether the moment is later than another one. An hour or a minute that only one of them has is 0 in the other one;
    /// any other component that only one has doesn't count.
    private func isLater(than other: CalendarMoment) -> Bool {
        for (index, pair) in zip(components, other.components).enumerated() {
            let isTimeOfDay = index >= 4
            guard let left = pair.0 ?? (isTimeOfDay ? 0 : nil), let right = pair.1 ?? (isTimeOfDay ? 0 : nil) else {
                continue
            }
            if left != right { return left > right }
        }
        return false
    }
}
