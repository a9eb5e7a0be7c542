import Foundation
import HomeModel
import Testing

@Suite struct TimerTriggerTests {
    private static let minute = 60.0
    private static let day = 24 * 60 * minute

    @Test func aTriggerIsAddedDisabledRenamedAndRemoved() throws {
        var test = TestHome()
        let id = UUID()
        let change = try test.ask(AddTrigger(id: id, name: "Evening", .timer(in: 60)))
        #expect(change?.verb == .triggerAdded)
        #expect(change?.subjects == [id])
        #expect(test.trigger(id) == TriggerRecord(id: id, name: "Evening", definition: .timer(in: 60)))
        #expect(test.trigger(id)?.isEnabled == false)
        #expect(try test.ask(RenameTrigger(id, name: "Night"))?.verb == .triggerRenamed)
        #expect(try test.ask(RenameTrigger(id, name: "Night")) == nil)
        #expect(test.refusal(of: AddZone(id: UUID(), name: "night")) == .nameTaken)
        #expect(try test.ask(RemoveTrigger(id))?.verb == .triggerRemoved)
        #expect(test.home.triggers.isEmpty)
        #expect(test.refusal(of: AddZone(id: UUID(), name: "Night")) == nil)
    }

    @Test func aTimerFiresOnAWholeMinute() throws {
        var test = TestHome()
        #expect(refusal(test, .timer(in: 61)) == .fireDateNotOnMinute)
        #expect(refusal(test, .timer(in: 119)) == .fireDateNotOnMinute)
        #expect(refusal(test, .timer(in: 119, every: RecurrenceInterval(days: 1))) == .fireDateNotOnMinute)
        // Fractions of a second are ignored.
        #expect(refusal(test, .timer(in: 120.5)) == nil)
        let id = try test.addTrigger("Evening", .timer(in: 60))
        let edit = EditTrigger(id, .fireDate(TestHome.time.addingTimeInterval(90)))
        #expect(test.refusal(of: edit) == .fireDateNotOnMinute)
    }

