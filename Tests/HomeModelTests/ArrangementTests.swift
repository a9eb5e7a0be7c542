import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// The order of rooms and services, and how services and scenes are shown.
@Suite struct ArrangementTests {
    private static func tiles(_ test: TestHome, _ room: UUID) -> [ServiceIdentity] {
        test.home.tiles(inRoom: room).map { test.service($0.service.iid, of: $0.accessory.id) }
    }

    @Test func roomsHaveAnOrderAndNewOnesFollow() throws {
        var test = TestHome()
        let rooms = try ["Attic", "Bath", "Cellar"].map { name throws(HomeError) in try test.addRoom(name) }
        #expect(try test.ask(ReorderRoom(rooms[2], before: rooms[0]))?.verb == .roomOrderChanged)
        #expect(test.home.orderedRooms.map(\.name) == ["Cellar", "Attic", "Bath"])
        #expect(try test.ask(ReorderRoom(rooms[2], before: rooms[0])) == nil)
        _ = try test.addRoom("Den")
        #expect(try test.ask(ReorderRoom(rooms[0], before: nil)) != nil)
        #expect(test.home.orderedRooms.map(\.name) == ["Cellar", "Bath", "Den", "Attic"])
        try test.ask(RemoveRoom(rooms[1]))
        #expect(test.home.orderedRooms.map(\.name) == ["Cellar", "Den", "Attic"])
        #expect(test.home.orders[id: test.home.id]?.rooms.contains(rooms[1]) == false)
        // The order of the API stays that in which the rooms were added.
        #expect(test.home.rooms.map(\.name) == ["Attic", "Cellar", "Den"])
        #expect(test.refusal(of: ReorderRoom(test.home.defaultRoom, before: nil)) == .defaultRoomFixed)
        #expect(test.refusal(of: ReorderRoom(rooms[0], before: rooms[1])) == .notFound)
        #expect(test.refusal(of: ReorderRoom(rooms[0], before: nil), by: test.guest) == .insufficientPrivileges)
    }

