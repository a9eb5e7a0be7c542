import Foundation
import HAPCatalog
import HomeModel
import Testing

/// What a change is about, as its readers get it.
struct HomeEventTests {
    @Test func aChangeNamesItsObjectsByTheirRole() throws {
        var test = TestHome()
        let kitchen = try test.addRoom("Kitchen")
        let zone = try test.addZone("Downstairs")
        let lamp = try test.addLamp("Lamp")
        let group = try test.addGroup("Lights")
        let service = test.service(10, of: lamp)
        #expect(try test.ask(MoveAccessory(lamp, room: kitchen))?.event == .accessoryMoved(lamp, room: kitchen))
        #expect(try test.ask(AddRoomToZone(room: kitchen, zone: zone))?.event == .zoneRoomAdded(kitchen, zone: zone))
        let removal = RemoveRoomFromZone(room: kitchen, zone: zone)
        #expect(try test.ask(removal)?.event == .zoneRoomRemoved(kitchen, zone: zone))
        let renaming = RenameService(accessory: lamp, iid: 10, name: "Light")
        #expect(try test.ask(renaming)?.event == .serviceRenamed(service))
        let joining = AddServiceToGroup(service, group: group)
        #expect(try test.ask(joining)?.event == .serviceGroupServiceAdded(service, group: group))
        let leaving = RemoveServiceFromGroup(service, group: group)
        #expect(try test.ask(leaving)?.event == .serviceGroupServiceRemoved(service, group: group))
        #expect(try test.ask(RemoveRoom(kitchen))?.event == .roomRemoved(kitchen, accessories: [lamp]))
        #expect(
            try test.ask(SetRole(.guest, of: test.administrator.user))?.event
                == .userRoleChanged(test.administrator.user)
        )
    }

    @Test func aChangeNamesItsActionSetOrTrigger() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let (set, action, trigger) = (UUID(), UUID(), UUID())
        #expect(try test.ask(AddActionSet(id: set, name: "Movie"))?.event == .actionSetAdded(set))
        #expect(try test.ask(RenameActionSet(set, name: "Film"))?.event == .actionSetRenamed(set))
        let addition = AddAction(id: action, test.power(of: gadget), value: .bool(true), actionSet: set)
        #expect(try test.ask(addition)?.event == .actionsChanged(set))
        #expect(try test.ask(AddTrigger(id: trigger, name: "Evening", .timer(in: 60)))?.event == .triggerAdded(trigger))
        #expect(try test.ask(RenameTrigger(trigger, name: "Night"))?.event == .triggerRenamed(trigger))
        let use = AddActionSetToTrigger(actionSet: set, trigger: trigger)
        #expect(try test.ask(use)?.event == .triggerUpdated(trigger))
        #expect(try test.ask(RemoveTrigger(trigger))?.event == .triggerRemoved(trigger))
        #expect(try test.ask(RemoveActionSet(set))?.event == .actionSetRemoved(set))
    }

    @Test func aChangeWithTooFewObjectsIsNoEvent() {
        for verb in [Verb.zoneRoomAdded, .accessoryMoved, .serviceRenamed, .serviceGroupServiceAdded] {
            #expect(Change(verb: verb, subjects: [UUID()], effects: []).event == nil)
        }
        #expect(Change(verb: .roomAdded, subjects: [], effects: []).event == nil)
        #expect(Change(verb: Verb(rawValue: "later"), subjects: [UUID()], effects: []).event == nil)
    }
}
