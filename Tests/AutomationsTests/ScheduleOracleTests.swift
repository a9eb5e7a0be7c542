import Automations
import Foundation
import HomeModel
import PeerProcess
import Testing

/// Schedules compared with python-dateutil, an independent implementation of calendars and time zones.
@Suite struct ScheduleOracleTests {
    /// Zones whose past and rules are settled, with all kinds of changes: half an hour in Lord Howe, at midnight in Havana
    /// and São Paulo, a day that was skipped in Apia, a negative summer time in Dublin.
    private static let zones = [
        "UTC", "Europe/Berlin", "Europe/London", "Europe/Dublin", "Atlantic/Azores", "America/New_York",
        "America/Los_Angeles", "America/St_Johns", "America/Havana", "America/Sao_Paulo", "America/Phoenix",
        "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Asia/Tehran", "Australia/Sydney", "Australia/Lord_Howe",
        "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "Africa/Johannesburg",
    ]

    private struct Recurrence: Encodable {
        var days: Int
        var minutes: Int
    }

    private struct Case: Encodable {
        var zone: String
        var after: Int
        var fire: Int?
        var recurrence: Recurrence?
        var moment: CalendarMoment?
    }

    @Test(arguments: [1, 2, 3, 4])
    func timersFireWhenDateutilSays(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let cases = (0..<400).map { _ in
            let days = Int.random(in: 0...35, using: &generator) * Int.random(in: 0...1, using: &generator)
            let longest = days == 35 ? 0 : days == 0 ? 35 * 24 * 60 : 3 * 60
            let minutes = Int.random(in: 0...1, using: &generator) * Int.random(in: 0...longest, using: &generator)
            let recurrence = Recurrence(days: days, minutes: days == 0 ? max(5, minutes) : minutes)
            let zone = Self.zones.randomElement(using: &generator) ?? "UTC"
            let fire = Self.minute(using: &generator)
            // Enough occurrences to matter, few enough to count them one by one.
            let length = recurrence.days * 1_440 + recurrence.minutes
            let span = min(length * 400, 4 * 366 * 1_440)
            let after = fire + Int.random(in: -length...span, using: &generator) * 60
            return Case(zone: zone, after: after, fire: fire, recurrence: recurrence)
        }
        try await compare(cases) { test, zone in
            let recurrence = test.recurrence.map { RecurrenceInterval(days: $0.days, minutes: $0.minutes) }
            let fire = Date(timeIntervalSince1970: Double(test.fire ?? 0))
            return TimerSchedule(fireDate: fire, timeZone: zone.identifier, recurrence: recurrence)
                .next(after: Date(timeIntervalSince1970: Double(test.after)), in: .gmt)
        }
    }

    @Test(arguments: [5, 6, 7, 8])
    func calendarEventsFireWhenDateutilSays(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let cases = (0..<200).map { _ in
            var moment = CalendarMoment()
            func isSet() -> Bool { Bool.random(using: &generator) }
            if isSet() { moment.month = Int.random(in: 1...12, using: &generator) }
            if isSet() { moment.day = Int.random(in: 1...31, using: &generator) }
            if isSet() { moment.hour = Int.random(in: 0...23, using: &generator) }
            if isSet() || moment == CalendarMoment() { moment.minute = Int.random(in: 0...59, using: &generator) }
            if moment.minute != nil, isSet() { moment.second = Int.random(in: 0...59, using: &generator) }
            let zone = Self.zones.randomElement(using: &generator) ?? "UTC"
            return Case(zone: zone, after: Self.minute(using: &generator), moment: moment)
        }
        try await compare(cases) { test, zone in
            test.moment?.next(after: Date(timeIntervalSince1970: Double(test.after)), in: zone)
        }
    }

    /// Times of day at which clocks change, on the days of the changes.
    @Test func skippedAndRepeatedTimesFireWhenDateutilSays() async throws {
        var generator = SeededGenerator(seed: 9)
        var cases: [Case] = []
        for name in Self.zones {
            let zone = try #require(TimeZone(identifier: name))
            var change = Date(timeIntervalSince1970: Double(Self.minute(using: &generator)))
            for _ in 0..<2 {
                guard let next = zone.nextDaylightSavingTimeTransition(after: change) else { break }
                guard next < Self.end else { break }
                change = next
                for minutes in stride(from: -180, through: 180, by: 15) {
                    let time = zone.localTime(at: change.addingTimeInterval(Double(minutes) * 60))
                    let after = Int(change.timeIntervalSince1970) - 20 * 3_600
                    let moment = CalendarMoment(hour: time.hour, minute: time.minute)
                    cases.append(Case(zone: name, after: after, moment: moment))
                    let second = Int(change.timeIntervalSince1970) + minutes * 60
                    cases.append(Case(zone: name, after: second, moment: CalendarMoment(minute: time.minute)))
                    let daily = Recurrence(days: 1, minutes: 0)
                    let fire = second - 3 * 86_400 + Int.random(in: 0...1, using: &generator) * 3_600
                    cases.append(Case(zone: name, after: after, fire: fire, recurrence: daily))
                }
            }
        }
        #expect(cases.count > 1_000)
        try await compare(cases) { test, zone in
            let after = Date(timeIntervalSince1970: Double(test.after))
            guard let fire = test.fire else { return test.moment?.next(after: after, in: zone) }
            let recurrence = test.recurrence.map { RecurrenceInterval(days: $0.days, minutes: $0.minutes) }
            return TimerSchedule(fireDate: Date(timeIntervalSince1970: Double(fire)), recurrence: recurrence)
                .next(after: after, in: zone)
        }
    }

    private static let end = Date(timeIntervalSince1970: 1_924_992_000)

    /// Returns a minute of the years 1996 to 2030, in seconds since 1970.
    private static func minute(using generator: inout SeededGenerator) -> Int {
        Int.random(in: 820_454_400 / 60..<Int(end.timeIntervalSince1970) / 60, using: &generator) * 60
    }

    private func compare(_ cases: [Case], _ next: (Case, TimeZone) -> Date?) async throws {
        let peer = try PeerPython.start("schedules.py")
        try peer.ask(cases)
        let expected = try await peer.json([Double?].self, "the times of \(cases.count) cases") { _ in true }
        await peer.terminate()
        try #require(expected.count == cases.count)
        var differences: [String] = []
        for (test, expected) in zip(cases, expected) {
            let zone = try #require(TimeZone(identifier: test.zone))
            let found = next(test, zone)
            if found?.timeIntervalSince1970 != expected {
                let wanted = expected.map { Date(timeIntervalSince1970: $0) }
                differences.append("\(test): \(found as Any), expected \(wanted as Any)")
            }
        }
        #expect(differences == [])
    }
}
