import Foundation
import HAPCatalog
import HomeModel

extension Circumstances {
    /// Evaluates a term that contains no other terms.
    func observe(_ term: Condition) -> (Truth, Observation) {
        switch term {
        case .characteristic(let characteristic, let comparison, let expected):
            let value = value(characteristic)
            let truth = Truth(value.flatMap { comparison.holds(between: $0, and: expected) })
            return (truth, Observation(term, isTrue: truth == .yes, value: value))
        case .calendar(let side, let moment):
            return observe(term, compare(side, moment))
        case .betweenCalendar(let from, let to):
            return observe(term, Truth(from.spans(to: to, now, in: timeZone)))
        case .sun(let side, let moment):
            guard let time = time(of: moment, on: localTime.day), side != .on else { return observe(term, .unknown) }
            return observe(term, Truth(side == .before ? now < time : now >= time), moments: [time])
        case .betweenSun(let from, let to):
            let (truth, moments) = between(from, to)
            return observe(term, truth, moments: moments)
        case .presence(let presence):
            return observe(term, presence)
        case .all:
            return observe(term, .yes)
        case .any:
            return observe(term, .no)
        case .not, .unknown:
            return observe(term, .unknown)
        }
    }

    private var localTime: LocalTime { timeZone.localTime(at: now) }

    private func observe(_ term: Condition, _ truth: Truth, moments: [Date] = []) -> (Truth, Observation) {
        (truth, Observation(term, isTrue: truth == .yes, moments: moments))
    }

    private func compare(_ side: Condition.Side, _ moment: CalendarMoment) -> Truth {
        guard let relation = moment.relation(to: now, in: timeZone) else { return .unknown }
        return switch side {
        case .before: Truth(relation == .before)
        case .on: Truth(relation == .during)
        case .after: Truth(relation == .after || relation == .during && moment.isPoint)
        }
    }

    private func time(of moment: SunMoment, on day: LocalDay) -> Date? {
        place.flatMap { moment.time(on: day, at: $0, in: timeZone) }
    }

    /// Looks for a period that contains the time: one that began yesterday, today, or already for tomorrow's event.
    private func between(_ from: SunMoment, _ to: SunMoment) -> (Truth, moments: [Date]) {
        let today = localTime.day
        for day in [today, today + -1, today + 1] {
            if let period = period(from, to, on: day), period.start <= now, now < period.end {
                return (.yes, [period.start, period.end])
            }
        }
        guard let period = period(from, to, on: today) else { return (.unknown, []) }
        return (.no, [period.start, period.end])
    }

    /// Returns the period that begins with a day's first event and ends with the second event that follows.
    private func period(_ from: SunMoment, _ to: SunMoment, on day: LocalDay) -> (start: Date, end: Date)? {
        guard let start = time(of: from, on: day) else { return nil }
        for day in [day + -1, day, day + 1] {
            if let end = time(of: to, on: day), end > start { return (start, end) }
        }
        return nil
    }

    private func observe(_ term: Condition, _ presence: Presence) -> (Truth, Observation) {
        let counted = presence.people.users(among: users)
        let reports = counted.compactMap { user in isHome(user).map { (user, $0) } }
        let present = reports.filter(\.1).map(\.0)
        let truth: Truth =
            switch presence.kind {
            case .firstEntry where !reports.isEmpty: Truth(!present.isEmpty)
            case .lastExit where !reports.isEmpty: Truth(present.isEmpty)
            default: .unknown
            }
        return (truth, Observation(term, isTrue: truth == .yes, present: present))
    }
}
