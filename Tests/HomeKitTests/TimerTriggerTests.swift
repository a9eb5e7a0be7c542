import Foundation
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct TimerTriggerTests {
    private static let date = Date(timeIntervalSince1970: 4_000_000_020)
    private let hub = ScriptedHub()

    private func start() async throws -> (app: App, home: HMHome) {
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        return (app, try app.home())
    }

    /// Adds a trigger, and returns the schedule that the hub stores.
    private func add(_ trigger: HMTimerTrigger, to home: HMHome, _ app: App) async throws -> TimerSchedule? {
        async let added: Void = home.addTrigger(trigger)
        let request = try await app.grant(HubMethods.addTrigger)
        try await added
        guard case .timer(let schedule) = request.definition else { return nil }
        return schedule
    }

    @Test func aTimerKeepsItsTimes() async throws {
        let (app, home) = try await start()
        let trigger = HMTimerTrigger(
            name: "Evening",
            fireDate: Self.date,
            timeZone: TimeZone(identifier: "Asia/Tokyo"),
            recurrence: DateComponents(day: 1, hour: 2, minute: 3, weekOfYear: 1),
            recurrenceCalendar: Calendar(identifier: .hebrew)
        )
        func check() {
            #expect(trigger.fireDate == Self.date)
            #expect(trigger.timeZone?.identifier == "Asia/Tokyo")
            #expect(trigger.recurrence == DateComponents(day: 1, hour: 2, minute: 3, weekOfYear: 1))
            #expect(trigger.recurrenceCalendar?.identifier == .hebrew)
        }
        check()
        let stored = TimerSchedule(
            fireDate: Self.date,
            timeZone: "Asia/Tokyo",
            calendar: "hebrew",
            recurrence: RecurrenceInterval(weeks: 1, days: 1, hours: 2, minutes: 3)
        )
        #expect(try await add(trigger, to: home, app) == stored)
        check()
    }

    @Test func aTimerFiresOnceInTheHubsTimeZoneUnlessToldOtherwise() async throws {
        let (app, home) = try await start()
        let trigger = HMTimerTrigger(name: "Evening", fireDate: Self.date, recurrence: nil)
        #expect(try await add(trigger, to: home, app) == TimerSchedule(fireDate: Self.date))
        #expect(trigger.recurrence == nil && trigger.timeZone == nil && trigger.recurrenceCalendar == nil)
    }

    @Test func timesChange() async throws {
        let (app, home) = try await start()
        let trigger = HMTimerTrigger(name: "Evening", fireDate: Self.date, recurrence: nil)
        // Before the trigger is in the home.
        try await trigger.updateFireDate(Self.date + 60)
        try await trigger.updateTimeZone(TimeZone(identifier: "Asia/Tokyo"))
        try await trigger.updateRecurrence(DateComponents(hour: 1))
        #expect(trigger.fireDate == Self.date + 60)
        let stored = TimerSchedule(
            fireDate: Self.date + 60,
            timeZone: "Asia/Tokyo",
            recurrence: RecurrenceInterval(hours: 1)
        )
        #expect(try await add(trigger, to: home, app) == stored)
        // In the home.
        let id = trigger.uniqueIdentifier
        async let moved: Void = trigger.updateFireDate(Self.date)
        #expect(try await app.grant(HubMethods.editTrigger) == EditTrigger(id, .fireDate(Self.date)))
        try await moved
        #expect(trigger.fireDate == Self.date)
        async let local: Void = trigger.updateTimeZone(nil)
        #expect(try await app.grant(HubMethods.editTrigger) == EditTrigger(id, .timeZone(nil)))
        try await local
        #expect(trigger.timeZone == nil)
        async let rarer: Void = trigger.updateRecurrence(DateComponents(weekOfMonth: 2))
        let edit = EditTrigger(id, .recurrence(RecurrenceInterval(weeks: 2)))
        #expect(try await app.grant(HubMethods.editTrigger) == edit)
        try await rarer
        #expect(trigger.recurrence == DateComponents(weekOfYear: 2))
        async let once: Void = trigger.updateRecurrence(nil)
        try await app.grant(HubMethods.editTrigger)
        try await once
        #expect(trigger.recurrence == nil)
        async let inThePast = code { try await trigger.updateFireDate(Date(timeIntervalSince1970: 60)) }
        try await app.grant(HubMethods.editTrigger)
        #expect(await inThePast == .fireDateInPast)
        async let uneven = code { try await trigger.updateFireDate(Self.date + 30) }
        try await app.grant(HubMethods.editTrigger)
        #expect(await uneven == .dateMustBeOnSpecifiedBoundaries)
        #expect(trigger.fireDate == Self.date)
    }

    /// A recurrence that no timer can have must not become a timer that fires once.
    @Test(arguments: [
        (DateComponents(month: 1), HMError.Code.recurrenceTooLarge), (DateComponents(year: 1), .recurrenceTooLarge),
        (DateComponents(quarter: 1), .recurrenceTooLarge), (DateComponents(month: 1, day: 1), .recurrenceTooLarge),
        (DateComponents(weekOfYear: 6), .recurrenceTooLarge), (DateComponents(day: .max - 1), .recurrenceTooLarge),
        (DateComponents(minute: 4), .recurrenceTooSmall), (DateComponents(), .recurrenceTooSmall),
        (DateComponents(weekday: 2), .recurrenceTooSmall),
        (DateComponents(hour: 1, second: 30), .recurrenceMustBeOnSpecifiedBoundaries),
        (DateComponents(hour: 1, nanosecond: 1), .recurrenceMustBeOnSpecifiedBoundaries),
        (DateComponents(hour: -1), .recurrenceMustBeOnSpecifiedBoundaries),
    ])
    func aRecurrenceOutOfBoundsHasItsCode(_ recurrence: DateComponents, _ expected: HMError.Code) async throws {
        let (app, home) = try await start()
        let hub = hub
        let hubAnswers = Task { while true { try await app.grant(HubMethods.addTrigger) } }
        defer { hubAnswers.cancel() }
        let trigger = HMTimerTrigger(name: "Evening", fireDate: Self.date, recurrence: recurrence)
        #expect(await code { try await home.addTrigger(trigger) } == expected)
        #expect(hub.home(home.uniqueIdentifier)?.triggers.isEmpty == true)
    }
}
