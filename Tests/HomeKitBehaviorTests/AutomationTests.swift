@testable import CatalogApp
import HomeKitTesting
import Testing

/// An app in the style of Apple's sample catalogs edits scenes and automations, and the hub runs them.
@MainActor
struct AutomationTests {
    /// Starts the app and waits until it has its home.
    private static func start(_ home: TestHome, _ app: String) async throws -> HomeCatalog {
        let catalog = home.app(app).run { HomeCatalog() }
        try await home.until("the app \(app) has its home") { catalog.home != nil }
        return catalog
    }

    private static func characteristic(_ type: String, of name: String, in catalog: HomeCatalog) throws
        -> HMCharacteristic
    {
        let accessory = try #require(catalog.home?.accessories.first { $0.name == name })
        return try #require(accessory.services.flatMap(\.characteristics).first { $0.characteristicType == type })
    }

    /// Saves a scene that switches a lamp on.
    private static func saveScene(_ name: String, lighting lamp: String, in catalog: HomeCatalog) async throws
        -> HMActionSet
    {
        let creator = ActionSetCreator(actionSet: nil, home: try #require(catalog.home))
        creator.updateValue(
            true as any NSCopying,
            for: try characteristic(HMCharacteristicTypePowerState, of: lamp, in: catalog)
        )
        return try await save(creator, name)
    }

    private static func save(_ creator: ActionSetCreator, _ name: String) async throws -> HMActionSet {
        try await withCheckedThrowingContinuation { continuation in
            creator.save(named: name) { actionSet, error in
                continuation.resume(
                    with: actionSet.map { .success($0) } ?? .failure(error ?? HMError(.unexpectedError))
                )
            }
        }
    }

    private static func save(_ creator: TriggerCreator, _ name: String, _ sets: [HMActionSet]) async throws -> HMTrigger
    {
        try await withCheckedThrowingContinuation { continuation in
            creator.save(named: name, actionSets: sets) { trigger, errors in
                if let error = errors.first {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(with: trigger.map { .success($0) } ?? .failure(HMError(.unexpectedError)))
                }
            }
        }
    }

    @Test func aSceneIsSavedEditedAndRun() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let author = try await Self.start(home, "A")
            let witness = try await Self.start(home, "B")
            let scene = try await Self.saveScene("Reading", lighting: "Desk", in: author)
            #expect(author.home?.actionSets.last === scene)
            try await home.until(
                "the other app shows it",
                is: ["insert scene Reading", "reload actions of Reading"]
            ) { witness.updates }
            #expect(witness.sceneRows == ["Reading (1)"])
            #expect(author.updates.isEmpty)

            let theirs = try #require(witness.home?.actionSets.last)
            try await witness.home?.executeActionSet(theirs)
            #expect(try await lamp[\.on] == true)
            try await home.until("the run is known") { scene.lastExecutionDate != nil && !scene.isExecuting }

            // Another value for the same characteristic replaces the first.
            let editor = ActionSetCreator(actionSet: scene, home: try #require(author.home))
            let power = try Self.characteristic(HMCharacteristicTypePowerState, of: "Desk", in: author)
            #expect(editor.targetValue(for: power) as? NSNumber == true)
            editor.updateValue(false as any NSCopying, for: power)
            _ = try await Self.save(editor, "Sleeping")
            #expect(scene.name == "Sleeping" && scene.actions.count == 1)
            #expect(editor.targetValue(for: power) as? NSNumber == false)
            try await author.home?.executeActionSet(scene)
            #expect(try await lamp[\.on] == false)
            await withCheckedContinuation { done in
                editor.removeTargetValue(for: power) { done.resume() }
            }
            #expect(scene.actions.isEmpty && !editor.containsActions)
            let own = try #require(author.home)
            let error = await code { try await own.executeActionSet(scene) }
            #expect(error == .noActionsInActionSet)
        }
    }

