import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct ActionSetTests {
    // MARK: Action sets

    @Test func anActionSetIsAddedRenamedAndRemoved() throws {
        var test = TestHome()
        let id = UUID()
        let change = try test.ask(AddActionSet(id: id, name: "Movie Time"))
        #expect(change?.verb == .actionSetAdded)
        #expect(change?.subjects == [id])
        #expect(test.home.actionSet(id) == ActionSetRecord(id: id, name: "Movie Time"))
        #expect(try test.ask(RenameActionSet(id, name: "Film"))?.verb == .actionSetRenamed)
        #expect(try test.ask(RenameActionSet(id, name: "Film")) == nil)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "film")) == .nameTaken)
        let removal = try test.ask(RemoveActionSet(id))
        #expect(removal?.verb == .actionSetRemoved)
        #expect(removal?.subjects == [id])
        #expect(test.home.actionSet(id) == nil)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Film")) == nil)
    }

    @Test func everyHomeHasItsFourBuiltInActionSets() throws {
        let test = TestHome()
        let types: [ActionSetType] = [.homeDeparture, .homeArrival, .wakeUp, .sleep]
        #expect(test.home.actionSets.map(\.type) == types)
        #expect(test.home.actionSets.map(\.name) == ["Leave Home", "Arrive Home", "Good Morning", "Good Night"])
        for type in types {
            let actionSet = try #require(test.home.builtInActionSet(of: type))
            #expect(actionSet.actions.isEmpty)
            #expect(test.home.actionSet(actionSet.id) == actionSet)
            // They are the same whenever the home is loaded, even from a log that has no records of them.
            #expect(Home(id: test.home.id).actionSet(actionSet.id) == actionSet)
        }
        #expect(test.home.builtInActionSet(of: .userDefined) == nil)
        #expect(test.home.builtInActionSet(of: .triggerOwned) == nil)
    }

    @Test func aBuiltInActionSetIsFilledAndRenamedAndNeverRemoved() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try #require(test.home.builtInActionSet(of: .sleep)?.id)
        #expect(test.refusal(of: RemoveActionSet(id)) == .builtInActionSet)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "good night")) == .nameTaken)
        try test.ask(AddAction(id: UUID(), test.power(of: gadget), value: .bool(false), actionSet: id))
        try test.ask(RenameActionSet(id, name: "Sleep Well"))
        #expect(test.refusal(of: RemoveActionSet(id)) == .builtInActionSet)
        #expect(test.home.actionSets.map(\.name) == ["Leave Home", "Arrive Home", "Good Morning", "Sleep Well"])
        #expect(test.home.actionSets.last?.actions.count == 1)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Sleep Well")) == .nameTaken)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Good Night")) == nil)
        try test.ask(RenameActionSet(id, name: "Good Night"))
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Good Night")) == .nameTaken)
    }

    @Test func anIdentityIsUsedOnceAmongActionSetsActionsGroupsAndTriggersToo() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let group = try test.addGroup("Group")
        let actionSet = try test.addActionSet("Scene")
        let action = UUID()
        try test.ask(AddAction(id: action, test.power(of: gadget), value: .bool(true), actionSet: actionSet))
        let trigger = try test.addTrigger("Trigger", .timer(in: 60))
        let builtIn = try #require(test.home.builtInActionSet(of: .wakeUp)?.id)
        for id in [gadget, group, actionSet, action, trigger, builtIn] {
            #expect(test.refusal(of: AddRoom(id: id, name: "New")) == .alreadyAdded)
            #expect(test.refusal(of: AddServiceGroup(id: id, name: "New")) == .alreadyAdded)
            #expect(test.refusal(of: AddActionSet(id: id, name: "New")) == .alreadyAdded)
            #expect(test.refusal(of: AddOwnedActionSet(id: id, trigger: trigger)) == .alreadyAdded)
            #expect(test.refusal(of: AddTrigger(id: id, name: "New", .timer(in: 60))) == .alreadyAdded)
            #expect(test.refusal(of: AddUser(id: id, name: "New", role: .guest)) == .alreadyAdded)
        }
    }

    @Test func aTriggersOwnActionSetIsInNoListAndGoesWithIt() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let trigger = try test.addTrigger("Evening", .timer(in: 60))
        let id = UUID()
        let change = try test.ask(AddOwnedActionSet(id: id, trigger: trigger))
        #expect(change?.subjects == [id, trigger])
        #expect(test.home.actionSet(id)?.type == .triggerOwned)
        #expect(test.trigger(trigger)?.actionSets == [id])
        #expect(test.home.actionSets.filter { $0.id == id } == [])
        #expect(test.refusal(of: RenameActionSet(id, name: "Mine")) == .triggerOwnedActionSet)
        let other = try test.addTrigger("Morning", .timer(in: 60))
        let sharing = AddActionSetToTrigger(actionSet: id, trigger: other)
        #expect(test.refusal(of: sharing) == .triggerOwnedActionSet)
        try test.ask(AddAction(id: UUID(), test.power(of: gadget), value: .bool(true), actionSet: id))
        let removal = try test.ask(RemoveTrigger(trigger))
        #expect(removal?.subjects == [trigger, id])
        #expect(test.home.actionSet(id) == nil)

        let again = UUID()
        try test.ask(AddOwnedActionSet(id: again, trigger: other))
        let leaving = try test.ask(RemoveActionSetFromTrigger(actionSet: again, trigger: other))
        #expect(leaving?.subjects == [other, again])
        #expect(test.home.actionSet(again) == nil)
    }

    // MARK: Actions

    @Test func anActionWritesAValueInItsCharacteristicsForm() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try test.addActionSet("Scene")
        let (power, brightness) = (UUID(), UUID())
        let change = try test.ask(AddAction(id: power, test.power(of: gadget), value: .integer(1), actionSet: id))
        #expect(change?.verb == .actionsChanged)
        #expect(change?.subjects == [id, power])
        try test.ask(AddAction(id: brightness, test.brightness(of: gadget), value: .double(40), actionSet: id))
        let operations = try #require(test.home.actionSet(id)).actions.map(\.operation)
        #expect(
            operations == [
                .write(test.power(of: gadget), .bool(true)), .write(test.brightness(of: gadget), .integer(40)),
            ]
        )
        #expect(try test.ask(SetActionValue(.integer(60), action: brightness, actionSet: id))?.verb == .actionsChanged)
        #expect(try test.ask(SetActionValue(.double(60), action: brightness, actionSet: id)) == nil)
        #expect(try test.ask(RemoveAction(power, actionSet: id))?.subjects == [id, power])
        #expect(test.home.actionSet(id)?.actions.map(\.id) == [brightness])
        #expect(
            test.home.actionSet(id)?.actions.first?.operation == .write(test.brightness(of: gadget), .integer(60))
        )
    }

    @Test func anActionWritesWhatItsCharacteristicTakesOnly() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try test.addActionSet("Scene")
        func refusal(_ characteristic: CharacteristicIdentity, _ value: CharacteristicValue) -> HomeError.Code? {
            test.refusal(of: AddAction(id: UUID(), characteristic, value: value, actionSet: id))
        }
        #expect(refusal(test.temperature(of: gadget), .double(20)) == .notWritable)
        #expect(refusal(test.brightness(of: gadget), .string("40")) == .invalidValueType)
        #expect(refusal(test.brightness(of: gadget), .integer(-1)) == .valueBelowMinimum)
        #expect(refusal(test.brightness(of: gadget), .integer(101)) == .valueAboveMaximum)
        #expect(refusal(test.brightness(of: gadget), .double(.nan)) == .invalidValue)
        let name = test.characteristic(22, of: gadget)
        #expect(refusal(name, .string(String(repeating: "x", count: 64))) == nil)
        #expect(refusal(name, .string(String(repeating: "x", count: 65))) == .valueTooLong)
        #expect(refusal(name, .string(String(repeating: "x", count: 500_000))) == .valueTooLong)
        var other = test.power(of: gadget)
        other.type = HAPType.Characteristic.brightness
        #expect(refusal(other, .bool(true)) == .notFound)
        other = test.power(of: gadget)
        other.accessory = UUID()
        #expect(refusal(other, .bool(true)) == .notFound)
    }

    @Test func aValueHasItsLimitOfBytesWhateverItsCharacteristicTakes() throws {
        var test = TestHome()
        var candidate = AccessoryCandidate.gadget("Gadget")
        let odd = CharacteristicMetadata(format: .other("novel"))
        candidate.services[1].characteristics.append(
            CharacteristicShape(iid: 99, type: HAPType.Characteristic.name, permissions: [.write], metadata: odd)
        )
        try test.ask(AddAccessories([candidate], server: "A", name: nil, room: nil))
        let id = try test.addActionSet("Scene")
        let characteristic = test.characteristic(99, of: candidate.id)
        for value in [[UInt8](repeating: 1, count: HomeLimits.valueLength)] {
            #expect(
                test.refusal(of: AddAction(id: UUID(), characteristic, value: .data(value), actionSet: id)) == nil
            )
            let more = CharacteristicValue.data(value + [1])
            #expect(
                test.refusal(of: AddAction(id: UUID(), characteristic, value: more, actionSet: id)) == .valueTooLong
            )
        }
        let infinite = AddAction(id: UUID(), characteristic, value: .double(.infinity), actionSet: id)
        #expect(test.refusal(of: infinite) == .invalidValue)
    }

    @Test func anActionIsInOneActionSetAndACharacteristicInOneActionOfEach() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let first = try test.addActionSet("One")
        let second = try test.addActionSet("Two")
        let action = UUID()
        func adding(_ id: UUID, to actionSet: UUID) -> any HomeRequest {
            AddAction(id: id, test.power(of: gadget), value: .bool(true), actionSet: actionSet)
        }
        try test.ask(adding(action, to: first))
        #expect(test.refusal(of: adding(UUID(), to: first)) == .actionOnSameCharacteristic)
        #expect(test.refusal(of: adding(action, to: second)) == .actionInAnotherActionSet)
        try test.ask(adding(UUID(), to: second))
        try test.ask(RemoveAction(action, actionSet: first))
        #expect(test.refusal(of: adding(action, to: first)) == nil)
    }

    @Test func anActionOnSomethingThatVanishedIsNotDoneToWhatCameInItsPlace() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try test.addActionSet("Scene", lightingUp: gadget)
        let characteristic = test.power(of: gadget)
        var bare = AccessoryCandidate.gadget("Gadget")
        bare.services.removeAll { $0.iid == 10 }
        try test.ask(UpdateAccessories([bare], server: TestHome.server))
        var other = bare
        other.services.append(
            ServiceShape(
                iid: 10,
                type: HAPType.Service.lockMechanism,
                characteristics: [
                    .init(
                        iid: 11,
                        type: HAPType.Characteristic.lockTargetState,
                        permissions: [.read, .write],
                        format: .uint8
                    )
                ]
            )
        )
        try test.ask(UpdateAccessories([other], server: TestHome.server))
        #expect(test.home.characteristic(characteristic) == nil)
        #expect(test.home.actionSet(id)?.actions.map(\.characteristic) == [characteristic])
    }

    // MARK: Unknown actions and limits

    @Test func unknownActionSetsAndActionsAreNotFound() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let id = try test.addActionSet("Scene")
        let requests: [any HomeRequest] = [
            RemoveActionSet(UUID()), RenameActionSet(UUID(), name: "New"), RemoveAction(UUID(), actionSet: UUID()),
            RemoveAction(UUID(), actionSet: id), SetActionValue(.bool(true), action: UUID(), actionSet: id),
            SetActionValue(.bool(true), action: UUID(), actionSet: UUID()),
            AddAction(id: UUID(), test.power(of: gadget), value: .bool(true), actionSet: UUID()),
            AddOwnedActionSet(id: UUID(), trigger: UUID()),
        ]
        for request in requests { #expect(test.refusal(of: request) == .notFound) }
    }

    @Test func aHomeHasItsLimitOfActionSetsAndNotOneMore() throws {
        var test = TestHome()
        // Built-in action sets don't count, even if they were changed.
        let builtIn = try #require(test.home.builtInActionSet(of: .sleep)?.id)
        try test.ask(RenameActionSet(builtIn, name: "Sleep"))
        let trigger = try test.addTrigger("Trigger", .timer(in: 60))
        try test.ask(AddOwnedActionSet(id: UUID(), trigger: trigger))
        for number in 2...HomeLimits.actionSetsPerHome { _ = try test.addActionSet("Scene \(number)") }
        #expect(test.refusal(of: AddActionSet(id: UUID(), name: "Scene")) == .limitExceeded)
        #expect(test.refusal(of: AddOwnedActionSet(id: UUID(), trigger: trigger)) == .limitExceeded)
    }

    @Test func anActionSetHasItsLimitOfActionsAndNotOneMore() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let power = test.power(of: gadget)
        var record = ActionSetRecord(id: UUID(), name: "Scene")
        for _ in 1..<HomeLimits.actionsPerActionSet {
            let other = CharacteristicIdentity(accessory: UUID(), characteristic: UUID(), type: power.type)
            record.actions.append(Action(id: UUID(), operation: .write(other, .bool(true))))
        }
        test.home.apply(Change(verb: .actionSetAdded, subjects: [], effects: [.put(.actionSet(record))]))
        try test.ask(AddAction(id: UUID(), power, value: .bool(true), actionSet: record.id))
        let brightness = test.brightness(of: gadget)
        let more = AddAction(id: UUID(), brightness, value: .integer(1), actionSet: record.id)
        #expect(test.refusal(of: more) == .limitExceeded)
    }
}
