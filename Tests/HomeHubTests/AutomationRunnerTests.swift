import DNSSD
import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// Automations, by their effects on simulated accessories.
struct AutomationRunnerTests {
    private static let evening = CalendarMoment(hour: 19, minute: 0)

    @Test func aTimerRunsItsSceneWhenItIsDueAndNotBefore() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let schedule = TimerSchedule(
                fireDate: AutomationHome.noon.addingTimeInterval(600),
                recurrence: RecurrenceInterval(hours: 1)
            )
            let trigger = try await home.addTrigger("Timer", .timer(schedule), running: [scene])
            try await home.advance(9)
            #expect(try await home.value(0, "On") == .bool(false))
            try await home.advance(1)
            #expect(try await home.value(0, "On") == .bool(true))
            #expect(home.outcomes(of: trigger) == [.fired])
            #expect(home.client.view.runs[trigger]?.last == schedule.fireDate)
            try await home.advance(3 * 60)
            #expect(home.outcomes(of: trigger) == Array(repeating: .fired, count: 4))
        }
    }

    @Test func aTimerThatFiresOnceIsDisabledAfterwards() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let schedule = TimerSchedule(fireDate: AutomationHome.noon.addingTimeInterval(600))
            let trigger = try await home.addTrigger("Timer", .timer(schedule), running: [scene])
            try await home.advance(60)
            #expect(home.outcomes(of: trigger) == [.fired])
            try await home.client.until { $0.homes[home.home]?.triggers[id: trigger]?.isEnabled == false }
        }
    }

    @Test func aTemporaryTimerIsRemovedOnceItHasRun() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let trigger = try await home.addTemporaryTimer(after: 600, running: scene)
            try await home.advance(60)
            #expect(home.outcomes(of: trigger) == [.fired])
            try await home.client.until { $0.homes[home.home]?.triggers.contains(id: trigger) == false }
            #expect(try await home.value(0, "On") == .bool(true))
        }
    }

    @Test func aWeekOnTheClockFiresOnceADayAndAtSunset() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let daily = try await home.addTrigger("Daily", on: [.calendar(Self.evening)], running: [scene])
            let sunset = try await home.addTrigger(
                "Sunset",
                on: [.sun(SunMoment(.sunset, offset: 15))],
                running: [scene]
            )
            try await home.advance(7 * 24 * 60)
            #expect(home.outcomes(of: daily) == Array(repeating: .fired, count: 7))
            #expect(home.outcomes(of: sunset) == Array(repeating: .fired, count: 7))
            // 2026-03-02: the sun sets in Berlin at 17:46, according to the United States Naval Observatory.
            let first = try #require(home.activities(of: sunset).first?.due)
            #expect(abs(first.timeIntervalSince(AutomationHome.noon) - 6 * 3_600 - 60) < 120)
        }
    }

    @Test func aChangeAtTheAccessorySetsOffASceneAndTheEndEventRestoresWhatWasBefore() async throws {
        try await AutomationHome.with { home in
            let motion = try home.identity(2, HAPType.Characteristic.motionDetected)
            let brightness = try home.identity(0, HAPType.Characteristic.brightness)
            let scene = try await home.addScene("Light", [(home.power(0), .bool(true)), (brightness, .integer(80))])
            let trigger = try await home.addTrigger(
                "Motion",
                on: [.characteristic(motion, .bool(true))],
                until: [.duration(seconds: 600)],
                running: [scene]
            )
            try await home.set(2, "MotionDetected", .bool(true))
            try await home.untilKnown(0, isOn: true)
            #expect(home.outcomes(of: trigger) == [.fired])
            try await home.advance(9)
            #expect(try await home.value(0, "Brightness") == .integer(80))
            try await home.advance(1)
            #expect(home.outcomes(of: trigger) == [.fired, .ended])
            #expect(try await home.value(0, "On") == .bool(false))
            #expect(try await home.value(0, "Brightness") == .integer(50))
        }
    }

    @Test func aLampThatTurnsOnIsTurnedOffAgain() async throws {
        try await AutomationHome.with { home in
            let brightness = try home.identity(0, HAPType.Characteristic.brightness)
            let scene = try await home.addScene("Light", [(home.power(0), .bool(true)), (brightness, .integer(80))])
            let trigger = try await home.addTrigger(
                "Late",
                on: [.characteristic(home.power(0), .bool(true))],
                until: [.duration(seconds: 600)],
                running: [scene]
            )
            try await home.set(0, "On", .bool(true))
            try await home.until(trigger, 1)
            try await home.advance(10)
            #expect(home.outcomes(of: trigger) == [.fired, .ended])
            #expect(try await home.value(0, "On") == .bool(false))
            #expect(try await home.value(0, "Brightness") == .integer(50))
        }
    }

    @Test func anEndEventAfterARestartStillRestoresWhatWasBefore() async throws {
        try await AutomationHome.with { home in
            let motion = try home.identity(2, HAPType.Characteristic.motionDetected)
            let scene = try await home.addScene("Light", [(home.power(0), .bool(true))])
            let trigger = try await home.addTrigger(
                "Motion",
                on: [.characteristic(motion, .bool(true))],
                until: [.duration(seconds: 600)],
                running: [scene]
            )
            try await home.set(2, "MotionDetected", .bool(true))
            try await home.untilKnown(0, isOn: true)
            try await home.restart()
            try await home.advance(10)
            #expect(home.outcomes(of: trigger).last == .ended)
            #expect(try await home.value(0, "On") == .bool(false))
        }
    }

    @Test func aFalseConditionIsToldWithWhatItFound() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let trigger = try await home.addTrigger(
                "Daily",
                on: [.calendar(Self.evening)],
                if: .characteristic(home.power(1), .equal, .bool(true)),
                running: [scene]
            )
            try await home.advance(8 * 60)
            let activity = try #require(home.activities(of: trigger).first)
            #expect(activity.outcome == .conditionFalse)
            #expect(activity.observations.map(\.value) == [.bool(false)])
            #expect(try await home.value(0, "On") == .bool(false))

            try await home.set(1, "On", .bool(true))
            try await home.untilKnown(1, isOn: true)
            let forecast = try await home.client.call(HubMethods.testTrigger, ItemTarget(home: home.home, id: trigger))
            #expect(forecast.wouldRun && forecast.observations.map(\.isTrue) == [true])
            #expect(forecast.next == AutomationHome.noon.addingTimeInterval(31 * 3_600))
            try await home.advance(24 * 60)
            #expect(home.outcomes(of: trigger) == [.conditionFalse, .fired])
        }
    }

    @Test func theLastWhoLeavesAndTheFirstWhoComesSetOffAutomations() async throws {
        try await AutomationHome.with { home in
            let off = try await home.addScene("Leave", [(home.power(0), .bool(false))])
            let on = try await home.addScene("Arrive", [(home.power(0), .bool(true))])
            let left = try await home.addTrigger(
                "Left",
                on: [.presence(Presence(.lastExit, of: .everyone))],
                running: [off]
            )
            let came = try await home.addTrigger(
                "Came",
                on: [.presence(Presence(.firstEntry, of: .everyone))],
                running: [on]
            )
            let ann = try await home.client.call(
                HubMethods.addUser,
                AddHomeUser(home: home.home, name: "Ann", role: .guest)
            ).id
            func report(_ user: UUID?, _ isHome: Bool) async throws {
                let report = SetPresence(home: home.home, user: user, isHome: isHome)
                _ = try await home.client.call(HubMethods.setPresence, report)
            }
            try await report(nil, true)
            try await home.until(came, 1)
            try await report(ann, true)
            try await report(nil, false)
            try await home.advance(1)
            #expect(home.outcomes(of: left).isEmpty)
            try await report(ann, false)
            try await home.until(left, 1)
            try await home.advance(1)
            #expect(try await home.value(0, "On") == .bool(false))
            #expect(home.outcomes(of: came) == [.fired])

            let list = try await home.client.call(HubMethods.presence, HomeTarget(home: home.home)).users
            #expect(list.map(\.isHome) == [false, false] && list.map(\.name) == ["Tester", "Ann"])
            // A guest reports only themselves.
            let guest = try await RecordingHubClient(to: home.hub, as: ann)
            let other = try #require(guest.view.homes[home.home]?.users.first { $0.name == "Tester" }).id
            let report = SetPresence(home: home.home, user: other, isHome: true)
            #expect(try await guest.refusal(HubMethods.setPresence, report) == "insufficientPrivileges")
        }
    }

    @Test func twoAutomationsThatSetEachOtherOffAreStopped() async throws {
        try await AutomationHome.with { home in
            let on = try await home.addScene("On", [(home.power(0), .bool(true))])
            let off = try await home.addScene("Off", [(home.power(0), .bool(false))])
            let power = try home.power(0)
            let first = try await home.addTrigger("First", on: [.characteristic(power, .bool(false))], running: [on])
            let second = try await home.addTrigger("Second", on: [.characteristic(power, .bool(true))], running: [off])
            try await home.set(0, "On", .bool(true))
            try await home.published.until { all in
                all.contains { if case .trigger(let activity) = $0 { activity.outcome == .loopStopped } else { false } }
            }
            let outcomes = home.outcomes(of: first) + home.outcomes(of: second)
            #expect(outcomes.count { $0 == .fired } <= 12)
        }
    }

    @Test func whatWasDueWhileTheHubWasDownIsToldAndNotFired() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let trigger = try await home.addTrigger("Daily", on: [.calendar(Self.evening)], running: [scene])
            let temporary = try await home.addTemporaryTimer(after: 600, running: scene)
            await home.hub.stop()
            let store = try await HomeStore.open(at: home.folder.appending(path: "hub"))
            let later = AutomationHome.noon.addingTimeInterval(10 * 3_600)
            try await store.setMetadata("\(later.milliseconds)", for: .manualTime)
            try await store.close()
            try await home.restart()
            #expect(home.outcomes(of: trigger) == [])
            #expect(try await home.value(0, "On") == .bool(false))
            let time = try await home.client.call(HubMethods.clock, Empty())
            #expect(time.milliseconds == later.milliseconds)
            try await home.client.until { $0.homes[home.home]?.triggers.contains(id: temporary) == false }
        }
    }

    @Test func aFiringThatWasClaimedBeforeTheHubDiedIsNotRepeatedAndIsTold() async throws {
        try await AutomationHome.with { home in
            let scene = try await home.addScene("Evening", [(home.power(0), .bool(true))])
            let trigger = try await home.addTrigger("Daily", on: [.calendar(Self.evening)], running: [scene])
            await home.hub.stop()
            let due = AutomationHome.noon.addingTimeInterval(7 * 3_600)
            let store = try await HomeStore.open(at: home.folder.appending(path: "hub"))
            let claim = FiringClaim(
                home: home.home,
                trigger: trigger,
                occurrence: "\(trigger)@\(due.milliseconds)",
                time: due
            )
            #expect(try await store.claim([claim]) == [true])
            try await store.close()
            try await home.restart()
            try await home.advance(8 * 60)
            #expect(try await home.value(0, "On") == .bool(false))
            #expect(!home.outcomes(of: trigger).contains(.fired))
        }
    }

    @Test func aFolderBelongsToOneKindOfClock() async throws {
        try await AutomationHome.with { home in
            await home.hub.stop()
            let system = HubConfiguration(
                data: home.folder.appending(path: "hub"),
                interfaces: [.loopback],
                log: home.quiet
            )
            let error = await #expect(throws: HubError.self) { _ = try await HomeHub(system) }
            #expect(error?.code == .clockKindMismatch)
            try await home.restart(waiting: false)
        }
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub)
            let advance = AdvanceClock(milliseconds: 1)
            #expect(try await client.refusal(HubMethods.advanceClock, advance) == "clockNotManual")
            #expect(try await client.call(HubMethods.clock, Empty()).isManual == false)
        }
    }

    @Test(arguments: [0, -1, HubProtocol.longestClockAdvance + 1])
    func aClockAdvancesWithinItsLimits(milliseconds: Int64) async throws {
        try await AutomationHome.with { home in
            let advance = AdvanceClock(milliseconds: milliseconds)
            #expect(try await home.client.refusal(HubMethods.advanceClock, advance) == "invalidParameter")
            let time = try await home.client.call(HubMethods.clock, Empty())
            #expect(time.milliseconds == AutomationHome.noon.milliseconds)
        }
    }
}