    @Test func aTimerIsSavedAndFiresAtItsTime() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let author = try await Self.start(home, "A")
            let witness = try await Self.start(home, "B")
            let scene = try await Self.saveScene("Reading", lighting: "Desk", in: author)
            let creator = TimerTriggerCreator(trigger: nil, home: try #require(author.home))
            creator.rawFireDate = try await home.time.addingTimeInterval(3_600)
            creator.selectedRecurrence = .everyDay
            let trigger = try await Self.save(creator, "Evening", [scene])
            #expect(author.home?.triggers == [trigger])
            #expect(trigger.actionSets == [scene])
            let timer = try #require(trigger as? HMTimerTrigger)
            #expect(timer.recurrence == DateComponents(day: 1))
            try await home.until("the other app shows it") { witness.triggerRows == ["Evening, off: every day"] }

            let editor = TimerTriggerCreator(trigger: trigger, home: try #require(author.home))
            #expect(editor.selectedRecurrence == .everyDay && editor.rawFireDate == timer.fireDate)
            editor.selectedRecurrence = .everyHour
            _ = try await Self.save(editor, "Hourly", [scene])
            #expect(trigger.name == "Hourly" && timer.recurrence == DateComponents(hour: 1))
            #expect(timer.actionSets == [scene])
            await withCheckedContinuation { done in author.setEnabled(true, trigger) { done.resume() } }
            #expect(author.lastError == nil && trigger.isEnabled)
            try await home.until("the other app shows it") { witness.triggerRows == ["Hourly, on: every hour"] }

            try await home.advanceTime(by: .seconds(90 * 60))
            #expect(try await lamp[\.on] == true)
            try await home.until("the firing is known") { trigger.lastFireDate == timer.fireDate }

            await withCheckedContinuation { done in author.remove(trigger) { done.resume() } }
            #expect(author.triggers.isEmpty && author.updates.last == "delete trigger Hourly")
            try await home.until("the other app shows it") { witness.triggers.isEmpty }
        }
    }

