import Foundation
import HAPCatalog
import HomeModel
import Testing

/// Service groups and associated types.
@Suite struct ServiceTests {
    @Test func aServiceGroupIsAddedRenamedAndRemovedWithoutItsServices() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let group = try test.addGroup("Lights")
        let change = try test.ask(AddServiceToGroup(test.service(10, of: gadget), group: group))
        #expect(change?.verb == .serviceGroupServiceAdded)
        #expect(change?.subjects == [group, gadget, test.service(10, of: gadget).service])
        #expect(try test.ask(RenameServiceGroup(group, name: "Lamps"))?.verb == .serviceGroupRenamed)
        let record = ServiceGroupRecord(id: group, name: "Lamps", services: [test.service(10, of: gadget)])
        #expect(Array(test.home.serviceGroups) == [record])
        #expect(try test.ask(RemoveServiceGroup(group))?.verb == .serviceGroupRemoved)
        #expect(test.home.serviceGroups.isEmpty)
        #expect(test.home.accessories.map(\.id) == [gadget])
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Lamps")) == nil)
    }

    @Test func aServiceIsInAsManyGroupsAsOneLikesAndInEachOnce() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let lamp = test.service(10, of: gadget)
        let groups = [try test.addGroup("Lights"), try test.addGroup("Downstairs")]
        for group in groups {
            #expect(test.refusal(of: RemoveServiceFromGroup(lamp, group: group)) == .notInGroup)
            try test.ask(AddServiceToGroup(lamp, group: group))
            #expect(test.refusal(of: AddServiceToGroup(lamp, group: group)) == .alreadyInGroup)
        }
        let change = try test.ask(RemoveServiceFromGroup(lamp, group: groups[0]))
        #expect(change?.verb == .serviceGroupServiceRemoved)
        #expect(test.home.serviceGroups.map(\.services) == [[], [lamp]])
    }

    @Test func anyServicesOfAnyAccessoriesMakeAGroup() throws {
        var test = TestHome()
        let first = try test.addGadget("One", server: "A")
        let second = try test.addGadget("Two", server: "B")
        let group = try test.addGroup("Things")
        let services = [test.service(20, of: second), test.service(10, of: first), test.service(1, of: first)]
        for service in services { try test.ask(AddServiceToGroup(service, group: group)) }
        #expect(test.home.serviceGroups[id: group]?.services == services)
        #expect(test.home.service(services[0])?.shape.iid == 20)
    }

    @Test func aServiceThatVanishesForAWhileKeepsItsPlaceInItsGroups() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let group = try test.addGroup("Lights")
        let lamp = test.service(10, of: gadget)
        try test.ask(AddServiceToGroup(lamp, group: group))
        var without = AccessoryCandidate.gadget("Gadget")
        without.services.removeAll { $0.iid == 10 }
        try test.ask(UpdateAccessories([without], server: TestHome.server))
        #expect(test.home.service(lamp) == nil)
        try test.ask(UpdateAccessories([.gadget("Gadget")], server: TestHome.server))
        #expect(test.home.service(lamp)?.shape.iid == 10)
        #expect(test.home.serviceGroups[id: group]?.services == [lamp])
        try test.ask(UpdateAccessories([without], server: TestHome.server))
        try test.ask(RemoveServiceFromGroup(lamp, group: group))
        #expect(test.home.serviceGroups[id: group]?.services == [])
    }

    @Test func aGroupFollowsAServiceThatFirmwareRenumbered() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let group = try test.addGroup("Lights")
        let lamp = test.service(10, of: gadget)
        try test.ask(AddServiceToGroup(lamp, group: group))
        var renumbered = AccessoryCandidate.gadget("Gadget")
        renumbered.services[1].iid = 50
        try test.ask(UpdateAccessories([renumbered], server: TestHome.server))
        #expect(test.home.service(lamp)?.shape.iid == 50)
    }

    @Test func aHomeHasItsLimitOfGroupsAndNotOneMore() throws {
        var test = TestHome()
        for number in 1...HomeLimits.serviceGroupsPerHome { _ = try test.addGroup("Group \(number)") }
        #expect(test.refusal(of: AddServiceGroup(id: UUID(), name: "Group")) == .limitExceeded)
    }

    @Test func aGroupHasItsLimitOfServicesAndNotOneMore() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let others = (1..<HomeLimits.servicesPerGroup).map { _ in ServiceIdentity(accessory: UUID(), service: UUID()) }
        let group = ServiceGroupRecord(id: UUID(), name: "All", services: others)
        test.home.apply(Change(verb: .serviceGroupAdded, subjects: [], effects: [.put(.serviceGroup(group))]))
        try test.ask(AddServiceToGroup(test.service(10, of: gadget), group: group.id))
        let more = AddServiceToGroup(test.service(20, of: gadget), group: group.id)
        #expect(test.refusal(of: more) == .limitExceeded)
    }

    // MARK: Associated types

    @Test(arguments: [30, 40] as [UInt64])
    func aSwitchAndAContactSensorAreSaidToBelongToSomething(_ iid: UInt64) throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let fan = HAPType.Service.fan
        let change = try test.ask(SetAssociatedType(fan, accessory: gadget, iid: iid))
        #expect(change?.verb == .associatedTypeChanged)
        #expect(change?.subjects == [gadget, test.service(iid, of: gadget).service])
        let record = try #require(test.home.accessories[id: gadget])
        let shape = try #require(test.home.services(of: record).first { $0.iid == iid })
        #expect(Home.effectiveType(of: shape, in: record) == fan)
        #expect(try test.ask(SetAssociatedType(fan, accessory: gadget, iid: iid)) == nil)
        try test.ask(SetAssociatedType(nil, accessory: gadget, iid: iid))
        #expect(test.home.accessories[id: gadget]?.associatedTypes == [:])
        #expect(Home.effectiveType(of: shape, in: try #require(test.home.accessories[id: gadget])) == shape.type)
    }

    @Test func anOutletMayBeALamp() throws {
        var test = TestHome()
        var outlet = AccessoryCandidate.lamp("Outlet")
        outlet.services = [.information, .outlet(iid: 10)]
        try test.ask(AddAccessories([outlet], server: "A", name: nil, room: nil))
        try test.ask(SetAssociatedType(HAPType.Service.lightbulb, accessory: outlet.id, iid: 10))
        #expect(test.home.accessories[id: outlet.id]?.associatedTypes == [10: HAPType.Service.lightbulb])
    }

    @Test func noOtherServiceBelongsToAnythingAndToNothingThatIsNoService() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        let fan = HAPType.Service.fan
        let own = try #require(HAPType("7E536242-341C-4862-BE90-272CE15BD633"))
        for iid in [1, 10, 20] as [UInt64] {
            let request = SetAssociatedType(fan, accessory: gadget, iid: iid)
            #expect(test.refusal(of: request) == .invalidAssociatedType)
        }
        for type in [own, HAPType.Characteristic.on] {
            let request = SetAssociatedType(type, accessory: gadget, iid: 30)
            #expect(test.refusal(of: request) == .invalidAssociatedType)
        }
        #expect(test.refusal(of: SetAssociatedType(fan, accessory: gadget, iid: 99)) == .notFound)
        #expect(test.refusal(of: SetAssociatedType(fan, accessory: UUID(), iid: 30)) == .notFound)
    }

    @Test func whatASwitchBelongsToFollowsItWhenFirmwareRenumbersIt() throws {
        var test = TestHome()
        let gadget = try test.addGadget("Gadget")
        try test.ask(SetAssociatedType(HAPType.Service.fan, accessory: gadget, iid: 30))
        var renumbered = AccessoryCandidate.gadget("Gadget")
        renumbered.services[3].iid = 70
        try test.ask(UpdateAccessories([renumbered], server: TestHome.server))
        #expect(test.home.accessories[id: gadget]?.associatedTypes == [70: HAPType.Service.fan])
    }
}
