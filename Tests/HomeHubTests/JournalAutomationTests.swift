import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI
import Journal
import PeerProcess
import Testing

@testable import HomeHub

/// What automations did, as the journal tells it.
struct JournalAutomationTests {
    private func explain(_ id: UUID, in home: AutomationHome) async throws -> [JournalEntry] {
        try await home.client.call(HubMethods.explain, ItemTarget(home: home.home, id: id)).entries
    }

    @Test func aLampIsExplainedByTheAutomationAndItsCondition() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Cozy", [(home.power(0), .bool(true))])
            let dark = Condition.characteristic(try home.power(1), .equal, .bool(false))
            let trigger = try await home.addTrigger(
                "Evening",
                on: [.sun(SunMoment(.sunset, offset: 15))],
                if: dark,
                running: [scene]
            )
            try await home.advance(7 * 60)
            let chain = try await explain(home.ids[0], in: home)
            try #require(chain.map { JournalKind($0.content) } == [.value, .scene, .trigger])
            #expect(chain[0].journalValue?.value == .bool(true))
            #expect(chain[0].cause == Cause(kind: .scene, subject: scene))
            #expect(chain[1].content == .scene(JournalObject(id: scene, name: "Cozy"), actions: 1, failures: 0))
            guard case .trigger(let object, .fired, let event?, let observations, let due?) = chain[2].content else {
                Issue.record("\(chain[2])")
                return
            }
            #expect(object == JournalObject(id: trigger, name: "Evening"))
            #expect(event.occurrence == .sun(SunMoment(.sunset, offset: 15)))
            #expect(observations == [Observation(dark, isTrue: true, value: .bool(false))])
            #expect(chain[2].names == [JournalObject(id: home.ids[1], name: home.names[1])])
            #expect(due == chain[2].time)
            #expect(try await explain(trigger, in: home) == [chain[2]])
        }
    }

    @Test func anAutomationThatDidNotRunSaysWhy() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Cozy", [(home.power(0), .bool(true))])
            let lit = Condition.characteristic(try home.power(1), .equal, .bool(true))
            let trigger = try await home.addTrigger(
                "Evening",
                on: [.calendar(CalendarMoment(hour: 19, minute: 0))],
                if: lit,
                running: [scene]
            )
            try await home.advance(8 * 60)
            let chain = try await explain(trigger, in: home)
            guard case .trigger(_, .conditionFalse, _, let observations, _)? = chain.first?.content else {
                Issue.record("\(chain)")
                return
            }
            #expect(observations == [Observation(lit, isTrue: false, value: .bool(false))])
            #expect(try await explain(home.ids[0], in: home).isEmpty)
        }
    }

    @Test func allAutomationsThatAValueDidNotSetOffSayWhyOnceAMinute() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Cozy", [(home.power(0), .bool(true))])
            let lit = Condition.characteristic(try home.power(1), .equal, .bool(true))
            let motion = try home.identity(2, HAPType.Characteristic.motionDetected)
            var triggers: [UUID] = []
            for name in ["One", "Two", "Three"] {
                triggers.append(
                    try await home.addTrigger(name, on: [.characteristic(motion, nil)], if: lit, running: [scene])
                )
            }
            let last = try #require(triggers.last)
            func outcomes(of trigger: UUID) async throws -> [TriggerOutcome] {
                let query = JournalQuery(home: home.home, about: trigger, limit: 10)
                return try await home.client.call(HubMethods.journal, query).entries.reversed().compactMap { entry in
                    if case .trigger(_, let outcome, _, _, _) = entry.content { outcome } else { nil }
                }
            }

            // The second event holds them back for the same reason.
            try await home.set(2, "MotionDetected", .bool(true))
            try await home.until(last, 1)
            try await home.set(2, "MotionDetected", .bool(false))
            try await home.until(last, 2)
            for (trigger, name) in zip(triggers, ["One", "Two", "Three"]) {
                let chain = try await explain(trigger, in: home)
                guard case .trigger(let object, .conditionFalse, let event?, let found, nil)? = chain.first?.content
                else {
                    Issue.record("\(chain)")
                    return
                }
                #expect(object == JournalObject(id: trigger, name: name))
                #expect(event.occurrence == .characteristic(motion, nil))
                #expect(found == [Observation(lit, isTrue: false, value: .bool(false))])
                let names = chain.first?.names.map(\.id)
                #expect(names.map(Set.init) == [home.ids[1], home.ids[2]])
                #expect(try await outcomes(of: trigger) == [.conditionFalse])
            }

            try await home.advance(1)
            try await home.set(2, "MotionDetected", .bool(true))
            try await home.until(last, 3)
            #expect(try await outcomes(of: last) == [.conditionFalse, .conditionFalse])

            // After one of them has run, the reason is new.
            try await home.set(1, "On", .bool(true))
            try await home.untilKnown(1, isOn: true)
            try await home.set(2, "MotionDetected", .bool(false))
            try await home.until(last, 4)
            try await home.set(1, "On", .bool(false))
            try await home.untilKnown(1, isOn: false)
            try await home.set(2, "MotionDetected", .bool(true))
            try await home.until(last, 5)
            #expect(try await outcomes(of: last) == [.conditionFalse, .conditionFalse, .fired, .conditionFalse])
        }
    }

    @Test func aFiringIsOnTheDiskBeforeItsSceneBegins() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Cozy", [(home.power(0), .bool(true))])
            _ = try await home.addTrigger(
                "Evening",
                on: [.calendar(CalendarMoment(hour: 19, minute: 0))],
                running: [scene]
            )
            let file = home.folder.appending(path: "hub").appending(path: JournalFile.name).path
            let found = AwaitableValue<[Int]>([])
            home.hub.activities.subscribe { activity in
                guard case .runs(let updates) = activity, updates.contains(where: { $0.id == scene && $0.isRunning })
                else {
                    return
                }
                var configuration = Configuration()
                configuration.readonly = true
                let sql = "SELECT count(*) FROM entry WHERE kind = \(JournalKind.trigger.rawValue)"
                let count = try? DatabaseQueue(path: file, configuration: configuration).read {
                    try Int.fetchOne($0, sql: sql)
                }
                found.change { $0.append(count ?? -1) }
            }
            try await home.advance(8 * 60)
            #expect(found.value == [1])
        }
    }

    @Test func anEndThatRestoresALampIsItsCause() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Light", [(home.power(0), .bool(true))])
            let trigger = try await home.addTrigger(
                "Hall",
                on: [.calendar(CalendarMoment(hour: 19, minute: 0))],
                until: [.duration(seconds: 600)],
                running: [scene]
            )
            try await home.advance(7 * 60 + 15)
            try await home.untilKnown(0, isOn: false)
            let chain = try await explain(home.ids[0], in: home)
            try #require(chain.map { JournalKind($0.content) } == [.value, .trigger])
            #expect(chain[0].journalValue?.value == .bool(false) && chain[0].journalValue?.previous == .bool(true))
            guard case .trigger(JournalObject(id: trigger, name: "Hall"), .ended, _, _, _) = chain[1].content else {
                Issue.record("\(chain[1])")
                return
            }
        }
    }
}