    @Test func anEventWithConditionsIsSavedEditedAndFires() async throws {
        try await withTestHome { home in
            let door = try await home.add(.lamp("Door"))
            let lamp = try await home.add(.lamp("Desk"))
            let author = try await Self.start(home, "A")
            let witness = try await Self.start(home, "B")
            let scene = try await Self.saveScene("Reading", lighting: "Desk", in: author)
            let creator = CharacteristicTriggerCreator(trigger: nil, home: try #require(author.home))
            let power = try Self.characteristic(HMCharacteristicTypePowerState, of: "Door", in: author)
            creator.updateEventValue(true as any NSCopying, for: power)
            let trigger = try await Self.save(creator, "Follow", [scene])
            #expect((trigger as? HMEventTrigger)?.predicate == nil)
            await withCheckedContinuation { done in author.setEnabled(true, trigger) { done.resume() } }
            #expect(author.lastError == nil)
            try await home.until("the other app shows it") {
                witness.triggerRows == ["Follow, on: Door Power State 1"]
            }
            try await door.set(\.on, to: true)
            try await home.until("the hub runs the scene") { try await lamp[\.on] == true }
            try await home.until("the firing is reported") { witness.updates.last == "reload trigger Follow" }
            #expect(witness.triggers.first?.lastFireDate != nil)

            // The editor takes the conditions apart and adds and removes single ones.
            let editor = CharacteristicTriggerCreator(trigger: trigger, home: try #require(author.home))
            #expect(editor.conditions.isEmpty)
            let off = try Self.characteristic(HMCharacteristicTypePowerState, of: "Desk", in: author)
            editor.addCondition(false as any NSCopying, for: off)
            editor.addCondition(HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18)))
            _ = try await Self.save(editor, "Follow", [scene])
            try await home.until("the other app shows it") {
                witness.triggerRows == ["Follow, on: Door Power State 1, 2 conditions"]
            }
            let other = CharacteristicTriggerCreator(
                trigger: witness.triggers.first,
                home: try #require(witness.home)
            )
            #expect(other.conditions.count == 2 && other.events.count == 1)
            other.removeCondition(
                HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18))
            )
            #expect(other.conditions.count == 1)
            _ = try await Self.save(other, "Follow", try #require(witness.triggers.first).actionSets)
            try await home.until("the author shows it") {
                author.triggerRows == ["Follow, on: Door Power State 1, 1 conditions"]
            }
        }
    }

    @Test func aRegionIsSavedAndComesBack() async throws {
        try await withTestHome { home in
            let author = try await Self.start(home, "A")
            let creator = LocationTriggerCreator(trigger: nil, home: try #require(author.home))
            let center = CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4)
            creator.targetRegion = CLCircularRegion(center: center, radius: 100, identifier: "Work")
            creator.targetRegionState = 1
            let trigger = try await Self.save(creator, "Leave Work", [])
            let editor = LocationTriggerCreator(trigger: trigger, home: try #require(author.home))
            #expect(editor.targetRegionState == 1)
            #expect(editor.targetRegion?.radius == 100)
            editor.targetRegionState = 0
            _ = try await Self.save(editor, "Arrive at Work", [])
            #expect((trigger as? HMEventTrigger)?.events.map(\.localizedSummary) == ["arriving"])
            // Another user's app doesn't see the place.
            let guest = try await home.guest("Ann").app("A").run { HomeCatalog() }
            try await home.until("the guest has the home") { guest.triggers.count == 1 }
            let event = (guest.triggers.first as? HMEventTrigger)?.events.first as? HMLocationEvent
            #expect(event != nil && event?.region == nil)
        }
    }

    @Test func aGuestRunsScenesAndChangesNone() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let author = try await Self.start(home, "A")
            let scene = try await Self.saveScene("Reading", lighting: "Desk", in: author)
            let guest = try await home.guest("Ann").app("B").run { HomeCatalog() }
            try await home.until("the guest has the scene") { guest.sceneRows == ["Reading (1)"] }
            let theirs = try #require(guest.home?.actionSets.last)
            try await guest.home?.executeActionSet(theirs)
            #expect(try await lamp[\.on] == true)
            let timer = HMTimerTrigger(name: "Noon", fireDate: Date(), recurrence: DateComponents(day: 1))
            let own = try #require(guest.home)
            #expect(await code { try await own.addTrigger(timer) } == .insufficientPrivileges)
            #expect(await code { try await own.removeActionSet(theirs) } == .insufficientPrivileges)
            #expect(await code { _ = try await own.addActionSet(named: "Mine") } == .insufficientPrivileges)
            let action = try #require(theirs.actions.first)
            #expect(await code { try await theirs.removeAction(action) } == .insufficientPrivileges)
            #expect(scene.actions.count == 1 && own.triggers.isEmpty)
        }
    }

    @Test func aRunNamesTheAccessoriesThatFailed() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            _ = try await home.add(.lamp("Floor"))
            let author = try await Self.start(home, "A")
            let scene = try await Self.saveScene("Reading", lighting: "Desk", in: author)
            let editor = ActionSetCreator(actionSet: scene, home: try #require(author.home))
            editor.updateValue(
                true as any NSCopying,
                for: try Self.characteristic(HMCharacteristicTypePowerState, of: "Floor", in: author)
            )
            _ = try await Self.save(editor, "Reading")
            await lamp.switchOff()
            let desk = try #require(author.home?.accessories.first { $0.name == "Desk" })
            try await home.until("the lamp is unreachable") { !desk.isReachable }
            do {
                try await author.home?.executeActionSet(scene)
                Issue.record("The scene ran.")
            } catch let error as HMError {
                #expect(error.code == .actionSetExecutionPartialSuccess)
                #expect(error.userInfo[HMUserFailedAccessoriesKey] as? [HMAccessory] == [desk])
            }
        }
    }

    @Test func theExamplesOfThePageWork() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            try await home.setPlace(latitude: 52.5, longitude: 13.4)
            let catalog = try await Self.start(home, "A")
            let own = try #require(catalog.home)
            let scene = try await addReading(
                to: own,
                power: try Self.characteristic(HMCharacteristicTypePowerState, of: "Desk", in: catalog),
                level: try Self.characteristic(HMCharacteristicTypeBrightness, of: "Desk", in: catalog)
            )
            try await own.executeActionSet(scene)
            #expect(try await lamp[\.brightness] == 60)
            try await addEvening(to: own, running: scene)
            let evening = try #require(own.triggers.first as? HMEventTrigger)
            #expect(evening.triggerActivationState == .enabled)
            #expect(evening.actionSets == [scene] && evening.endEvents.count == 1)
        }
    }
}
