import Foundation
import HAPCatalog
import HomeModel
import Testing

/// The consequences of removing an accessory or a user.
@Suite struct ConsequenceTests {
    private var test = TestHome()
    private let gadget: UUID
    private let other: UUID

    init() throws {
        gadget = try test.addGadget("Gadget", server: "A")
        other = try test.addGadget("Other", server: "B")
    }

    @Test mutating func aRemovedAccessorysServicesLeaveTheirGroups() throws {
        let group = try test.addGroup("Lights")
        let services = [10, 20].map { test.service($0, of: gadget) } + [test.service(10, of: other)]
        for service in services { try test.ask(AddServiceToGroup(service, group: group)) }
        let untouched = try test.addGroup("Others")
        try test.ask(AddServiceToGroup(services[2], group: untouched))
        let change = try test.ask(RemoveAccessory(gadget))
        #expect(change?.subjects == [gadget])
        #expect(test.home.serviceGroups.map(\.services) == [[services[2]], [services[2]]])
        #expect(change?.effects.filter { $0.recordID == RecordID(.serviceGroup, untouched) } == [])
    }

    @Test mutating func actionsOnARemovedAccessoryGo() throws {
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        try test.ask(AddAction(id: UUID(), test.power(of: other), value: .bool(true), actionSet: scene))
        let night = try #require(test.home.builtInActionSet(of: .sleep)?.id)
        try test.ask(AddAction(id: UUID(), test.power(of: gadget), value: .bool(false), actionSet: night))
        try test.ask(RemoveAccessory(gadget))
        #expect(test.home.actionSet(scene)?.actions.map { $0.characteristic?.accessory } == [other])
        #expect(test.home.actionSet(night)?.actions == [])
    }

    @Test mutating func aTriggerWithNothingLeftToDoIsDisabled() throws {
        let only = try test.addActionSet("Only", lightingUp: gadget)
        let another = try test.addActionSet("Another", lightingUp: other)
        let alone = try test.addTrigger("Alone", .timer(in: 60), running: only)
        let both = try test.addTrigger("Both", .timer(in: 60), running: only)
        try test.ask(AddActionSetToTrigger(actionSet: another, trigger: both))
        try test.ask(RemoveAccessory(gadget))
        #expect(test.trigger(alone)?.isEnabled == false)
        #expect(test.trigger(alone)?.actionSets == [only])
        #expect(test.trigger(both)?.isEnabled == true)
    }

    @Test mutating func whatATriggerAwaitsOfARemovedAccessoryGoes() throws {
        let scene = try test.addActionSet("Scene", lightingUp: other)
        let sunset = TriggerEvent(.sun(SunMoment(.sunset)))
        let range = ThresholdRange(minimum: 20, maximum: nil)
        let rule = EventRule(
            events: [TriggerEvent(.characteristic(test.power(of: gadget), nil)), sunset],
            endEvents: [TriggerEvent(.threshold(test.temperature(of: gadget), range))]
        )
        let id = try test.addTrigger("Two Events", .event(rule), running: scene)
        let alone = try test.addTrigger("One Event", test.switching(gadget), running: scene)
        try test.ask(RemoveAccessory(gadget))
        #expect(test.rule(of: id) == EventRule(events: [sunset]))
        #expect(test.trigger(id)?.isEnabled == true)
        #expect(test.rule(of: alone).events == [])
        #expect(test.trigger(alone)?.isEnabled == false)
        #expect(test.refusal(of: EnableTrigger(alone, true)) == .noEvents)
    }

    @Test mutating func aTriggerThatLosesAConditionIsDisabledForAPersonToLookAt() throws {
        let scene = try test.addActionSet("Scene", lightingUp: other)
        let cold = Condition.characteristic(test.temperature(of: gadget), .less, .integer(5))
        let evening = Condition.calendar(.after, CalendarMoment(hour: 18))
        let both = try test.addTrigger("Both", test.switching(other, condition: .all([cold, evening])), running: scene)
        let one = try test.addTrigger("One", test.switching(other, condition: .not(cold)), running: scene)
        let none = try test.addTrigger("None", test.switching(other, condition: evening), running: scene)
        try test.ask(RemoveAccessory(gadget))
        #expect(test.rule(of: both).condition == .all([evening]))
        #expect(test.rule(of: one).condition == nil)
        #expect(test.rule(of: none).condition == evening)
        #expect(test.home.triggers.map(\.isEnabled) == [false, false, true])
        try test.ask(EnableTrigger(both, true))
    }

