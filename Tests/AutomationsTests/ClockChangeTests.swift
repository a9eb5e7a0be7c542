import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

/// What happens when time doesn't pass steadily: the hub was down, the machine was suspended, or the clock was changed.
@Suite struct ClockChangeTests {
    private let evening = TriggerEvent.Occurrence.calendar(CalendarMoment(hour: 19))

    private func restarted(_ test: TestHome, at now: Date, lastSeen: Date?) -> (TriggerEngine, [TriggerDecision]) {
        var engine = TriggerEngine(timeZone: test.engine.timeZone)
        engine.update(test.home, at: now)
        let decisions = engine.start(at: now, lastSeen: lastSeen, known: test.known)
        return (engine, decisions)
    }

    @Test func whatWasDueWhileTheHubWasDownIsMissed() throws {
        var test = try TestHome(at: date("2026-11-20 12:00"))
        let daily = test.add(on: evening)
        let sunday = test.add(on: evening, weekdays: [1])
        let once = test.add(.timer(TimerSchedule(fireDate: try date("2026-11-21 08:00"))))
        let later = test.add(.timer(TimerSchedule(fireDate: try date("2026-11-30 08:00"))))
        let recurrence = RecurrenceInterval(minutes: 5)
        let often = test.add(.timer(TimerSchedule(fireDate: try date("2026-11-20 12:00"), recurrence: recurrence)))
        let (engine, decisions) = restarted(
            test,
            at: try date("2026-11-24 12:02"),
            lastSeen: try date("2026-11-20 12:03")
        )
        func missed(_ trigger: UUID) -> [TriggerDecision] { decisions.filter { $0.trigger == trigger } }
        #expect(missed(daily).map(\.outcome) == [.missed(4)])
        #expect(missed(daily).map(\.due) == [try date("2026-11-23 19:00")])
        #expect(missed(sunday).map(\.due) == [try date("2026-11-22 19:00")])
        #expect(missed(sunday).map(\.outcome) == [.missed(1)])
        #expect(missed(once).map(\.outcome) == [.missed(1)])
        #expect(missed(once).map(\.isLast) == [true])
        #expect(missed(later) == [])
        #expect(missed(often).map(\.outcome) == [.missed(AutomationLimits.countedMisses)])
        #expect(missed(often).map(\.due) == [try date("2026-11-24 12:00")])
        #expect(decisions.map(\.due) == decisions.map(\.due).sorted { ($0 ?? .distantPast) < ($1 ?? .distantPast) })
        #expect(engine.nextWake == (try date("2026-11-24 12:05")))
    }