    @Test func servicesHaveAnOrderInTheirRoom() throws {
        var test = TestHome()
        let (lamp, fan) = (try test.addGadget("Lamp", server: "A"), try test.addGadget("Fan", server: "B"))
        let room = test.home.defaultRoom
        let before = Self.tiles(test, room)
        let (first, last) = (before[0], try #require(before.last))
        #expect(try test.ask(ReorderService(last, before: first))?.subjects == [fan, last.service])
        #expect(Self.tiles(test, room) == [last] + before.dropLast())
        try test.ask(ReorderService(last, before: nil))
        #expect(Self.tiles(test, room) == before)
        try test.ask(ReorderService(last, before: first))

        let attic = try test.addRoom("Attic")
        try test.ask(MoveAccessory(lamp, room: attic))
        #expect(test.refusal(of: ReorderService(first, before: last)) == .invalidParameter)
        #expect(Self.tiles(test, room).first == last)
        // An accessory that returns to a room is where it was.
        try test.ask(MoveAccessory(lamp, room: room))
        #expect(Self.tiles(test, room) == [last] + before.dropLast())
        try test.ask(RemoveAccessory(fan))
        #expect(test.home.orders[id: room]?.services.contains { $0.accessory == fan } == false)
        try test.ask(RemoveAccessory(lamp))
        #expect(test.home.orders.isEmpty)
        #expect(test.refusal(of: ReorderService(first, before: nil)) == .notFound)
    }

    @Test func theOrderOfARoomEndsWithTheRoom() throws {
        var test = TestHome()
        let lamp = try test.addGadget("Lamp")
        let attic = try test.addRoom("Attic")
        try test.ask(MoveAccessory(lamp, room: attic))
        try test.ask(ReorderService(try #require(Self.tiles(test, attic).last), before: Self.tiles(test, attic)[0]))
        #expect(test.home.orders.contains(id: attic))
        try test.ask(RemoveRoom(attic))
        #expect(test.home.orders.isEmpty)
    }

    @Test func aRoomWithMoreServicesThanTheLimitIsNotOrdered() throws {
        var test = TestHome()
        let most = (0..<HomeLimits.orderedServicesPerRoom).map { AccessoryCandidate.lamp("Lamp", aid: UInt64($0 + 2)) }
        try test.ask(AddAccessories([.bridge("Bridge")] + most, server: "A", name: nil, room: nil))
        let services = Self.tiles(test, test.home.defaultRoom)
        try #require(services.count == HomeLimits.orderedServicesPerRoom)
        let request = ReorderService(services[0], before: nil)
        #expect(test.refusal(of: request) == nil)
        _ = try test.addLamp("One More", server: "B")
        #expect(test.refusal(of: request) == .limitExceeded)
    }

    @Test func aServiceIsHiddenAndAsksFirstUntilItIsSetBack() throws {
        var test = TestHome()
        let lamp = try test.addGadget("Lamp")
        #expect(try test.ask(SetServiceHidden(true, accessory: lamp, iid: 30))?.verb == .serviceDisplayChanged)
        #expect(try test.ask(SetServiceAsksFirst(true, accessory: lamp, iid: 10)) != nil)
        #expect(try test.ask(SetServiceAsksFirst(true, accessory: lamp, iid: 10)) == nil)
        let record = try #require(test.home.accessories[id: lamp])
        #expect(record.hiddenServices == [30] && record.servicesAskingFirst == [10])
        let json = try CanonicalJSON.encode(Record.accessory(record))
        #expect(try CanonicalJSON.decode(Record.self, from: json) == .accessory(record))
        try test.ask(SetServiceHidden(false, accessory: lamp, iid: 30))
        try test.ask(SetServiceAsksFirst(false, accessory: lamp, iid: 10))
        #expect(test.home.accessories[id: lamp]?.hiddenServices == [])
        #expect(test.refusal(of: SetServiceHidden(true, accessory: lamp, iid: 99)) == .notFound)
        let request = SetServiceAsksFirst(true, accessory: lamp, iid: 10)
        #expect(test.refusal(of: request, by: test.guest) == .insufficientPrivileges)
    }

    @Test func whatUsersChoseFollowsAServiceThatWasRenumbered() throws {
        var test = TestHome()
        let lamp = try test.addLamp("Lamp", server: "A")
        try test.ask(SetServiceHidden(true, accessory: lamp, iid: 10))
        try test.ask(SetServiceAsksFirst(true, accessory: lamp, iid: 10))
        var moved = AccessoryCandidate.lamp("Lamp")
        moved.services = [.information, .lightbulb(iid: 20)]
        try test.ask(UpdateAccessories([moved], server: "A"))
        let record = try #require(test.home.accessories[id: lamp])
        #expect(record.hiddenServices == [20] && record.servicesAskingFirst == [20])
    }

    @Test func aSceneHasAnIconOfTheList() throws {
        var test = TestHome()
        let evening = try test.addActionSet("Evening")
        #expect(try test.ask(SetSceneIcon(SceneIcon(rawValue: "moon"), of: evening))?.verb == .actionSetIconChanged)
        #expect(test.home.actionSet(evening)?.icon?.rawValue == "moon")
        #expect(test.refusal(of: SetSceneIcon(SceneIcon(rawValue: "skull"), of: evening)) == .invalidParameter)
        #expect(test.refusal(of: SetSceneIcon(nil, of: UUID())) == .notFound)
        // A built-in scene has a record from then on.
        let builtIn = test.home.actionSets[0].id
        try test.ask(SetSceneIcon(SceneIcon(rawValue: "leave"), of: builtIn))
        #expect(test.home.actionSets[0].icon?.rawValue == "leave")
        try test.ask(SetSceneIcon(nil, of: evening))
        #expect(test.home.actionSet(evening)?.icon == nil)
        #expect(Set(SceneIcon.choices).count == SceneIcon.choices.count)
    }

    @Test func anExportCarriesTheArrangementToTheSameDevicesPairedAnew() throws {
        var source = TestHome()
        let lamp = try source.addGadget("Lamp", server: "A")
        let rooms = try ["Attic", "Bath"].map { name throws(HomeError) in try source.addRoom(name) }
        try source.ask(ReorderRoom(rooms[1], before: rooms[0]))
        try source.ask(SetServiceHidden(true, accessory: lamp, iid: 30))
        try source.ask(SetServiceAsksFirst(true, accessory: lamp, iid: 10))
        let evening = try source.addActionSet("Evening")
        try source.ask(SetSceneIcon(SceneIcon(rawValue: "sunset"), of: evening))
        let tiles = Self.tiles(source, source.home.defaultRoom)
        try source.ask(ReorderService(try #require(tiles.last), before: tiles[0]))
        let favorites = [Favorite.actionSet(evening), .service(source.service(10, of: lamp))]

        var target = TestHome(like: source.home)
        let again = try target.addGadget("Lamp", server: "A")
        var account = Account(user: UUID())
        account.apply(try #require(try account.decide(.addHome(id: source.home.id, name: "Villa"))))
        account.apply(try #require(try account.decide(.addFavorites(favorites, in: source.home.id, before: nil))))
        let text = try HomeExport(account: account, homes: [source.home]).text
        let exported = try #require(try HomeExport.homes(in: Data(text.utf8)).first)
        let outcome = try target.home.decideImport(of: exported, by: target.owner, at: TestHome.time)
        target.home.apply(try #require(outcome.change))
        HomeInvariants.expect(target.home)
        #expect(target.home.orderedRooms.map(\.name) == ["Bath", "Attic"])
        #expect(target.home.accessories[id: again]?.hiddenServices == [30])
        #expect(target.home.accessories[id: again]?.servicesAskingFirst == [10])
        #expect(target.home.actionSet(evening)?.icon?.rawValue == "sunset")
        let order = Self.tiles(target, target.home.defaultRoom).map(\.service)
        let iids = target.home.tiles(inRoom: target.home.defaultRoom).map(\.service.iid)
        #expect(iids == source.home.tiles(inRoom: source.home.defaultRoom).map(\.service.iid) && !order.isEmpty)
        #expect(outcome.favorites == [.actionSet(evening), .service(target.service(10, of: again))])
        // A second import changes nothing.
        #expect(try target.home.decideImport(of: exported, by: target.owner, at: TestHome.time).change == nil)
    }
}