    @Test func aTimerThatFiresOnceFiresInTheFuture() throws {
        var test = TestHome()
        #expect(refusal(test, .timer(in: 0)) == .fireDateInPast)
        #expect(refusal(test, .timer(in: -60)) == .fireDateInPast)
        #expect(refusal(test, .timer(in: 60)) == nil)
        #expect(refusal(test, .timer(in: -60, every: RecurrenceInterval(hours: 1))) == nil)
        let id = try test.addTrigger("Evening", .timer(in: -60, every: RecurrenceInterval(hours: 1)))
        #expect(test.refusal(of: EditTrigger(id, .recurrence(nil))) == .fireDateInPast)
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)])
    func aDateAtTheEndOfTimeIsNoTrap(_ date: Date) throws {
        var test = TestHome()
        let id = try test.addTrigger("Evening", .timer(in: 60))
        _ = test.refusal(of: EditTrigger(id, .fireDate(date)))
        _ = refusal(test, .timer(TimerSchedule(fireDate: date, recurrence: RecurrenceInterval(days: 1))))
    }

    @Test func aTimerRecursAfterFiveMinutesToFiveWeeks() {
        let test = TestHome()
        func refusal(_ interval: RecurrenceInterval) -> HomeError.Code? {
            self.refusal(test, .timer(in: 60, every: interval))
        }
        #expect(refusal(RecurrenceInterval(minutes: 5)) == nil)
        #expect(refusal(RecurrenceInterval(minutes: 4)) == .recurrenceTooShort)
        #expect(refusal(RecurrenceInterval()) == .recurrenceTooShort)
        #expect(refusal(RecurrenceInterval(weeks: 5)) == nil)
        #expect(refusal(RecurrenceInterval(weeks: 4, days: 6, hours: 23, minutes: 60)) == nil)
        #expect(refusal(RecurrenceInterval(weeks: 5, minutes: 1)) == .recurrenceTooLong)
        #expect(refusal(RecurrenceInterval(weeks: .max, days: .max, hours: .max, minutes: .max)) == .recurrenceTooLong)
    }

    @Test func aTimerRecursAfterWholeMinutes() {
        let test = TestHome()
        for interval in [
            RecurrenceInterval(minutes: 5, seconds: 1), RecurrenceInterval(seconds: 600),
            RecurrenceInterval(hours: 1, minutes: -5), RecurrenceInterval(weeks: .min),
        ] {
            #expect(refusal(test, .timer(in: 60, every: interval)) == .recurrenceNotOnMinute)
        }
    }

    @Test func aTimerHasATimeZoneThatThereIs() throws {
        var test = TestHome()
        let date = TestHome.time.addingTimeInterval(60)
        func definition(_ zone: String) -> TriggerDefinition {
            .timer(TimerSchedule(fireDate: date, timeZone: zone, recurrence: RecurrenceInterval(days: 1)))
        }
        #expect(refusal(test, definition("Europe/Berlin")) == nil)
        #expect(refusal(test, definition("Mars/Olympus")) == .invalidParameter)
        #expect(refusal(test, definition(String(repeating: "x", count: 500_000))) == .invalidParameter)
        let id = try test.addTrigger("Evening", .timer(in: 60))
        #expect(try test.ask(EditTrigger(id, .timeZone("Asia/Tokyo")))?.verb == .triggerUpdated)
        #expect(try test.ask(EditTrigger(id, .timeZone("Asia/Tokyo"))) == nil)
        #expect(test.refusal(of: EditTrigger(id, .timeZone("Nowhere"))) == .invalidParameter)
        #expect(test.trigger(id)?.definition == .timer(TimerSchedule(fireDate: date, timeZone: "Asia/Tokyo")))
    }

    @Test func aTimerHasACalendarThatThereIs() throws {
        var test = TestHome()
        let date = TestHome.time.addingTimeInterval(60)
        func definition(_ calendar: String) -> TriggerDefinition {
            .timer(TimerSchedule(fireDate: date, calendar: calendar, recurrence: RecurrenceInterval(days: 1)))
        }
        #expect(refusal(test, definition("julian")) == .invalidParameter)
        let id = try test.addTrigger("Evening", definition("hebrew"))
        #expect(test.trigger(id)?.definition == definition("hebrew"))
        // The calendar stays when the recurrence changes.
        try test.ask(EditTrigger(id, .recurrence(RecurrenceInterval(days: 2))))
        let schedule = TimerSchedule(fireDate: date, calendar: "hebrew", recurrence: RecurrenceInterval(days: 2))
        #expect(test.trigger(id)?.definition == .timer(schedule))
    }

    @Test func aTriggerJoinsTheHomeWithItsActionSetsInOneEntry() throws {
        var test = TestHome()
        let sets = [try test.addActionSet("One"), try test.addActionSet("Two")]
        let id = UUID()
        let change = try test.ask(AddTrigger(id: id, name: "Evening", .timer(in: 60), actionSets: sets))
        #expect(change?.verb == .triggerAdded)
        #expect(change?.effects.count == 1)
        #expect(test.trigger(id)?.actionSets == sets)
        #expect(test.trigger(id)?.isEnabled == false)
        // Removing an action set affects the trigger, as for one that was added later.
        #expect(try test.ask(RemoveActionSet(sets[0]))?.subjects == [sets[0], id])
        #expect(test.trigger(id)?.actionSets == [sets[1]])
    }

    @Test func aTriggerWithAnActionSetThatItCannotRunIsNotAdded() throws {
        var test = TestHome()
        let set = try test.addActionSet("One")
        let other = try test.addTrigger("Other", .timer(in: 60))
        let owned = UUID()
        try test.ask(AddOwnedActionSet(id: owned, trigger: other))
        let many = try (0..<HomeLimits.actionSetsPerTrigger).map { try test.addActionSet("Set \($0)") }
        func refusal(_ sets: [UUID]) -> HomeError.Code? {
            test.refusal(of: AddTrigger(id: UUID(), name: "Evening", .timer(in: 60), actionSets: sets))
        }
        #expect(refusal([UUID()]) == .notFound)
        #expect(refusal([set, set]) == .alreadyInTrigger)
        #expect(refusal([owned]) == .triggerOwnedActionSet)
        #expect(refusal(many) == nil)
        #expect(refusal(many + [set]) == .limitExceeded)
        #expect(test.home.triggers.map(\.id) == [other])
    }

    // MARK: Enabling

    @Test func aTriggerIsEnabledWithActionSetsThatHaveActions() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try test.addTrigger("Evening", .timer(in: 60))
        #expect(test.refusal(of: EnableTrigger(id, true)) == .noActionSets)
        let empty = try test.addActionSet("Empty")
        try test.ask(AddActionSetToTrigger(actionSet: empty, trigger: id))
        #expect(test.refusal(of: EnableTrigger(id, true)) == .noActions)
        let full = try test.addActionSet("Full", lightingUp: gadget)
        try test.ask(AddActionSetToTrigger(actionSet: full, trigger: id))
        #expect(test.refusal(of: EnableTrigger(id, true)) == .noActions)
        try test.ask(RemoveActionSetFromTrigger(actionSet: empty, trigger: id))
        let change = try test.ask(EnableTrigger(id, true))
        #expect(change?.verb == .triggerUpdated)
        #expect(change?.subjects == [id])
        #expect(test.trigger(id)?.isEnabled == true)
        #expect(try test.ask(EnableTrigger(id, true)) == nil)
        #expect(test.refusal(of: AddActionSetToTrigger(actionSet: empty, trigger: id)) == .noActions)
        #expect(test.refusal(of: AddOwnedActionSet(id: UUID(), trigger: id)) == .noActions)
        try test.ask(EnableTrigger(id, false))
        #expect(test.trigger(id)?.isEnabled == false)
    }

    @Test func aTimerIsEnabledWithinFiveWeeksOfItsFiring() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        let id = try test.addTrigger("Evening", .timer(in: 35 * Self.day + Self.minute))
        try test.ask(AddActionSetToTrigger(actionSet: scene, trigger: id))
        #expect(test.refusal(of: EnableTrigger(id, true)) == .fireDateTooFar)
        try test.ask(EditTrigger(id, .fireDate(TestHome.time.addingTimeInterval(35 * Self.day))))
        try test.ask(EnableTrigger(id, true))
        let later = TestHome.time.addingTimeInterval(35 * Self.day + Self.minute)
        #expect(test.refusal(of: EditTrigger(id, .fireDate(later))) == .fireDateTooFar)
    }

    @Test func aTimerThatFiredOnceIsNotEnabledAgain() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        let once = try test.addTrigger("Once", .timer(in: 60))
        let often = try test.addTrigger("Often", .timer(in: 60, every: RecurrenceInterval(minutes: 5)))
        for id in [once, often] { try test.ask(AddActionSetToTrigger(actionSet: scene, trigger: id)) }
        let later = TestHome.time.addingTimeInterval(Self.day)
        let error = #expect(throws: HomeError.self) {
            try test.home.decide(EnableTrigger(once, true), by: test.owner, at: later)
        }
        #expect(error?.code == .fireDateInPast)
        #expect(try test.home.decide(EnableTrigger(often, true), by: test.owner, at: later) != nil)
    }

    // MARK: Action sets of a trigger

    @Test func aTriggerRunsAnActionSetOnceAndAnActionSetManyTriggers() throws {
        var test = TestHome()
        let scene = try test.addActionSet("Scene")
        let builtIn = try #require(test.home.builtInActionSet(of: .wakeUp)?.id)
        let triggers = [try test.addTrigger("One", .timer(in: 60)), try test.addTrigger("Two", .timer(in: 60))]
        for id in triggers {
            #expect(
                test.refusal(of: RemoveActionSetFromTrigger(actionSet: scene, trigger: id)) == .notInTrigger
            )
            for actionSet in [scene, builtIn] {
                try test.ask(AddActionSetToTrigger(actionSet: actionSet, trigger: id))
            }
            #expect(test.refusal(of: AddActionSetToTrigger(actionSet: scene, trigger: id)) == .alreadyInTrigger)
            #expect(test.trigger(id)?.actionSets == [scene, builtIn])
        }
        try test.ask(RemoveActionSetFromTrigger(actionSet: builtIn, trigger: triggers[0]))
        #expect(test.home.triggers.map(\.actionSets) == [[scene], [scene, builtIn]])
    }

    @Test func aRemovedActionSetLeavesItsTriggersAndDisablesThoseWithNothingLeftToDo() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let first = try test.addActionSet("First", lightingUp: gadget)
        let second = try test.addActionSet("Second", lightingUp: gadget)
        let both = try test.addTrigger("Both", .timer(in: 60), running: first)
        try test.ask(AddActionSetToTrigger(actionSet: second, trigger: both))
        let one = try test.addTrigger("One", .timer(in: 60), running: first)
        let change = try test.ask(RemoveActionSet(first))
        #expect(change?.subjects == [first, both, one])
        #expect(test.trigger(both)?.actionSets == [second])
        #expect(test.trigger(both)?.isEnabled == true)
        #expect(test.trigger(one)?.actionSets == [])
        #expect(test.trigger(one)?.isEnabled == false)
        try test.ask(RemoveActionSetFromTrigger(actionSet: second, trigger: both))
        #expect(test.trigger(both)?.isEnabled == false)
    }

    @Test func theLastActionsRemovalDisablesTheTriggersThatRanNothingElse() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        let other = try test.addActionSet("Other", lightingUp: gadget)
        let alone = try test.addTrigger("Alone", .timer(in: 60), running: scene)
        let both = try test.addTrigger("Both", .timer(in: 60), running: scene)
        try test.ask(AddActionSetToTrigger(actionSet: other, trigger: both))
        let action = try #require(test.home.actionSet(scene)?.actions.first?.id)
        let change = try test.ask(RemoveAction(action, actionSet: scene))
        #expect(change?.subjects == [scene, action, alone])
        #expect(test.home.triggers.map(\.isEnabled) == [false, true])
    }

    @Test func unknownTriggersAndActionSetsAreNotFound() throws {
        var test = TestHome()
        let scene = try test.addActionSet("Scene")
        let id = try test.addTrigger("Evening", .timer(in: 60))
        let requests: [any HomeRequest] = [
            RemoveTrigger(UUID()), RenameTrigger(UUID(), name: "New"), EnableTrigger(UUID(), true),
            EnableTrigger(UUID(), false), EditTrigger(UUID(), .recurrence(nil)),
            AddActionSetToTrigger(actionSet: scene, trigger: UUID()),
            AddActionSetToTrigger(actionSet: UUID(), trigger: id),
            RemoveActionSetFromTrigger(actionSet: scene, trigger: UUID()),
        ]
        for request in requests { #expect(test.refusal(of: request) == .notFound) }
    }

    @Test func aTimerIsEditedAsATimerOnly() throws {
        var test = TestHome()
        let id = try test.addTrigger("Evening", .timer(in: 60))
        let edits: [TriggerEdit] = [.events([]), .endEvents([]), .condition(nil), .weekdays([]), .executesOnce(true)]
        for edit in edits { #expect(test.refusal(of: EditTrigger(id, edit)) == .invalidParameter) }
        #expect(refusal(test, .unknown(.object([:]))) == .invalidParameter)
    }

    @Test func aHomeHasItsLimitOfTriggersAndNotOneMore() throws {
        var test = TestHome()
        for number in 1...HomeLimits.triggersPerHome { _ = try test.addTrigger("Trigger \(number)", .timer(in: 60)) }
        #expect(refusal(test, .timer(in: 60)) == .limitExceeded)
    }

    @Test func aHomeHasItsLimitOfTemporaryTriggersAndNotOneMore() throws {
        var test = TestHome()
        func add(_ number: Int, isTemporary: Bool = true) -> AddTrigger {
            AddTrigger(id: UUID(), name: "Trigger \(number)", .timer(in: 60), isTemporary: isTemporary)
        }
        for number in 1...HomeLimits.temporaryTriggersPerHome { try test.ask(add(number)) }
        #expect(test.refusal(of: add(0)) == .limitExceeded)
        #expect(test.refusal(of: add(0, isTemporary: false)) == nil)
        let record = try #require(test.home.triggers.first)
        #expect(record.isTemporary)
        #expect(try JSONDecoder().decode(TriggerRecord.self, from: JSONEncoder().encode(record)) == record)
        try test.ask(RemoveTrigger(record.id))
        #expect(test.refusal(of: add(0)) == nil)
    }

    @Test func aTriggerHasItsLimitOfActionSetsAndNotOneMore() throws {
        var test = TestHome()
        let id = try test.addTrigger("Evening", .timer(in: 60))
        for number in 1...HomeLimits.actionSetsPerTrigger {
            let scene = try test.addActionSet("Scene \(number)")
            try test.ask(AddActionSetToTrigger(actionSet: scene, trigger: id))
        }
        let more = try test.addActionSet("Scene")
        #expect(test.refusal(of: AddActionSetToTrigger(actionSet: more, trigger: id)) == .limitExceeded)
        #expect(test.refusal(of: AddOwnedActionSet(id: UUID(), trigger: id)) == .limitExceeded)
    }

    private func refusal(_ test: TestHome, _ definition: TriggerDefinition) -> HomeError.Code? {
        test.refusal(of: AddTrigger(id: UUID(), name: "New", definition))
    }
}
