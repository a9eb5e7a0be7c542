import DNSSD
import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Logging
import PeerProcess
import Testing

@testable import HomeHub

/// Automations on the system's clock.
struct SystemClockTests {
    /// Returns the configuration of a hub whose clock shows a time at the hub's start and runs from there.
    private static func configuration(
        _ folder: URL,
        startingAt start: Date,
        isSynchronized: @escaping @Sendable () -> Bool = { true }
    ) -> HubConfiguration {
        let offset = start.timeIntervalSince(Date())
        return HubConfiguration(
            data: folder.appending(path: "hub"),
            interfaces: [.loopback],
            userName: "Tester",
            isClockSynchronized: isSynchronized,
            timeZone: TimeZone(identifier: "Europe/Berlin") ?? .current,
            now: { Date().addingTimeInterval(offset) },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private static func with<Result>(
        _ configuration: HubConfiguration,
        _ body: (HomeHub, AwaitableValue<[TriggerActivity]>) async throws -> Result
    ) async throws -> Result {
        let hub = try await HomeHub(configuration)
        let activities = AwaitableValue<[TriggerActivity]>([])
        hub.activities.subscribe { activity in
            if case .trigger(let activity) = activity { activities.change { $0.append(activity) } }
        }
        let result: Result
        do {
            result = try await body(hub, activities)
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
        return result
    }

    /// Adds a trigger of a missing accessory: it fires, and its write fails.
    private static func addTrigger(to hub: HomeHub) async throws -> UUID {
        let client = try await RecordingHubClient(to: hub)
        let home = try #require(client.view.homes.keys.first)
        let scene = try await client.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Evening"))).id
        let gadget = try #require(client.view.homes[home]?.accessories.first).id
        let power = try #require(client.view.homes[home]?.identity(ofCharacteristic: 11, in: gadget))
        let action = AddAction(power, value: .bool(true), actionSet: scene)
        _ = try await client.call(HubMethods.addAction, InHome(home, action))
        let rule = EventRule(events: [
            TriggerEvent(id: UUID(), occurrence: .calendar(CalendarMoment(hour: 19, minute: 0)))
        ])
        let trigger = try await client.call(
            HubMethods.addTrigger,
            InHome(home, AddTrigger(name: "Daily", .event(rule)))
        ).id
        let addition = AddActionSetToTrigger(actionSet: scene, trigger: trigger)
        _ = try await client.call(HubMethods.addActionSetToTrigger, InHome(home, addition))
        _ = try await client.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(trigger, true)))
        return trigger
    }

    /// Returns what the journal says about triggers, newest first.
    private static func journal(of hub: HomeHub) async throws -> [(outcome: TriggerOutcome, due: Date?)] {
        let client = try await RecordingHubClient(to: hub)
        let home = try #require(client.view.homes.keys.first)
        let page = try await client.call(HubMethods.journal, JournalQuery(home: home, limit: 100))
        return page.entries.compactMap { entry in
            guard case .trigger(_, let outcome, _, _, let due) = entry.content else { return nil }
            return (outcome, due)
        }
    }

    /// 2026-03-02, 19:00 in Berlin.
    private static let due = AutomationHome.noon.addingTimeInterval(7 * 3_600)

    @Test func theHubWakesWhenAnAutomationIsDue() async throws {
        // The hub has more time to add the automation if it was too slow at first.
        for lead in [1.0, 5, 30] {
            let isInTime = try await withPopulatedFolder { folder, _ in
                let start = ContinuousClock.now
                let configuration = Self.configuration(folder, startingAt: Self.due.addingTimeInterval(-lead))
                return try await Self.with(configuration) { hub, activities in
                    let trigger = try await Self.addTrigger(to: hub)
                    guard ContinuousClock.now - start < .seconds(lead) else { return false }
                    let fired = try await activities.until { !$0.isEmpty }
                    #expect(fired.first?.trigger == trigger && fired.first?.due == Self.due)
                    #expect(fired.first?.outcome == .fired)
                    return true
                }
            }
            if isInTime { return }
        }
        Issue.record("The hub needed half a minute to add an automation.")
    }

    @Test func whatWasDueWhileTheHubWasDownIsToldAndNotFired() async throws {
        try await withPopulatedFolder { folder, _ in
            try await Self.with(Self.configuration(folder, startingAt: Self.due.addingTimeInterval(-3_600))) { hub, _ in
                _ = try await Self.addTrigger(to: hub)
            }
            let later = Self.due.addingTimeInterval(3_600)
            try await Self.with(Self.configuration(folder, startingAt: later)) { hub, _ in
                let told = try await Self.journal(of: hub)
                #expect(told.map(\.outcome) == [.missed] && told.map(\.due) == [Self.due])
            }
            // It is told once.
            try await Self.with(Self.configuration(folder, startingAt: later.addingTimeInterval(60))) { hub, _ in
                let told = try await Self.journal(of: hub)
                #expect(told.count == 1)
            }
        }
    }

    @Test func aClockThatWasNeverSetFiresNothing() async throws {
        try await withPopulatedFolder { folder, _ in
            let before = Self.configuration(folder, startingAt: Self.due.addingTimeInterval(-3_600))
            try await Self.with(before) { hub, _ in _ = try await Self.addTrigger(to: hub) }
            // The machine starts a day earlier, and the automation is due right then.
            let wrong = Self.due.addingTimeInterval(-24 * 3_600)
            let configuration = Self.configuration(folder, startingAt: wrong, isSynchronized: { false })
            try await Self.with(configuration) { hub, activities in
                let client = try await RecordingHubClient(to: hub)
                let home = try #require(client.view.homes.values.first)
                let trigger = try #require(home.triggers.first).id
                let forecast = try await client.call(HubMethods.testTrigger, ItemTarget(home: home.id, id: trigger))
                #expect(forecast.obstacle == .clockNotSet && !forecast.wouldRun)
                #expect(activities.value.isEmpty)
            }
        }
    }

    @Test func aTimeThatCannotBeRightIsNotTrustedUnlessTheKernelSaysSo() {
        let seen = AutomationHome.noon
        func isSet(_ seconds: TimeInterval, _ isSynchronized: Bool) -> Bool {
            let now = seen.addingTimeInterval(seconds)
            return SystemClockCheck.isSet(now: now, lastSeen: seen, isSynchronized: isSynchronized)
        }
        #expect(isSet(0, false) && isSet(1, false))
        #expect(!isSet(-1, false))
        #expect(isSet(-1, true))
        #expect(!SystemClockCheck.isSet(now: Date(timeIntervalSince1970: 0), lastSeen: nil, isSynchronized: false))
        #expect(SystemClockCheck.isSet(now: seen, lastSeen: nil, isSynchronized: false))
    }
}
