import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

struct ServiceGroupTests {
    private static func lamp(_ hub: ScriptedHub, in home: UUID, _ name: String = "Lamp") throws -> ServiceIdentity {
        let lamp = Devices.lamp(name)
        try hub.addAccessories([lamp], in: home)
        return try #require(hub.home(home)?.identity(ofService: 10, in: lamp.id))
    }

    @Test func aGroupIsInTheHomeWhenTheCompletionOfItsAdditionRuns() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        home.addServiceGroup(withName: "Lights") { group, error in
            let groups = home.serviceGroups.map(\.name)
            app.recorder.notes.put("completed \(groups) \(group === home.serviceGroups.first) \(error == nil)")
        }
        let (request, parameters) = try await app.request(HubMethods.addServiceGroup)
        #expect(parameters == InHome(id, AddServiceGroup(name: "Lights")))
        let group = UUID()
        try hub.change(AddServiceGroup(id: group, name: "Lights"), in: id, isMine: true)
        try request.reply(AddedItem(id: group))
        try hub.change(AddServiceGroup(id: UUID(), name: "Fans"), in: id)
        #expect(try await app.recorder.next() == #"completed ["Lights"] true true"#)
        #expect(try await app.recorder.next() == "added group Fans of 2")
        #expect(home.serviceGroups.first?.uniqueIdentifier == group)
    }

    @Test func everyChangeOfAGroupByOthersHasItsMessage() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let service = try Self.lamp(hub, in: id)
        let app = try await App(on: hub)
        _ = try app.home()
        let group = UUID()
        try hub.change(AddServiceGroup(id: group, name: "Lights"), in: id)
        try hub.change(RenameServiceGroup(group, name: "Lamps"), in: id)
        try hub.change(AddServiceToGroup(service, group: group), in: id)
        try hub.change(RemoveServiceFromGroup(service, group: group), in: id)
        try hub.change(RemoveServiceGroup(group), in: id)
        let expected = [
            "added group Lights of 1", "group name Lamps", #"Light into Lamps ["Light"]"#, "Light out of Lamps []",
            "removed group Lamps of 0",
        ]
        for note in expected { #expect(try await app.recorder.next() == note) }
    }

    @Test func whatTheAppChangesIsToldByItsCompletionsAlone() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let service = try Self.lamp(hub, in: id)
        let group = UUID()
        try hub.change(AddServiceGroup(id: group, name: "Lights"), in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let lights = try #require(home.serviceGroups.first)
        let lamp = try #require(home.accessories.first?.services.first { $0.name == "Light" })

        async let added: Void = lights.addService(lamp)
        let addition = try await app.request(HubMethods.addServiceToGroup)
        #expect(addition.parameters == InHome(id, AddServiceToGroup(service, group: group)))
        try hub.change(AddServiceToGroup(service, group: group), in: id, isMine: true)
        try addition.request.reply(Empty())
        try await added
        #expect(lights.services == [lamp])

        async let renamed: Void = lights.updateName("Lamps")
        let renaming = try await app.request(HubMethods.renameServiceGroup)
        #expect(renaming.parameters == InHome(id, RenameServiceGroup(group, name: "Lamps")))
        try hub.change(RenameServiceGroup(group, name: "Lamps"), in: id, isMine: true)
        try renaming.request.reply(Empty())
        try await renamed
        #expect(lights.name == "Lamps")

        async let removed: Void = lights.removeService(lamp)
        let removal = try await app.request(HubMethods.removeServiceFromGroup)
        #expect(removal.parameters == InHome(id, RemoveServiceFromGroup(service, group: group)))
        try hub.change(RemoveServiceFromGroup(service, group: group), in: id, isMine: true)
        try removal.request.reply(Empty())
        try await removed
        #expect(lights.services.isEmpty)

        async let gone: Void = home.removeServiceGroup(lights)
        let end = try await app.request(HubMethods.removeServiceGroup)
        #expect(end.parameters == InHome(id, RemoveServiceGroup(group)))
        try hub.change(RemoveServiceGroup(group), in: id, isMine: true)
        try end.request.reply(Empty())
        try await gone
        #expect(home.serviceGroups.isEmpty)

        try hub.addRoom("Hall", in: id)
        #expect(try await app.recorder.next() == "added room Hall of 1")
    }

    @Test func aServiceMayBeInSeveralGroupsAndLeavesThemWithItsAccessory() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let service = try Self.lamp(hub, in: id)
        let groups = [UUID(), UUID()]
        for (number, group) in groups.enumerated() {
            try hub.change(AddServiceGroup(id: group, name: "Group \(number)"), in: id)
            try hub.change(AddServiceToGroup(service, group: group), in: id)
        }
        let app = try await App(on: hub)
        let home = try app.home()
        let lamp = try #require(home.accessories.first?.services.first { $0.name == "Light" })
        #expect(home.serviceGroups.map(\.services) == [[lamp], [lamp]])
        try hub.change(RemoveAccessory(service.accessory), in: id)
        #expect(try await app.recorder.next() == "removed accessory Lamp")
        #expect(home.serviceGroups.map(\.services) == [[], []])
    }

    @Test func aRenumberedServiceStaysInItsGroupAsTheSameObject() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        var lamp = Devices.lamp("Lamp")
        try hub.addAccessories([lamp], in: id)
        let service = try #require(hub.home(id)?.identity(ofService: 10, in: lamp.id))
        let group = UUID()
        try hub.change(AddServiceGroup(id: group, name: "Lights"), in: id)
        try hub.change(AddServiceToGroup(service, group: group), in: id)
        let app = try await App(on: hub)
        _ = try app.accessory("Lamp")
        let lights = try #require(app.manager.homes.first?.serviceGroups.first)
        let before = try #require(lights.services.first)
        lamp.services = [Devices.information, Devices.lampService(first: 70)]
        try hub.change(UpdateAccessories([lamp], server: lamp.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 2")
        #expect(lights.services == [before])
        // A service that is temporarily missing is omitted.
        lamp.services = [Devices.information]
        try hub.change(UpdateAccessories([lamp], server: lamp.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 1")
        #expect(lights.services.isEmpty)
        #expect(await code { try await lights.removeService(before) } == .objectNotAssociatedToAnyHome)
    }

    @Test func aGroupThatIsGoneShowsWhatItLastWasAndTakesNoCalls() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let service = try Self.lamp(hub, in: id)
        let group = UUID()
        try hub.change(AddServiceGroup(id: group, name: "Lights"), in: id)
        try hub.change(AddServiceToGroup(service, group: group), in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let lights = try #require(home.serviceGroups.first)
        let lamp = try #require(lights.services.first)
        #expect(home.serviceGroups.first === lights)
        try hub.change(RemoveServiceGroup(group), in: id)
        #expect(try await app.recorder.next() == "removed group Lights of 0")
        #expect(lights.name == "Lights")
        #expect(lights.uniqueIdentifier == group)
        #expect(lights.services.isEmpty)
        #expect(await code { try await lights.addService(lamp) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await lights.removeService(lamp) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await lights.updateName("Lamps") } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.removeServiceGroup(lights) } == .objectNotAssociatedToAnyHome)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func groupsAndServicesOfAnotherHomeAreRefused() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        let hut = try hub.addHome("Hut")
        _ = try Self.lamp(hub, in: hut)
        for home in [villa, hut] { try hub.change(AddServiceGroup(id: UUID(), name: "Lights"), in: home) }
        let app = try await App(on: hub)
        let homes = app.manager.homes
        let lamp = try #require(homes[1].accessories.first?.services.last)
        let group = try #require(homes[0].serviceGroups.first)
        #expect(await code { try await group.addService(lamp) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await homes[1].removeServiceGroup(group) } == .objectAssociatedToAnotherHome)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func whatAGroupOrItsMembershipBreaksHasItsCode() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        _ = try Self.lamp(hub, in: id)
        try hub.change(AddServiceGroup(id: UUID(), name: "Lights"), in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let group = try #require(home.serviceGroups.first)
        let lamp = try #require(home.accessories.first?.services.last)
        for (rule, expected) in [
            (HomeError.Code.alreadyInGroup, HMError.Code.alreadyExists),
            (.limitExceeded, .maximumObjectLimitReached), (.insufficientPrivileges, .insufficientPrivileges),
        ] {
            async let added = code { try await group.addService(lamp) }
            let request = try await app.request(HubMethods.addServiceToGroup).request
            request.refuse(HubError.Code(rawValue: rule.rawValue))
            #expect(await added == expected)
        }
        async let removed = code { try await group.removeService(lamp) }
        let removal = try await app.request(HubMethods.removeServiceFromGroup).request
        removal.refuse(HubError.Code(rawValue: HomeError.Code.notInGroup.rawValue))
        #expect(await removed == .notFound)
    }

    @Test func aSwitchIsSaidToBelongToAFan() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let device = Devices.candidate("Switch", category: nil, services: [Devices.switchService])
        try hub.addAccessories([device], in: id)
        let app = try await App(on: hub)
        let accessory = try app.accessory("Switch")
        let service = try #require(accessory.services.last)
        #expect(service.associatedServiceType == nil)

        async let said: Void = service.updateAssociatedServiceType(HMServiceTypeFan)
        let (request, parameters) = try await app.request(HubMethods.setAssociatedType)
        let fan = HAPType.Service.fan
        #expect(parameters == InHome(id, SetAssociatedType(fan, accessory: device.id, iid: 40)))
        try hub.change(SetAssociatedType(fan, accessory: device.id, iid: 40), in: id, isMine: true)
        try request.reply(Empty())
        try await said
        #expect(service.associatedServiceType == HMServiceTypeFan)

        // The change is made by another user.
        try hub.change(SetAssociatedType(nil, accessory: device.id, iid: 40), in: id)
        #expect(try await app.recorder.next() == "service associated none")
        try hub.change(SetAssociatedType(HAPType.Service.lightbulb, accessory: device.id, iid: 40), in: id)
        #expect(try await app.recorder.next() == "service associated \(HMServiceTypeLightbulb)")

        async let takenBack: Void = service.updateAssociatedServiceType(nil)
        let withdrawal = try await app.request(HubMethods.setAssociatedType)
        #expect(withdrawal.parameters.request.type == nil)
        try hub.change(SetAssociatedType(nil, accessory: device.id, iid: 40), in: id, isMine: true)
        try withdrawal.request.reply(Empty())
        try await takenBack
        #expect(service.associatedServiceType == nil)

        #expect(await code { try await service.updateAssociatedServiceType("fan") } == .invalidAssociatedServiceType)
        async let refused = code { try await service.updateAssociatedServiceType(HMServiceTypeFan) }
        let refusal = try await app.request(HubMethods.setAssociatedType).request
        refusal.refuse(HubError.Code(rawValue: HomeError.Code.invalidAssociatedType.rawValue))
        #expect(await refused == .invalidAssociatedServiceType)
        try hub.change(RemoveAccessory(device.id), in: id)
        #expect(try await app.recorder.next() == "removed accessory Switch")
        #expect(
            await code { try await service.updateAssociatedServiceType(HMServiceTypeFan) }
                == .objectNotAssociatedToAnyHome
        )
    }
}
