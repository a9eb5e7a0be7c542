import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct ActionSetTests {
    private let hub = ScriptedHub()
    private let lamp = Devices.lamp("Lamp")

    /// Starts an app with a lamp in a home.
    private func start() async throws -> (app: App, home: HMHome, id: UUID) {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([lamp], in: id)
        let app = try await App(on: hub)
        return (app, try app.home(), id)
    }

    private func identity(_ iid: UInt64, in home: UUID) throws -> CharacteristicIdentity {
        try #require(hub.home(home)?.identity(ofCharacteristic: iid, in: lamp.id))
    }

    @Test func everyHomeHasFourActionSets() async throws {
        let (app, home, id) = try await start()
        let types = [
            HMActionSetTypeWakeUp, HMActionSetTypeSleep, HMActionSetTypeHomeArrival, HMActionSetTypeHomeDeparture,
        ]
        #expect(Set(home.actionSets.map(\.actionSetType)) == Set(types))
        for type in types {
            let actionSet = try #require(home.builtinActionSet(ofType: type))
            #expect(home.actionSets.contains(actionSet))
            #expect(actionSet.actionSetType == type)
            #expect(!actionSet.name.isEmpty && actionSet.actions.isEmpty)
        }
        for type in [HMActionSetTypeUserDefined, HMActionSetTypeTriggerOwned, "Movie"] {
            #expect(home.builtinActionSet(ofType: type) == nil)
        }
        let sleep = try #require(home.builtinActionSet(ofType: HMActionSetTypeSleep))
        async let removed = code { try await home.removeActionSet(sleep) }
        #expect(try await app.grant(HubMethods.removeActionSet).id == sleep.uniqueIdentifier)
        #expect(await removed == .cannotRemoveBuiltinActionSet)
        try hub.change(RenameActionSet(sleep.uniqueIdentifier, name: "Bedtime"), in: id)
        #expect(try await app.recorder.next() == "action set name Bedtime")
        #expect(home.actionSets.count == 4)
    }

    @Test func anActionSetIsInTheHomeWhenTheCompletionOfItsAdditionRuns() async throws {
        let (app, home, _) = try await start()
        home.addActionSet(withName: "Movie") { actionSet, error in
            let isLast = actionSet === home.actionSets.last && error == nil
            app.recorder.notes.put("completed \(home.actionSets.map(\.name).suffix(1)) \(isLast)")
        }
        #expect(try await app.grant(HubMethods.addActionSet).name == "Movie")
        #expect(try await app.recorder.next() == #"completed ["Movie"] true"#)
        async let second = home.addActionSet(named: "Reading")
        try await app.grant(HubMethods.addActionSet)
        #expect(try await second === home.actionSets.last)
        #expect(home.actionSets.last?.actionSetType == HMActionSetTypeUserDefined)
        async let third = code { _ = try await home.addActionSet(named: "movie") }
        try await app.grant(HubMethods.addActionSet)
        #expect(await third == .objectWithSimilarNameExistsInHome)
        // No delegate was called.
        #expect(app.recorder.notes.drain().isEmpty)
    }

    @Test func whatTheAppChangesIsToldByItsCompletionsAlone() async throws {
        let (app, home, id) = try await start()
        let set = UUID()
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        #expect(try await app.recorder.next() == "added action set Movie of 5")
        let movie = try #require(home.actionSets.last)
        #expect(movie.uniqueIdentifier == set)
        async let renamed: Void = movie.updateName("Film")
        try await app.grant(HubMethods.renameActionSet)
        try await renamed
        #expect(movie.name == "Film")

        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let action = HMCharacteristicWriteAction<any NSCopying>(
            characteristic: brightness,
            targetValue: NSNumber(value: 40)
        )
        async let added: Void = movie.addAction(action)
        let addition = try await app.grant(HubMethods.addAction)
        let expected = AddAction(
            id: action.uniqueIdentifier,
            try identity(12, in: id),
            value: .integer(40),
            actionSet: set
        )
        #expect(addition == expected)
        try await added
        // The app's own object stands for the action.
        #expect(movie.actions.first === action)
        #expect(movie.actions.count == 1)

        async let removed: Void = movie.removeAction(action)
        #expect(try await app.grant(HubMethods.removeAction) == RemoveAction(action.uniqueIdentifier, actionSet: set))
        try await removed
        #expect(movie.actions.isEmpty)
        #expect(action.targetValue as? NSNumber == 40)

        async let gone: Void = home.removeActionSet(movie)
        try await app.grant(HubMethods.removeActionSet)
        try await gone
        #expect(home.actionSets.count == 4)
        #expect(app.recorder.notes.drain().isEmpty)
    }

    @Test func everyChangeOfAnActionSetByOthersHasItsMessage() async throws {
        let (app, home, id) = try await start()
        let (set, action, trigger) = (UUID(), UUID(), UUID())
        let timer = TriggerDefinition.timer(
            TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), recurrence: RecurrenceInterval(days: 1))
        )
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        try hub.change(RenameActionSet(set, name: "Film"), in: id)
        let addition = AddAction(id: action, try identity(12, in: id), value: .integer(40), actionSet: set)
        try hub.change(addition, in: id)
        try hub.change(AddTrigger(id: trigger, name: "Evening", timer, actionSets: [set]), in: id)
        try hub.change(EnableTrigger(trigger, true), in: id)
        try hub.change(SetActionValue(.integer(50), action: action, actionSet: set), in: id)
        // The trigger has nothing left to do.
        try hub.change(RemoveAction(action, actionSet: set), in: id)
        try hub.change(RemoveActionSet(set), in: id)
        let expected = [
            "added action set Movie of 5", "action set name Film", "actions of Film: 1",
            "added trigger Evening of 1", #"updated trigger Evening: true, ["Film"]"#, "actions of Film: 1",
            "actions of Film: 0", #"updated trigger Evening: false, ["Film"]"#,
            "removed action set Film of 4", "updated trigger Evening: false, []",
        ]
        for note in expected { #expect(try await app.recorder.next() == note) }
        #expect(home.actionSets.count == 4)
    }

    @Test func theRemovalOfAnAccessoryReachesActionSetsAndTriggers() async throws {
        let (app, home, id) = try await start()
        let (set, trigger, other) = (UUID(), UUID(), UUID())
        let power = try identity(11, in: id)
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        try hub.change(AddAction(power, value: .bool(true), actionSet: set), in: id)
        let rule = EventRule(
            events: [TriggerEvent(id: UUID(), occurrence: .characteristic(power, nil))],
            condition: .characteristic(power, .equal, .bool(true))
        )
        try hub.change(AddTrigger(id: trigger, name: "Follow", .event(rule), actionSets: [set]), in: id)
        let sunset = EventRule(events: [TriggerEvent(id: UUID(), occurrence: .sun(SunMoment(.sunset)))])
        try hub.change(AddTrigger(id: other, name: "Sunset", .event(sunset)), in: id)
        for _ in 0..<4 { _ = try await app.recorder.next() }
        #expect(home.triggers.count == 2)
        try hub.change(RemoveAccessory(lamp.id), in: id)
        var notes: Set<String> = []
        for _ in 0..<3 { notes.insert(try await app.recorder.next()) }
        let expected: Set = [
            "removed accessory Lamp", "actions of Movie: 0", #"updated trigger Follow: false, ["Movie"]"#,
        ]
        #expect(notes == expected)
        #expect((home.triggers.first as? HMEventTrigger)?.events.isEmpty == true)
        #expect((home.triggers.first as? HMEventTrigger)?.predicate == nil)
    }

    @Test func anImportReportsActionSetsAndTriggersOneByOne() async throws {
        let (app, home, id) = try await start()
        let (set, trigger) = (UUID(), UUID())
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        #expect(try await app.recorder.next() == "added action set Movie of 5")
        let old = try #require(hub.home(id)?.actionSet(set))
        var new = old
        new.name = "Film"
        new.actions = [Action(id: UUID(), operation: .write(try identity(11, in: id), .bool(true)))]
        let timer = TriggerRecord(
            id: trigger,
            name: "Evening",
            actionSets: [set],
            definition: .timer(TimerSchedule(fireDate: Date(timeIntervalSince1970: 60)))
        )
        let change = Change(
            verb: .homeImported,
            subjects: [set, trigger],
            effects: [.put(.actionSet(new)), .put(.trigger(timer))]
        )
        hub.tell(.change(LogChange(home: id, lineage: hub.lineage, revision: 1, change: change, isMine: false)))
        for note in ["action set name Film", "actions of Film: 1", "added trigger Evening of 1"] {
            #expect(try await app.recorder.next() == note)
        }
        #expect(home.triggers.map(\.uniqueIdentifier) == [trigger])
    }

    // MARK: Actions

    @Test func actionsComeBackWithValuesThatCanBeCopied() async throws {
        let (app, home, id) = try await start()
        let set = UUID()
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        #expect(try await app.recorder.next() == "added action set Movie of 5")
        let values: [(UInt64, CharacteristicValue)] = [
            (11, .bool(true)), (12, .integer(40)), (13, .double(1.5)), (14, .string("Hello")),
        ]
        for (iid, value) in values {
            try hub.change(AddAction(try identity(iid, in: id), value: value, actionSet: set), in: id)
            _ = try await app.recorder.next()
        }
        let movie = try #require(home.actionSets.last)
        let actions = movie.actions.compactMap { $0 as? HMCharacteristicWriteAction<any NSCopying> }
        #expect(actions.count == 4)
        func value(_ type: String) throws -> any NSCopying {
            try #require(actions.first { $0.characteristic.characteristicType == type }).targetValue
        }
        #expect(try value(HMCharacteristicTypePowerState) as? NSNumber == true)
        #expect(try value(HMCharacteristicTypeBrightness) as? NSNumber == 40)
        #expect(try value(Devices.fadeRate.longForm) as? NSNumber == 1.5)
        #expect(try value(Devices.label.longForm) as? NSString == "Hello")
        // The objects stay the same.
        #expect(movie.actions.allSatisfy { action in actions.contains { $0 === action } })
    }

    @Test func anActionMadeForNumbersIsEqualToTheOneThatComesBack() async throws {
        let (app, home, id) = try await start()
        let set = UUID()
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        #expect(try await app.recorder.next() == "added action set Movie of 5")
        let movie = try #require(home.actionSets.last)
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let action = HMCharacteristicWriteAction(characteristic: brightness, targetValue: NSNumber(value: 40))
        async let added: Void = movie.addAction(action)
        try await app.grant(HubMethods.addAction)
        try await added
        #expect(movie.actions == [action])
        #expect(movie.actions.contains(action))
        let shown = try #require(movie.actions.first as? HMCharacteristicWriteAction<any NSCopying>)
        #expect(shown !== action)
        #expect(shown.targetValue as? NSNumber == 40)

        // Both show changes, whoever makes them.
        let updated = Inbox<HMError.Code?>()
        action.updateTargetValue(50) { updated.put(($0 as? HMError)?.code) }
        let change = SetActionValue(.integer(50), action: action.uniqueIdentifier, actionSet: set)
        #expect(try await app.grant(HubMethods.setActionValue) == change)
        #expect(try await updated.next() == nil)
        #expect(action.targetValue == 50)
        #expect(shown.targetValue as? NSNumber == 50)
        try hub.change(SetActionValue(.integer(60), action: action.uniqueIdentifier, actionSet: set), in: id)
        #expect(try await app.recorder.next() == "actions of Movie: 1")
        #expect(action.targetValue == 60)
        #expect(shown.targetValue as? NSNumber == 60)

        action.updateTargetValue(101) { updated.put(($0 as? HMError)?.code) }
        try await app.grant(HubMethods.setActionValue)
        #expect(try await updated.next() == .valueHigherThanMaximum)
        #expect(action.targetValue == 60)
    }

    @Test func whatAnActionSetCannotHoldHasItsCode() async throws {
        let (app, home, id) = try await start()
        let hut = try hub.addHome("Hut")
        try hub.addAccessories([Devices.lamp("Other")], in: hut)
        let set = UUID()
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        let movie = try await {
            while home.actionSets.count < 5 { _ = try await app.recorder.next() }
            return try #require(home.actionSets.last)
        }()
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let power = try app.accessory("Lamp").characteristic(HMCharacteristicTypePowerState)
        func action(_ characteristic: HMCharacteristic, _ value: any NSCopying) -> HMAction {
            HMCharacteristicWriteAction<any NSCopying>(characteristic: characteristic, targetValue: value)
        }
        #expect(await code { try await movie.addAction(HMAction(UUID())) } == .invalidClass)
        #expect(await code { try await movie.addAction(action(power, NSDate())) } == .invalidValueType)
        let others = try #require(app.manager.homes.last?.accessories.first)
        let other = action(try others.characteristic(HMCharacteristicTypePowerState), NSNumber(value: 1))
        #expect(await code { try await movie.addAction(other) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await app.manager.homes[1].removeActionSet(movie) } == .objectAssociatedToAnotherHome)
        #expect(hub.requests.drain().isEmpty)
        for (action, expected) in [
            (action(brightness, NSNumber(value: 101)), HMError.Code.valueHigherThanMaximum),
            (action(power, NSString("on")), .invalidValueType),
        ] {
            async let added = code { try await movie.addAction(action) }
            try await app.grant(HubMethods.addAction)
            #expect(await added == expected)
        }
        #expect(movie.actions.isEmpty)
        try hub.change(RemoveActionSet(set), in: id)
        while home.actionSets.count > 4 { _ = try await app.recorder.next() }
        #expect(movie.name == "Movie")
        let late = action(power, NSNumber(value: true))
        #expect(await code { try await movie.addAction(late) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await movie.removeAction(late) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await movie.updateName("Film") } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.removeActionSet(movie) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.executeActionSet(movie) } == .objectNotAssociatedToAnyHome)
    }

    @Test func anActionWaitsForItsCharacteristicToReturn() async throws {
        let (app, home, id) = try await start()
        let set = UUID()
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        try hub.change(AddAction(try identity(11, in: id), value: .bool(true), actionSet: set), in: id)
        for _ in 0..<2 { _ = try await app.recorder.next() }
        let movie = try #require(home.actionSets.last)
        _ = try app.accessory("Lamp")
        #expect(movie.actions.count == 1)
        var update = lamp
        update.services = [Devices.information]
        try hub.change(UpdateAccessories([update], server: lamp.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 1")
        #expect(movie.actions.isEmpty)
        try hub.change(UpdateAccessories([lamp], server: lamp.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 2")
        #expect(movie.actions.count == 1)
    }

    // MARK: Running

    @Test func aRunEndsWithTheErrorsOfItsActions() async throws {
        let (app, home, id) = try await start()
        let sleep = try #require(home.builtinActionSet(ofType: HMActionSetTypeSleep))
        func run(_ actions: Int, failing failures: [ActionSetResult.Failure]) async throws -> HMError? {
            let completed = Inbox<HMError?>()
            home.executeActionSet(sleep) { completed.put($0 as? HMError) }
            let (request, parameters) = try await app.request(HubMethods.runActionSet)
            #expect(parameters == ItemTarget(home: id, id: sleep.uniqueIdentifier))
            try request.reply(ActionSetResult(actions: actions, failures: failures))
            return try await completed.next()
        }
        let failure = ActionSetResult.Failure(
            action: UUID(),
            accessory: lamp.id,
            error: HubError(.timedOut, "It did not answer.")
        )
        #expect(try await run(2, failing: []) == nil)
        let partly = try await run(3, failing: [failure, failure])
        #expect(partly?.code == .actionSetExecutionPartialSuccess)
        let failed = partly?.userInfo[HMUserFailedAccessoriesKey] as? [HMAccessory]
        #expect(failed == [try app.accessory("Lamp")])
        let reason = partly?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        #expect(reason == "Lamp: It did not answer. Lamp: It did not answer.")
        let entirely = try await run(1, failing: [failure])
        #expect(entirely?.code == .actionSetExecutionFailed)
        #expect(entirely?.userInfo[HMUserFailedAccessoriesKey] as? [HMAccessory] == failed)
        for (code, expected) in [
            (HubError.Code.alreadyExecuting, HMError.Code.actionSetExecutionInProgress),
            (.nothingToRun, .noActionsInActionSet), (.init(rawValue: "notFound"), .notFound),
        ] {
            async let refused = HomeKitTests.code { try await home.executeActionSet(sleep) }
            try await app.request(HubMethods.runActionSet).request.refuse(code)
            #expect(await refused == expected)
        }
    }

    @Test func anActionSetShowsThatItRunsAndWhenItLastDid() async throws {
        let (app, home, id) = try await start()
        let sleep = try #require(home.builtinActionSet(ofType: HMActionSetTypeSleep))
        #expect(!sleep.isExecuting)
        #expect(sleep.lastExecutionDate == nil)
        let date = Date(timeIntervalSince1970: 1_000)
        hub.tell(.runs([RunUpdate(home: id, id: sleep.uniqueIdentifier, isRunning: true, last: nil)]))
        try hub.addRoom("Kitchen", in: id)
        #expect(try await app.recorder.next() == "added room Kitchen of 1")
        #expect(sleep.isExecuting)
        hub.tell(.runs([RunUpdate(home: id, id: sleep.uniqueIdentifier, isRunning: false, last: date)]))
        try hub.addRoom("Hall", in: id)
        #expect(try await app.recorder.next() == "added room Hall of 2")
        #expect(!sleep.isExecuting)
        #expect(sleep.lastExecutionDate == date)
    }
}
