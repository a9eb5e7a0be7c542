import Foundation
import HomeKit
import HomeModel
import HubAPI
import Testing

struct LayoutTests {
    @Test func aRoomIsInTheHomeWhenTheCompletionOfItsAdditionRuns() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        home.addRoom(withName: "Kitchen") { room, error in
            let rooms = home.rooms.map(\.name)
            app.recorder.notes.put("completed \(rooms) \(room === home.rooms.first) \(error == nil)")
        }
        let (request, parameters) = try await app.request(HubMethods.addRoom)
        #expect(parameters == InHome(id, AddRoom(name: "Kitchen")))
        let room = try hub.addRoom("Kitchen", in: id, isMine: true)
        try request.reply(AddedItem(id: room))
        try hub.addRoom("Hall", in: id)
        // The app's own room is reported by the completion handler only, another user's room by the delegate.
        #expect(try await app.recorder.next() == #"completed ["Kitchen"] true true"#)
        #expect(try await app.recorder.next() == "added room Hall of 2")
    }

    @Test func asynchronousFormsHandOverTheSameObjects() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        async let added = home.addZone(named: "Upstairs")
        let (request, _) = try await app.request(HubMethods.addZone)
        let zone = UUID()
        try hub.change(AddZone(id: zone, name: "Upstairs"), in: id, isMine: true)
        try request.reply(AddedItem(id: zone))
        #expect(try await added === home.zones.first)
    }

    @Test func everyChangeOfALayoutByOthersHasItsMessage() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        _ = try app.home()
        let room = try hub.addRoom("Kitchen", in: id)
        try hub.change(RenameRoom(room, name: "Cuisine"), in: id)
        let zone = UUID()
        try hub.change(AddZone(id: zone, name: "Upstairs"), in: id)
        try hub.change(RenameZone(zone, name: "Above"), in: id)
        try hub.change(AddRoomToZone(room: room, zone: zone), in: id)
        try hub.change(RemoveRoomFromZone(room: room, zone: zone), in: id)
        let lamp = Devices.lamp("Lamp")
        try hub.addAccessories([lamp], in: id)
        try hub.change(MoveAccessory(lamp.id, room: room), in: id)
        try hub.change(RemoveRoom(room), in: id)
        try hub.change(RemoveZone(zone), in: id)
        try hub.change(RemoveAccessory(lamp.id), in: id)
        try hub.change(.renameHome(id, name: "Castle"))
        let expected = [
            "added room Kitchen of 1", "room name Cuisine", "added zone Upstairs", "zone name Above",
            #"Cuisine into Above ["Cuisine"]"#, "Cuisine out of Above []", "added accessory Lamp",
            "Lamp in Cuisine, true",
            "removed room Cuisine of 0", "Lamp in Default Room, true", "removed zone Above", "removed accessory Lamp",
            "home name Castle",
        ]
        for note in expected { #expect(try await app.recorder.next() == note) }
    }

    @Test func ownChangesAreToldByNoDelegate() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let room = try hub.addRoom("Kitchen", in: id, isMine: true)
        try hub.change(RenameRoom(room, name: "Cuisine"), in: id, isMine: true)
        let zone = UUID()
        try hub.change(AddZone(id: zone, name: "Upstairs"), in: id, isMine: true)
        try hub.change(AddRoomToZone(room: room, zone: zone), in: id, isMine: true)
        let lamp = Devices.lamp("Lamp")
        try hub.change(AddAccessories([lamp], server: "A", name: nil, room: nil), in: id, isMine: true)
        try hub.change(MoveAccessory(lamp.id, room: room), in: id, isMine: true)
        try hub.change(RemoveRoom(room), in: id, isMine: true)
        try hub.change(.renameHome(id, name: "Castle"), isMine: true)
        let second = try hub.addHome("Hut", isMine: true)
        try hub.change(.setPrimaryHome(second), isMine: true)
        try hub.change(.removeHome(second), isMine: true)
        try hub.addRoom("Hall", in: id)
        #expect(try await app.recorder.next() == "added room Hall of 1")
        #expect(home.name == "Castle")
        #expect(home.zones.map(\.rooms.count) == [0])
    }

    @Test func homesOfOthersComeAndGo() async throws {
        let hub = ScriptedHub()
        let first = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let villa = try app.home()
        let second = try hub.addHome("Hut")
        #expect(try await app.recorder.next() == "added home Hut of 2")
        let hut = try #require(app.manager.homes.last)
        hut.delegate = app.recorder
        try hub.addRoom("Cellar", in: second)
        #expect(try await app.recorder.next() == "added room Cellar of 1")
        try hub.change(.setPrimaryHome(second))
        #expect(try await app.recorder.next() == "primary Hut")
        #expect(hut.isPrimary)
        #expect(!villa.isPrimary)
        let cellar = try #require(hut.rooms.first)
        try hub.change(.removeHome(second))
        #expect(try await app.recorder.next() == "removed home Hut of 1")
        #expect(try await app.recorder.next() == "primary Villa")
        #expect(app.manager.homes.map(\.uniqueIdentifier) == [first])
        #expect(hut.name == "Hut")
        #expect(!hut.isPrimary)
        #expect(hut.rooms.isEmpty)
        #expect(cellar.name == "Cellar")
    }

    @Test func theDefaultRoomIsNotAmongTheRooms() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let room = home.roomForEntireHome()
        #expect(room.name == "Default Room")
        #expect(home.rooms.isEmpty)
        #expect(room === home.roomForEntireHome())
        #expect(room.uniqueIdentifier == hub.home(id)?.defaultRoom)
        #expect(room.accessories.map(\.name) == ["Lamp"])
        #expect(home.accessories.first?.room === room)
    }

    @Test func objectsAreTheSameWhileNothingChanges() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let kitchen = try hub.addRoom("Kitchen", in: id)
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let room = try #require(home.rooms.first)
        let lamp = try #require(home.accessories.first)
        let characteristic = try lamp.characteristic(HMCharacteristicTypePowerState)
        try hub.change(RenameRoom(kitchen, name: "Cuisine"), in: id)
        #expect(try await app.recorder.next() == "room name Cuisine")
        #expect(app.manager.homes.first === home)
        #expect(home.rooms.first === room)
        #expect(home.accessories.first === lamp)
        #expect(lamp.home === home)
        #expect(try lamp.characteristic(HMCharacteristicTypePowerState) === characteristic)
        #expect(characteristic.service?.accessory === lamp)
        #expect(Set(home.rooms).contains(room))
    }

    @Test func aRemovedObjectShowsWhatItLastWas() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let kitchen = try hub.addRoom("Kitchen", in: id)
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let room = try #require(try app.home().rooms.first)
        let lamp = try app.accessory("Lamp")
        let power = try lamp.characteristic(HMCharacteristicTypePowerState)
        let identity = power.uniqueIdentifier
        try hub.change(MoveAccessory(lamp.uniqueIdentifier, room: kitchen), in: id)
        try hub.change(RemoveAccessory(lamp.uniqueIdentifier), in: id)
        try hub.change(RemoveRoom(kitchen), in: id)
        for note in ["Lamp in Kitchen, true", "removed accessory Lamp", "removed room Kitchen of 0"] {
            #expect(try await app.recorder.next() == note)
        }
        #expect(room.name == "Kitchen")
        #expect(room.accessories.isEmpty)
        #expect(lamp.name == "Lamp")
        #expect(lamp.room == nil)
        #expect(lamp.home == nil)
        #expect(!lamp.isReachable)
        #expect(try lamp.characteristic(HMCharacteristicTypePowerState) === power)
        #expect(power.characteristicType == HMCharacteristicTypePowerState)
        #expect(power.uniqueIdentifier == identity)
        #expect(await code { try await lamp.updateName("Light") } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await power.readValue() } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await app.home().removeRoom(room) } == .objectNotAssociatedToAnyHome)
    }

    @Test func objectsOfAnotherHomeAreRefused() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        let hut = try hub.addHome("Hut")
        try hub.addRoom("Kitchen", in: villa)
        try hub.change(AddZone(id: UUID(), name: "Upstairs"), in: villa)
        try hub.addRoom("Cellar", in: hut)
        try hub.addAccessories([Devices.lamp("Lamp")], in: hut)
        let app = try await App(on: hub)
        let home = try app.home()
        let zone = try #require(home.zones.first)
        let kitchen = try #require(home.rooms.first)
        let other = try #require(app.manager.homes.last)
        let cellar = try #require(other.rooms.first)
        let lamp = try #require(other.accessories.first)
        #expect(await code { try await home.removeRoom(cellar) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await zone.addRoom(cellar) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await home.removeAccessory(lamp) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await home.addAccessory(lamp) } == .objectAssociatedToAnotherHome)
        #expect(await code { try await other.addAccessory(lamp) } == .objectAlreadyAssociatedToHome)
        #expect(await code { try await other.assignAccessory(lamp, to: kitchen) } == .objectAssociatedToAnotherHome)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func aTakenNameIsTheHomesOrAmongHomes() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let taken = HubError.Code(rawValue: HomeError.Code.nameTaken.rawValue)
        async let room = code { _ = try await home.addRoom(named: "Kitchen") }
        try await app.request(HubMethods.addRoom).request.refuse(taken, "The name is taken by a zone.")
        #expect(await room == .objectWithSimilarNameExistsInHome)
        async let added = code { _ = try await app.manager.addHome(named: "Villa") }
        try await app.request(HubMethods.addHome).request.refuse(taken)
        #expect(await added == .homeWithSimilarNameExists)
        async let renamed = code { try await home.updateName("Hut") }
        try await app.request(HubMethods.renameHome).request.refuse(taken)
        #expect(await renamed == .homeWithSimilarNameExists)
    }

    @Test func aChangeOfANewerHubIsFollowedThoughItHasNoMessage() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let room = RoomRecord(id: UUID(), name: "Conjured")
        let change = Change(verb: Verb(rawValue: "roomConjured"), subjects: [], effects: [.put(.room(room))])
        hub.tell(.change(LogChange(home: id, lineage: hub.lineage, revision: 9, change: change, isMine: false)))
        // Known verbs with missing subjects are ignored.
        for verb in [Verb.roomAdded, .zoneRoomAdded, .accessoryMoved, .serviceRenamed, .accessoryRenamed] {
            let change = Change(verb: verb, subjects: [], effects: [])
            hub.tell(.change(LogChange(home: id, lineage: hub.lineage, revision: 9, change: change, isMine: false)))
        }
        try hub.addRoom("Hall", in: id)
        #expect(try await app.recorder.next() == "added room Hall of 2")
        #expect(home.rooms.map(\.name) == ["Conjured", "Hall"])
    }
}
