import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

/// End events, which undo what a trigger did.
@Suite struct EffectTests {
    private let motion = characteristic(.Characteristic.motionDetected)

    private func fire(_ test: inout TestHome) {
        _ = test.set(motion, .bool(false))
        for decision in test.set(motion, .bool(true)) where decision.outcome == .fire {
            test.engine.began(decision.trigger, in: test.home.id, at: test.now)
        }
    }

    @Test func durationEndsTheEffect() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        #expect(test.engine.nextWake == nil)
        fire(&test)
        #expect(test.engine.effect(of: trigger, in: test.home.id) == test.now)
        #expect(test.engine.nextWake == (try date("2026-11-22 12:10")))
        let end = test.run(to: try date("2026-11-22 13:00"))
        #expect(end.map(\.outcome) == [.end])
        #expect(end.map(\.due) == [try date("2026-11-22 12:10")])
        #expect(test.engine.effect(of: trigger, in: test.home.id) == nil)
        #expect(test.engine.nextWake == nil)
    }

    @Test func anotherFiringBeginsTheDurationAgain() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        fire(&test)
        #expect(test.run(to: try date("2026-11-22 12:08")) == [])
        fire(&test)
        #expect(test.run(to: try date("2026-11-22 13:00")).map(\.due) == [try date("2026-11-22 12:18")])
    }

    @Test func durationOutsideTheLimitsNeverEnds() throws {
        for seconds in [0, -1, 86_401, .max] {
            var test = try TestHome(at: date("2026-11-22 12:00"))
            _ = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: seconds))
            fire(&test)
            #expect(test.engine.nextWake == nil)
        }
    }

    @Test func anyEndEventEndsTheEffectOnce() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let rule = EventRule(
            events: [TriggerEvent(id: UUID(), occurrence: .characteristic(motion, .bool(true)))],
            endEvents: [
                TriggerEvent(id: UUID(), occurrence: .characteristic(motion, .bool(false))),
                TriggerEvent(id: UUID(), occurrence: .calendar(CalendarMoment(hour: 12, minute: 30))),
                TriggerEvent(id: UUID(), occurrence: .duration(seconds: 3_600)),
            ]
        )
        _ = test.add(.event(rule))
        #expect(test.run(to: try date("2026-11-22 12:20")) == [])
        fire(&test)
        #expect(test.set(motion, .bool(false)).map(\.outcome) == [.end])
        #expect(test.run(to: try date("2026-11-22 12:25")) == [])
        fire(&test)
        let end = test.run(to: try date("2026-11-22 20:00"))
        #expect(end.map(\.event) == [rule.endEvents[1]])
        #expect(test.set(motion, .bool(false)) == [])
    }

    @Test func endComesBeforeAFiringOnTheSameEvent() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(motion, nil), until: .characteristic(motion, nil))
        fire(&test)
        #expect(test.set(motion, .bool(false)).map(\.outcome) == [.end, .fire])
    }

    @Test func disabledTriggerStillEnds() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600), once: true)
        fire(&test)
        try test.edit(trigger) { $0.isEnabled = false }
        #expect(test.run(to: try date("2026-11-22 13:00")).map(\.outcome) == [.end])
        #expect(test.set(motion, .bool(false)) == [])
    }

    @Test func removedEndEventsLeaveNoEffect() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        fire(&test)
        try test.edit(trigger) { record in
            guard case .event(var rule) = record.definition else { return }
            rule.endEvents = []
            record.definition = .event(rule)
        }
        #expect(test.engine.nextWake == nil)
        #expect(test.engine.effect(of: trigger, in: test.home.id) == nil)
    }

    @Test func effectSurvivesARestartAndItsEndIsNeverMissed() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        for (time, isOver) in [("12:05", false), ("18:00", true)] {
            var engine = TriggerEngine(timeZone: test.engine.timeZone)
            engine.update(test.home, at: test.now)
            engine.resume(trigger, in: test.home.id, since: test.now)
            let now = try date("2026-11-22 \(time)")
            let decisions = engine.start(at: now, lastSeen: test.now, known: test.known)
            #expect(decisions.map(\.outcome) == (isOver ? [.end] : []))
            #expect(engine.nextWake == (isOver ? nil : try date("2026-11-22 12:10")))
        }
    }

    @Test func effectThatEndedOtherwiseDoesNotEndAgain() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        fire(&test)
        test.engine.ended(trigger, in: test.home.id)
        #expect(test.engine.nextWake == nil)
        #expect(test.run(to: try date("2026-11-22 13:00")) == [])
        // An unknown trigger is ignored.
        test.engine.began(UUID(), in: test.home.id, at: test.now)
        test.engine.ended(UUID(), in: UUID())
    }

    @Test func effectLastsAsLongWhenTheClockIsSetBack() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(motion, .bool(true)), until: .duration(seconds: 600))
        fire(&test)
        #expect(test.run(to: try date("2026-11-22 12:06")) == [])
        #expect(test.jump(to: try date("2026-11-22 11:06")) == [])
        #expect(test.engine.nextWake == (try date("2026-11-22 11:10")))
    }
}