    @Test mutating func aRemovedBridgeTakesWhatWasMadeOfAllBehindIt() throws {
        let lamp = AccessoryCandidate.gadget("Lamp", aid: 2)
        try test.ask(AddAccessories([.bridge("Bridge"), lamp], server: "C", name: nil, room: nil))
        let group = try test.addGroup("Lights")
        try test.ask(AddServiceToGroup(test.service(10, of: lamp.id), group: group))
        let scene = try test.addActionSet("Scene", lightingUp: lamp.id)
        let bridge = try #require(test.home.accessories[id: lamp.id]?.bridge)
        try test.ask(RemoveAccessory(bridge))
        #expect(test.home.serviceGroups.map(\.services) == [[]])
        #expect(test.home.actionSet(scene)?.actions == [])
    }

    @Test mutating func anAccessoryThatIsAbsentForAWhileLosesNothing() throws {
        let lamp = AccessoryCandidate.gadget("Lamp", aid: 2)
        let bridge = AccessoryCandidate.bridge("Bridge")
        try test.ask(AddAccessories([bridge, lamp], server: "C", name: nil, room: nil))
        let scene = try test.addActionSet("Scene", lightingUp: lamp.id)
        let trigger = try test.addTrigger("Trigger", test.switching(lamp.id), running: scene)
        let before = (test.home.actionSet(scene), test.trigger(trigger))
        try test.ask(UpdateAccessories([bridge], server: "C"))
        #expect(test.home.accessories[id: lamp.id]?.isAbsent == true)
        try test.ask(UpdateAccessories([bridge, lamp], server: "C"))
        #expect(test.home.actionSet(scene) == before.0 && test.trigger(trigger) == before.1)
    }

    @Test mutating func aTriggerNoLongerWaitsForAPersonWhoLeft() throws {
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        let (guest, owner) = (test.guest.user, test.owner.user)
        let sunset = TriggerEvent(.sun(SunMoment(.sunset)))
        let two = TriggerEvent(.presence(Presence(.everyEntry, of: .users([guest, owner]))))
        let one = TriggerEvent(.presence(Presence(.everyExit, of: .users([guest]))))
        let all = TriggerEvent(.presence(Presence(.everyExit, of: .everyone)))
        let first = try test.addTrigger("First", .event(EventRule(events: [two, one, all])), running: scene)
        let second = try test.addTrigger("Second", .event(EventRule(events: [one])), running: scene)
        let guestAway = Condition.presence(Presence(.lastExit, of: .users([guest])))
        let bothAway = Condition.presence(Presence(.lastExit, of: .users([guest, owner])))
        let third = try test.addTrigger(
            "Third",
            .event(EventRule(events: [sunset], condition: guestAway)),
            running: scene
        )
        let fourth = try test.addTrigger(
            "Fourth",
            .event(EventRule(events: [sunset], condition: bothAway)),
            running: scene
        )
        let region = LocationRegion(
            identifier: "work",
            latitude: 0,
            longitude: 0,
            radius: 1,
            onEntry: true,
            onExit: false
        )
        let fifth = UUID()
        let rule = EventRule(events: [TriggerEvent(.location(region))])
        let addition = AddTrigger(id: fifth, name: "Fifth", .event(rule))
        let administrator = test.administrator
        let change = try #require(try test.home.decide(addition, by: administrator, at: TestHome.time))
        test.home.apply(change)

        let removal = try test.ask(RemoveUser(guest))
        #expect(removal?.subjects == [guest, first, second, third, fourth])
        let rest = Presence(.everyEntry, of: .users([owner]))
        #expect(test.rule(of: first).events.map(\.occurrence) == [.presence(rest), all.occurrence])
        #expect(test.rule(of: second).events == [])
        #expect(test.rule(of: third).condition == nil)
        #expect(test.rule(of: fourth).condition == .presence(Presence(.lastExit, of: .users([owner]))))
        #expect(test.home.triggers.map(\.isEnabled) == [true, false, false, true, false])
        try test.ask(RemoveUser(administrator.user))
        #expect(test.rule(of: fifth).events == [])
    }
}

extension Effect {
    fileprivate var recordID: RecordID {
        switch self {
        case .put(let record): record.recordID
        case .remove(let id): id
        }
    }
}