    @Test func yearsOfMissedTimesAreStatedAtOnce() throws {
        var test = try TestHome(at: date("1996-11-20 12:00"))
        let fire = try date("1996-11-20 12:00")
        for recurrence in [RecurrenceInterval(minutes: 5), RecurrenceInterval(days: 1), RecurrenceInterval(weeks: 5)] {
            _ = test.add(.timer(TimerSchedule(fireDate: fire, recurrence: recurrence)))
        }
        for moment in [CalendarMoment(minute: 30), CalendarMoment(hour: 12), CalendarMoment(month: 11, day: 20)] {
            _ = test.add(on: .calendar(moment))
        }
        _ = test.add(on: .sun(SunMoment(.sunset)))
        let (_, decisions) = restarted(test, at: try date("2026-11-24 12:02"), lastSeen: fire)
        #expect(
            decisions.allSatisfy { $0.outcome == .missed(AutomationLimits.countedMisses) || $0.outcome == .missed(30) }
        )
        let sunset = try #require(SunMoment(.sunset).next(after: try date("2026-11-23 12:00"), at: berlin))
        let dues = ["18 12:00", "20 00:00", "24 11:30", "24 12:00", "24 12:00", "24 12:00"]
            .map { try? date("2026-11-\($0)") }
        #expect(decisions.map(\.due) == (dues + [sunset]).sorted { $0 ?? sunset < $1 ?? sunset })
    }

    @Test func whatIsUpToAMinuteLateFires() throws {
        for (second, outcome) in [(0, TriggerDecision.Outcome.fire), (60, .fire), (61, .missed(1))] {
            var test = try TestHome(at: date("2026-11-20 18:00"))
            _ = test.add(on: evening)
            let decisions = test.jump(to: try date("2026-11-20 19:00").addingTimeInterval(Double(second)))
            #expect(decisions.map(\.outcome) == [outcome], "\(second) s")
            #expect(test.engine.nextWake == (try date("2026-11-21 19:00")))
        }
    }

    @Test func suspendedMachineFiresTheLastTimeAndMissesTheOthers() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        let decisions = test.jump(to: try date("2026-11-22 19:00:30"))
        #expect(decisions.map(\.outcome) == [.missed(2), .fire])
        #expect(decisions.map(\.due) == [try date("2026-11-21 19:00"), try date("2026-11-22 19:00")])
        #expect(Set(decisions.map(\.occurrence)).count == 2)
    }

    @Test func clockSetBackFiresNothingTwice() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        let trigger = test.add(on: evening)
        #expect(test.run(to: try date("2026-11-20 19:05")).map(\.outcome) == [.fire])
        // Back and forth, several times.
        for _ in 0..<20 {
            #expect(test.run(to: try date("2026-11-20 18:30")) == [])
            let added = test.add(on: evening)
            #expect(test.run(to: try date("2026-11-20 19:30")).map(\.trigger) == [added])
            test.remove(added)
        }
        let next = test.run(to: try date("2026-11-21 19:00"))
        #expect(next.map(\.trigger) == [trigger])
        #expect(next.map(\.due) == [try date("2026-11-21 19:00")])
    }

    @Test func clockThatWasAheadDoesNotSuppressTheTimesBetween() throws {
        var test = try TestHome(at: date("2030-01-01 18:00"))
        _ = test.add(on: evening)
        #expect(test.run(to: try date("2030-01-01 19:30")).count == 1)
        #expect(test.run(to: try date("2026-11-20 18:00")) == [])
        #expect(test.run(to: try date("2026-11-22 20:00")).map(\.outcome) == [.fire, .fire, .fire])
    }

    @Test func clockSetForwardByMistakeAndBackFiresWhatIsDue() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        #expect(test.jump(to: try date("2027-11-20 18:30")).map(\.outcome) == [.missed(AutomationLimits.countedMisses)])
        #expect(test.jump(to: try date("2026-11-20 18:01")) == [])
        let decisions = test.run(to: try date("2026-11-22 20:00"))
        #expect(decisions.map(\.outcome) == [.fire, .fire, .fire])
        #expect(decisions.map(\.due) == (try (20...22).map { try date("2026-11-\($0) 19:00") }))
    }

    @Test func clockSetBackByAMinuteStandsStill() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        #expect(test.run(to: try date("2026-11-20 19:00")).count == 1)
        #expect(test.jump(to: try date("2026-11-20 18:59")) == [])
        #expect(test.engine.nextWake == (try date("2026-11-21 19:00")))
        #expect(test.jump(to: try date("2026-11-20 19:00")) == [])
        #expect(test.jump(to: try date("2026-11-20 18:58:59")) == [])
        #expect(test.jump(to: try date("2026-11-20 19:01")) == [])
    }

    @Test func startBehindTheLastTimeIsNoProblem() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        let (engine, decisions) = restarted(test, at: try date("2026-11-20 18:00"), lastSeen: .distantFuture)
        #expect(decisions == [])
        #expect(engine.nextWake == (try date("2026-11-20 19:00")))
    }

    @Test(arguments: [-1e300, -62_135_769_600, 1e15, 1e300, .infinity])
    func extremeTimesAreNoProblem(seconds: Double) throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        _ = test.add(on: .sun(SunMoment(.sunrise)))
        _ = test.add(.timer(TimerSchedule(fireDate: test.now, recurrence: RecurrenceInterval(days: 1))))
        _ = test.jump(to: Date(timeIntervalSince1970: seconds))
        _ = test.jump(to: try date("2026-11-20 18:00"))
        #expect(test.run(to: try date("2026-11-20 19:00")).map(\.outcome) == [.fire])
    }

    @Test func newTimeZoneMovesTimesOfDay() throws {
        var test = try TestHome(at: date("2026-11-20 18:00"))
        _ = test.add(on: evening)
        test.engine.setTimeZone(try #require(TimeZone(identifier: "Europe/London")), at: test.now)
        #expect(test.engine.nextWake == (try date("2026-11-20 19:00", "Europe/London")))
    }
}
