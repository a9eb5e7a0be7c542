import Automations
import Foundation
import HomeModel
import Testing

/// Random triggers over weeks, compared with a rule that looks at each minute.
@Suite struct NaiveOracleTests {
    /// A trigger with the same definition written as a question about a minute.
    private struct Model {
        var definition: TriggerDefinition
        var isDue: (_ minute: Int, _ local: Clock) -> Bool
        var weekdays: [Int] = []
        var window: (from: Int, to: Int)?
    }

    /// What a clock in the time zone shows, by Foundation's calendar.
    private struct Clock {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var minute = 0
        var weekday = 0

        init(at time: Date, _ calendar: Calendar) {
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .weekday], from: time)
            guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
                let minute = parts.minute, let weekday = parts.weekday
            else { return }
            (self.year, self.month, self.day) = (year, month, day)
            (self.hour, self.minute, self.weekday) = (hour, minute, weekday)
        }
    }

    /// What a trigger decided at a minute.
    private struct Firing: Hashable {
        var minute: Int
        var trigger: Int
        var outcome: TriggerDecision.Outcome
    }

    private static let zone = "Europe/Berlin"

    @Test(arguments: [
        ("2026-03-20 00:00", 1), ("2026-10-17 00:00", 2), ("2026-12-24 00:00", 3), ("2028-02-20 00:00", 4),
    ])
    func triggersFireInTheMinutesThatTheRuleNames(start: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = try date(start)
        let minutes = 14 * 1_440
        var test = try TestHome(at: start)
        let models = (0..<24).map { _ in model(from: start, using: &random) }
        let ids = models.map { test.add($0.definition) }

        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: Self.zone))
        let first = Int(start.timeIntervalSince1970) / 60
        var expected: Set<Firing> = []
        for minute in first + 1...first + minutes {
            let time = Date(timeIntervalSince1970: Double(minute) * 60)
            let local = Clock(at: time, calendar)
            for (index, model) in models.enumerated() where model.isDue(minute, local) {
                expected.insert(Firing(minute: minute, trigger: index, outcome: outcome(of: model, local)))
            }
        }

        let end = start.addingTimeInterval(Double(minutes) * 60)
        var stepped = test
        let decisions = test.run(to: end)
        let found = try decisions.map { decision in
            let index = try #require(ids.firstIndex(of: decision.trigger))
            let due = try #require(decision.due)
            return Firing(minute: Int(due.timeIntervalSince1970) / 60, trigger: index, outcome: decision.outcome)
        }
        #expect(expected.count > 300)
        #expect(Set(found) == expected)
        #expect(found.count == expected.count)
        #expect(decisions.compactMap(\.due) == decisions.compactMap(\.due).sorted())

        // Steps that don't stop at each due time give the same.
        var same: [TriggerDecision] = []
        while stepped.now < end {
            let step = Double(Int.random(in: 1...AutomationLimits.lateness, using: &random))
            same += stepped.jump(to: min(end, stepped.now.addingTimeInterval(step)))
        }
        #expect(same.map(\.occurrence) == decisions.map(\.occurrence))
        #expect(same.map(\.outcome) == decisions.map(\.outcome))
    }

    private func outcome(of model: Model, _ local: Clock) -> TriggerDecision.Outcome {
        if !model.weekdays.isEmpty, !model.weekdays.contains(local.weekday) { return .held(.wrongWeekday) }
        guard let window = model.window else { return .fire }
        let now = local.hour * 60 + local.minute
        let isInside =
            window.from <= window.to
            ? window.from <= now && now < window.to : now >= window.from || now < window.to
        return isInside ? .fire : .held(.conditionFalse)
    }

    private func model(from start: Date, using random: inout SeededGenerator) -> Model {
        let first = Int(start.timeIntervalSince1970) / 60
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // Elapsed time.
            let fire = first + Int.random(in: -5_000...5_000, using: &random)
            let length = Int.random(in: 5...3_000, using: &random)
            let schedule = TimerSchedule(
                fireDate: Date(timeIntervalSince1970: Double(fire) * 60),
                recurrence: RecurrenceInterval(hours: length / 60, minutes: length % 60)
            )
            return Model(definition: .timer(schedule)) { minute, _ in
                minute >= fire && (minute - fire).isMultiple(of: length)
            }
        case 1:
            // Days, at a time of day that clocks neither skip nor repeat.
            let hour = Int.random(in: 4...23, using: &random)
            let day = LocalDay(number: first / 1_440 + Int.random(in: -5...5, using: &random))
            let days = Int.random(in: 1...9, using: &random)
            let zone = TimeZone(identifier: Self.zone) ?? .gmt
            let fire = zone.instant(of: LocalTime(day: day, hour: hour, minute: 15))
            let schedule = TimerSchedule(fireDate: fire, recurrence: RecurrenceInterval(days: days))
            return Model(definition: .timer(schedule)) { minute, local in
                let today = LocalDay(year: local.year, month: local.month, day: local.day)
                return local.hour == hour && local.minute == 15 && today >= day
                    && (today.number - day.number).isMultiple(of: days)
            }
        default:
            return eventModel(using: &random)
        }
    }

    private func eventModel(using random: inout SeededGenerator) -> Model {
        var moment = CalendarMoment()
        if Int.random(in: 0..<4, using: &random) == 0 { moment.day = Int.random(in: 1...31, using: &random) }
        // Clocks neither skip nor repeat these hours.
        if Bool.random(using: &random) { moment.hour = Int.random(in: 4...23, using: &random) }
        if moment.hour == nil && moment.day == nil || Bool.random(using: &random) {
            moment.minute = Int.random(in: 0...59, using: &random)
        }
        var rule = EventRule(events: [TriggerEvent(id: UUID(), occurrence: .calendar(moment))])
        if Bool.random(using: &random) { rule.weekdays = (1...7).filter { _ in Bool.random(using: &random) } }
        var window: (from: Int, to: Int)?
        if Bool.random(using: &random) {
            let (from, to) = (Int.random(in: 0..<1_440, using: &random), Int.random(in: 0..<1_440, using: &random))
            window = (from, to)
            rule.condition = .betweenCalendar(
                CalendarMoment(hour: from / 60, minute: from % 60),
                CalendarMoment(hour: to / 60, minute: to % 60)
            )
        }
        let hour = moment.hour ?? (moment.minute == nil ? 0 : nil)
        let minute = moment.minute ?? 0
        var lastRepeat: Int?
        return Model(
            definition: .event(rule),
            isDue: { now, local in
                guard moment.day == nil || moment.day == local.day, hour == nil || hour == local.hour,
                    minute == local.minute
                else { return false }
                // In the hour that is repeated, only the first pass counts.
                if local.hour == 2, let last = lastRepeat, now - last == 60, Self.isRepeated(now) { return false }
                lastRepeat = now
                return true
            },
            weekdays: rule.weekdays,
            window: window
        )
    }

    /// Whether a minute is in the second pass of an hour that clocks repeat.
    private static func isRepeated(_ minute: Int) -> Bool {
        guard let zone = TimeZone(identifier: zone) else { return false }
        let time = Date(timeIntervalSince1970: Double(minute) * 60)
        return zone.secondsFromGMT(for: time) < zone.secondsFromGMT(for: time.addingTimeInterval(-3_600))
    }
}
