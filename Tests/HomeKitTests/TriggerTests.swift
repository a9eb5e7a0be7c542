import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// What timers and event triggers have in common.
struct TriggerTests {
    private static let daily = TriggerDefinition.timer(
        TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), recurrence: RecurrenceInterval(days: 1))
    )
    private let hub = ScriptedHub()

    /// Starts an app with two action sets, of which the first has an action.
    private func start() async throws -> (app: App, home: HMHome, id: UUID, sets: [HMActionSet]) {
        let id = try hub.addHome("Villa")
        let lamp = Devices.lamp("Lamp")
        try hub.addAccessories([lamp], in: id)
        let power = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        let full = UUID()
        try hub.change(AddActionSet(id: full, name: "Full"), in: id)
        try hub.change(AddAction(power, value: .bool(true), actionSet: full), in: id)
        try hub.change(AddActionSet(id: UUID(), name: "Empty"), in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        return (app, home, id, home.actionSets.suffix(2))
    }

    private func timer(_ name: String) -> HMTimerTrigger {
        HMTimerTrigger(
            name: name,
            fireDate: Date(timeIntervalSince1970: 60),
            recurrence: DateComponents(day: 1)
        )
    }

    @Test func aTriggerTakesItsActionSetsIntoTheHome() async throws {
        let (app, home, id, sets) = try await start()
        let trigger = timer("Evening")
        #expect(trigger.name == "Evening")
        #expect(!trigger.isEnabled && trigger.actionSets.isEmpty)
        try await trigger.addActionSet(sets[0])
        try await trigger.addActionSet(sets[1])
        #expect(trigger.actionSets == sets)
        #expect(await code { try await trigger.addActionSet(sets[1]) } == .alreadyExists)
        try await trigger.removeActionSet(sets[1])
        #expect(await code { try await trigger.removeActionSet(sets[1]) } == .notFound)
        try await trigger.updateName("Night")
        #expect(await code { try await trigger.enable(true) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.removeTrigger(trigger) } == .objectNotAssociatedToAnyHome)
        #expect(home.triggers.isEmpty)
        #expect(hub.requests.drain().isEmpty)

        async let added: Void = home.addTrigger(trigger)
        let request = try await app.grant(HubMethods.addTrigger)
        let expected = AddTrigger(
            id: trigger.uniqueIdentifier,
            name: "Night",
            Self.daily,
            actionSets: [sets[0].uniqueIdentifier]
        )
        #expect(request == expected)
        try await added
        // It is the same object.
        #expect(home.triggers.first === trigger)
        #expect(trigger.name == "Night")
        #expect(trigger.actionSets == [sets[0]])
        #expect(!trigger.isEnabled)
        #expect(await code { try await home.addTrigger(trigger) } == .objectAlreadyAssociatedToHome)
        try hub.change(RenameTrigger(trigger.uniqueIdentifier, name: "Dusk"), in: id)
        #expect(try await app.recorder.next() == "trigger name Dusk")
        #expect(trigger.name == "Dusk")
    }

    @Test func aTriggerThatTheHubRefusesCanBeCorrected() async throws {
        let (app, home, id, sets) = try await start()
        let trigger = timer("Full")
        async let added = code { try await home.addTrigger(trigger) }
        let (request, _) = try await app.request(HubMethods.addTrigger)
        #expect(await code { try await home.addTrigger(trigger) } == .operationInProgress)
        request.refuse(HubError.Code(rawValue: HomeError.Code.nameTaken.rawValue))
        #expect(await added == .objectWithSimilarNameExistsInHome)
        #expect(home.triggers.isEmpty)
        try await trigger.updateName("Evening")
        try hub.change(RemoveActionSet(sets[0].uniqueIdentifier), in: id)
        #expect(try await app.recorder.next() == "removed action set Full of 5")
        #expect(await code { try await trigger.addActionSet(sets[0]) } == .objectNotAssociatedToAnyHome)
        async let again: Void = home.addTrigger(trigger)
        try await app.grant(HubMethods.addTrigger)
        try await again
        #expect(home.triggers == [trigger])
    }

    @Test func changesDuringTheAdditionFollowIt() async throws {
        let (app, home, _, sets) = try await start()
        let trigger = timer("Evening")
        let completed = Inbox<String>()
        home.addTrigger(trigger) { completed.put("added \($0 == nil)") }
        trigger.addActionSet(sets[0]) { completed.put("filled \($0 == nil) \(trigger.actionSets.count)") }
        trigger.enable(true) { completed.put("enabled \($0 == nil) \(trigger.isEnabled)") }
        try await app.grant(HubMethods.addTrigger)
        try await app.grant(HubMethods.addActionSetToTrigger)
        try await app.grant(HubMethods.enableTrigger)
        for note in ["added true", "filled true 1", "enabled true true"] { #expect(try await completed.next() == note) }
    }

    @Test func whatTheAppChangesIsToldByItsCompletionsAlone() async throws {
        let (app, home, id, sets) = try await start()
        let trigger = UUID()
        try hub.change(AddTrigger(id: trigger, name: "Evening", Self.daily), in: id)
        #expect(try await app.recorder.next() == "added trigger Evening of 1")
        let evening = try #require(home.triggers.first)
        #expect(evening.uniqueIdentifier == trigger)
        async let renamed: Void = evening.updateName("Night")
        #expect(try await app.grant(HubMethods.renameTrigger) == RenameTrigger(trigger, name: "Night"))
        try await renamed
        #expect(evening.name == "Night")

        async let early = code { try await evening.enable(true) }
        try await app.grant(HubMethods.enableTrigger)
        #expect(await early == .noRegisteredActionSets)
        async let added: Void = evening.addActionSet(sets[1])
        let addition = try await app.grant(HubMethods.addActionSetToTrigger)
        #expect(addition == AddActionSetToTrigger(actionSet: sets[1].uniqueIdentifier, trigger: trigger))
        try await added
        #expect(evening.actionSets == [sets[1]])
        async let empty = code { try await evening.enable(true) }
        try await app.grant(HubMethods.enableTrigger)
        #expect(await empty == .noActionsInActionSet)
        async let filled: Void = evening.addActionSet(sets[0])
        try await app.grant(HubMethods.addActionSetToTrigger)
        try await filled
        async let removed: Void = evening.removeActionSet(sets[1])
        let removal = try await app.grant(HubMethods.removeActionSetFromTrigger)
        #expect(removal == RemoveActionSetFromTrigger(actionSet: sets[1].uniqueIdentifier, trigger: trigger))
        try await removed
        #expect(evening.actionSets == [sets[0]])
        async let enabled: Void = evening.enable(true)
        #expect(try await app.grant(HubMethods.enableTrigger) == EnableTrigger(trigger, true))
        try await enabled
        #expect(evening.isEnabled)

        async let gone: Void = home.removeTrigger(evening)
        #expect(try await app.grant(HubMethods.removeTrigger) == RemoveTrigger(trigger))
        try await gone
        #expect(home.triggers.isEmpty)
        // It keeps its last state.
        #expect(evening.name == "Night" && evening.isEnabled)
        #expect(await code { try await evening.enable(false) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await evening.updateName("Dusk") } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.addTrigger(evening) } == .objectNotAssociatedToAnyHome)
        #expect(app.recorder.notes.drain().isEmpty)
    }

    @Test func everyChangeOfATriggerByOthersHasItsMessage() async throws {
        let (app, home, id, sets) = try await start()
        let (trigger, owned) = (UUID(), UUID())
        let (full, empty) = (sets[0].uniqueIdentifier, sets[1].uniqueIdentifier)
        try hub.change(AddTrigger(id: trigger, name: "Evening", Self.daily), in: id)
        try hub.change(RenameTrigger(trigger, name: "Night"), in: id)
        try hub.change(AddOwnedActionSet(id: owned, trigger: trigger), in: id)
        try hub.change(AddActionSetToTrigger(actionSet: full, trigger: trigger), in: id)
        try hub.change(RemoveActionSetFromTrigger(actionSet: owned, trigger: trigger), in: id)
        try hub.change(EnableTrigger(trigger, true), in: id)
        try hub.change(EditTrigger(trigger, .recurrence(RecurrenceInterval(days: 2))), in: id)
        try hub.change(RemoveActionSet(full), in: id)
        try hub.change(RemoveTrigger(trigger), in: id)
        let expected = [
            "added trigger Evening of 1", "trigger name Night", #"updated trigger Night: false, [""]"#,
            #"updated trigger Night: false, ["", "Full"]"#, #"updated trigger Night: false, ["Full"]"#,
            #"updated trigger Night: true, ["Full"]"#, #"updated trigger Night: true, ["Full"]"#,
            "removed action set Full of 5", "updated trigger Night: false, []", "removed trigger Night of 0",
        ]
        for note in expected { #expect(try await app.recorder.next() == note) }
        #expect(home.actionSets.last?.uniqueIdentifier == empty)
    }

    @Test func anActionSetOfATriggerIsNotListedAndReportsItsTrigger() async throws {
        let (app, home, id, _) = try await start()
        let (trigger, owned) = (UUID(), UUID())
        try hub.change(AddTrigger(id: trigger, name: "Evening", Self.daily), in: id)
        try hub.change(AddOwnedActionSet(id: owned, trigger: trigger), in: id)
        for _ in 0..<2 { _ = try await app.recorder.next() }
        let set = try #require(home.triggers.first?.actionSets.first)
        #expect(set.actionSetType == HMActionSetTypeTriggerOwned)
        #expect(!home.actionSets.contains(set))
        let lamp = try #require(hub.home(id)?.accessories.first?.id)
        let power = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp))
        try hub.change(AddAction(power, value: .bool(true), actionSet: owned), in: id)
        #expect(try await app.recorder.next() == #"updated trigger Evening: false, [""]"#)
        #expect(set.actions.count == 1)
        async let renamed = code { try await set.updateName("Own") }
        try await app.grant(HubMethods.renameActionSet)
        #expect(await renamed == .operationNotSupported)
    }

    @Test func aFiringIsReportedWithItsDate() async throws {
        let (app, home, id, _) = try await start()
        let trigger = UUID()
        try hub.change(AddTrigger(id: trigger, name: "Evening", Self.daily), in: id)
        #expect(try await app.recorder.next() == "added trigger Evening of 1")
        let evening = try #require(home.triggers.first)
        #expect(evening.lastFireDate == nil)
        let firing = RunUpdate(home: id, id: trigger, isRunning: false, last: Date(timeIntervalSince1970: 60))
        hub.tell(.runs([firing]))
        #expect(try await app.recorder.next() == "updated trigger Evening: false, []")
        #expect(evening.lastFireDate == Date(timeIntervalSince1970: 60))
        // The same firing is reported once.
        hub.tell(.runs([firing]))
        try hub.addRoom("Kitchen", in: id)
        #expect(try await app.recorder.next() == "added room Kitchen of 1")
    }

    @Test func objectsOfAnotherHomeAreRefused() async throws {
        let (app, home, id, sets) = try await start()
        let hut = try hub.addHome("Hut")
        let other = UUID()
        try hub.change(AddTrigger(id: other, name: "Other", Self.daily), in: hut)
        try hub.addRoom("Hall", in: id)
        while try await app.recorder.next() != "added room Hall of 1" {}
        let foreign = try #require(app.manager.homes.last?.triggers.first)
        #expect(await code { try await home.removeTrigger(foreign) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await home.addTrigger(foreign) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await foreign.addActionSet(sets[0]) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await foreign.removeActionSet(sets[0]) } == .objectAssociatedToAnotherHome)
        let own = timer("Evening")
        try await own.addActionSet(sets[0])
        #expect(await code { try await app.manager.homes[1].addTrigger(own) } == .objectAssociatedToAnotherHome)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func triggersAndActionSetsThatVanishWhileTheAppIsAwayKeepTheirState() async throws {
        let (app, home, id, sets) = try await start()
        let trigger = UUID()
        try hub.change(AddTrigger(id: trigger, name: "Evening", Self.daily), in: id)
        #expect(try await app.recorder.next() == "added trigger Evening of 1")
        let evening = try #require(home.triggers.first)
        hub.lose()
        try hub.change(RemoveTrigger(trigger), in: id)
        try hub.change(RemoveActionSet(sets[0].uniqueIdentifier), in: id)
        try await hub.retries.next()()
        _ = try await app.recorder.nextUpdate()
        #expect(home.triggers.isEmpty)
        #expect(evening.name == "Evening")
        #expect(sets[0].name == "Full")
        #expect(await code { try await evening.enable(true) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await sets[0].updateName("New") } == .objectNotAssociatedToAnyHome)
    }
}
