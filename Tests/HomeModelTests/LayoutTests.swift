import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct LayoutTests {
    @Test func aNewHomeHasItsOwnerAndTheDefaultRoomOnly() {
        let id = UUID()
        let room = UUID()
        let owner = UserRecord(id: UUID(), name: "Ann", role: .owner)
        var home = Home(id: id)
        home.apply(Home.creation(id: id, defaultRoom: room, owner: owner))
        #expect(home.defaultRoom == room)
        #expect(home.roomName(room) == "Default Room")
        #expect(Array(home.users) == [owner])
        #expect(home.rooms.isEmpty && home.zones.isEmpty && home.accessories.isEmpty)
    }

    // MARK: Rooms

    @Test func aRoomIsAdded() throws {
        var test = TestHome()
        let id = UUID()
        let change = try test.ask(AddRoom(id: id, name: "Kids' Room"))
        #expect(change?.verb == .roomAdded)
        #expect(change?.subjects == [id])
        #expect(Array(test.home.rooms) == [RoomRecord(id: id, name: "Kids' Room")])
        #expect(test.home.roomName(id) == "Kids' Room")
    }

    @Test func anIdentityIsUsedOnce() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        for id in [room, zone, lamp, test.owner.user, test.home.id, test.home.defaultRoom] {
            #expect(test.refusal(of: AddRoom(id: id, name: "Study")) == .alreadyAdded)
            #expect(test.refusal(of: AddZone(id: id, name: "Study")) == .alreadyAdded)
        }
    }

    @Test func aRemovedRoomLeavesItsZonesAndItsAccessoriesGoToTheDefaultRoom() throws {
        var test = TestHome()
        let kitchen = try test.addRoom("Kitchen")
        let study = try test.addRoom("Study")
        let zone = try test.addZone("Downstairs")
        try test.ask(AddRoomToZone(room: kitchen, zone: zone))
        try test.ask(AddRoomToZone(room: study, zone: zone))
        let first = try test.addLamp("Lamp", server: "A")
        let second = try test.addLamp("Lamp", server: "B")
        let elsewhere = try test.addLamp("Lamp", server: "C")
        for lamp in [first, second] { try test.ask(MoveAccessory(lamp, room: kitchen)) }

        let change = try test.ask(RemoveRoom(kitchen))

        #expect(change?.verb == .roomRemoved)
        #expect(change?.subjects == [kitchen, first, second])
        #expect(test.home.rooms.map(\.id) == [study])
        #expect(test.home.zones[id: zone]?.rooms == [study])
        #expect(test.home.accessories(inRoom: kitchen) == [])
        #expect(test.home.accessories(inRoom: test.home.defaultRoom).map(\.id) == [first, second, elsewhere])
    }

    @Test func aRoomIsRenamedAndKeepsItsPlace() throws {
        var test = TestHome()
        let first = try test.addRoom("One")
        let second = try test.addRoom("Two")
        let change = try test.ask(RenameRoom(first, name: "Three"))
        #expect(change?.verb == .roomRenamed)
        #expect(test.home.rooms.map(\.id) == [first, second])
        #expect(test.home.rooms.map(\.name) == ["Three", "Two"])
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "One")) == nil)
    }

    @Test func theDefaultRoomIsFixed() throws {
        var test = TestHome()
        let zone = try test.addZone("Downstairs")
        let room = test.home.defaultRoom
        #expect(test.refusal(of: RemoveRoom(room)) == .defaultRoomFixed)
        #expect(test.refusal(of: RenameRoom(room, name: "Everywhere")) == .defaultRoomFixed)
        #expect(test.refusal(of: AddRoomToZone(room: room, zone: zone)) == .defaultRoomNotInZone)
        #expect(test.refusal(of: RemoveRoomFromZone(room: room, zone: zone)) == .notInZone)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "default room")) == .nameTaken)
    }

    // MARK: Zones

    @Test func aZoneIsAddedRenamedAndRemovedWithoutItsRooms() throws {
        var test = TestHome()
        let kitchen = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        try test.ask(AddRoomToZone(room: kitchen, zone: zone))
        #expect(try test.ask(RenameZone(zone, name: "Downstairs"))?.verb == .zoneRenamed)
        #expect(Array(test.home.zones) == [ZoneRecord(id: zone, name: "Downstairs", rooms: [kitchen])])
        #expect(try test.ask(RemoveZone(zone))?.verb == .zoneRemoved)
        #expect(test.home.zones.isEmpty)
        #expect(test.home.rooms.map(\.id) == [kitchen])
    }

    @Test func aRoomIsInAsManyZonesAsOneLikesAndInEachOnce() throws {
        var test = TestHome()
        let room = try test.addRoom("Bedroom")
        let up = try test.addZone("Upstairs")
        let bedrooms = try test.addZone("Bedrooms")
        for zone in [up, bedrooms] {
            #expect(test.refusal(of: RemoveRoomFromZone(room: room, zone: zone)) == .notInZone)
            let change = try test.ask(AddRoomToZone(room: room, zone: zone))
            #expect(change?.verb == .zoneRoomAdded)
            #expect(change?.subjects == [zone, room])
            #expect(test.refusal(of: AddRoomToZone(room: room, zone: zone)) == .alreadyInZone)
        }
        #expect(try test.ask(RemoveRoomFromZone(room: room, zone: up))?.verb == .zoneRoomRemoved)
        #expect(test.home.zones.map(\.rooms) == [[], [room]])
    }

    // MARK: Names

    @Test func aNameIsUniqueInTheWholeHome() throws {
        var test = TestHome()
        let room = try test.addRoom("Room Name")
        let zone = try test.addZone("Zone Name")
        let lamp = try test.addLamp("Lamp Name")
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "Service Name"))
        let other = try test.addLamp("Other Lamp", server: "B")
        let group = try test.addGroup("Group Name")
        let scene = try test.addActionSet("Scene Name")
        let trigger = try test.addTrigger("Trigger Name", .timer(in: 60))
        for taken in [
            "ROOMNAME", "zone name", "Lamp Name", "Service' Name", "Default Room", "GROUP name", "scenename",
            "trigger’name", "good night",
        ] {
            #expect(test.refusal(of: AddServiceGroup(id: UUID(), name: taken)) == .nameTaken)
            #expect(test.refusal(of: AddActionSet(id: UUID(), name: taken)) == .nameTaken)
            #expect(test.refusal(of: AddTrigger(id: UUID(), name: taken, .timer(in: 60))) == .nameTaken)
            #expect(test.refusal(of: AddRoom(id: UUID(), name: taken)) == .nameTaken)
            #expect(test.refusal(of: AddZone(id: UUID(), name: taken)) == .nameTaken)
            #expect(test.refusal(of: RenameAccessory(other, name: taken)) == .nameTaken)
            #expect(test.refusal(of: RenameService(accessory: other, iid: 10, name: taken)) == .nameTaken)
            let candidate = AccessoryCandidate.lamp("Third")
            let addition = AddAccessories([candidate], server: "C", name: taken, room: nil)
            #expect(test.refusal(of: addition) == .nameTaken)
        }
        #expect(test.refusal(of: RenameRoom(room, name: "zone name")) == .nameTaken)
        #expect(test.refusal(of: RenameZone(zone, name: "room name")) == .nameTaken)
        #expect(test.refusal(of: RenameServiceGroup(group, name: "room name")) == .nameTaken)
        #expect(test.refusal(of: RenameActionSet(scene, name: "room name")) == .nameTaken)
        #expect(test.refusal(of: RenameTrigger(trigger, name: "room name")) == .nameTaken)
    }

    @Test func anErrorTellsWhoHasTheName() throws {
        var test = TestHome()
        let holders: [(HomeError.Subject.Kind, UUID, String)] = [
            (.room, try test.addRoom("Kitchen"), "the room “Kitchen”"),
            (.room, test.home.defaultRoom, "the default room"),
            (.zone, try test.addZone("Upstairs"), "the zone “Upstairs”"),
            (.accessory, try test.addLamp("Lamp"), "the accessory “Lamp”"),
            (.group, try test.addGroup("Lights"), "the service group “Lights”"),
            (.scene, try test.addActionSet("Dinner"), "the scene “Dinner”"),
            (.trigger, try test.addTrigger("Evening", .timer(in: 60)), "the automation “Evening”"),
        ]
        for (kind, id, words) in holders {
            let name = words.split(separator: "“").last.map { $0.dropLast() } ?? ""
            let asked = kind == .room && id == test.home.defaultRoom ? "DEFAULT ROOM" : name.uppercased()
            let error = #expect(throws: HomeError.self) { try test.ask(AddRoom(id: UUID(), name: asked)) }
            #expect(error?.reason.contains(words) == true)
            #expect(error?.name == asked && error?.subjects.count == 1)
            #expect(error?.subjects.first?.kind == kind && error?.subjects.first?.id == id)
            #expect(error?.subjects.first?.name?.uppercased() == asked)
        }
    }

    @Test func anErrorInANameTellsWhatIsWrongWithIt() throws {
        var test = TestHome()
        func error(_ name: String) -> HomeError? {
            #expect(throws: HomeError.self) { try test.ask(AddRoom(id: UUID(), name: name)) }
        }
        #expect(error("Kitchen!")?.character == "!" && error("'Kitchen")?.character == "'")
        #expect(error("Kitchen ")?.character == " " && error("Kitchen ")?.name == "Kitchen ")
        #expect(error(String(repeating: "a", count: 65))?.limit == 64)
    }

    @Test func aThingMayBeGivenItsOwnNameInAnotherForm() throws {
        var test = TestHome()
        let room = try test.addRoom("Kids Room")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "Bulb"))
        try test.ask(RenameRoom(room, name: "Kids' Room"))
        try test.ask(RenameZone(zone, name: "UpStairs"))
        try test.ask(RenameAccessory(lamp, name: "LAMP"))
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "bulb"))
        #expect(test.home.rooms[id: room]?.name == "Kids' Room")
        #expect(test.home.zones[id: zone]?.name == "UpStairs")
        #expect(test.home.accessories[id: lamp]?.name == "LAMP")
        #expect(test.home.accessories[id: lamp]?.serviceNames == [10: "bulb"])
    }

    @Test func whatIsSoAlreadyIsNoChange() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "Bulb"))
        #expect(try test.ask(RenameRoom(room, name: "Kitchen")) == nil)
        #expect(try test.ask(RenameZone(zone, name: "Upstairs")) == nil)
        #expect(try test.ask(RenameAccessory(lamp, name: "Lamp")) == nil)
        #expect(try test.ask(RenameService(accessory: lamp, iid: 10, name: "Bulb")) == nil)
        #expect(try test.ask(MoveAccessory(lamp, room: test.home.defaultRoom)) == nil)
    }

    @Test(
        arguments: [
            "", "Kitchen!", " Kitchen", "Kitchen ", String(repeating: "a", count: 65),
            String(repeating: "a", count: 500_000), String(repeating: "e\u{301}", count: 500_000),
        ]
    )
    func anIllFormedNameIsRefusedEverywhere(_ name: String) throws {
        var test = TestHome()
        let room = try test.addRoom("Room")
        let zone = try test.addZone("Zone")
        let lamp = try test.addLamp("Lamp")
        let group = try test.addGroup("Group")
        let scene = try test.addActionSet("Scene")
        let trigger = try test.addTrigger("Trigger", .timer(in: 60))
        let requests: [any HomeRequest] = [
            AddRoom(id: UUID(), name: name), RenameRoom(room, name: name), AddZone(id: UUID(), name: name),
            RenameZone(zone, name: name), RenameAccessory(lamp, name: name),
            RenameService(accessory: lamp, iid: 10, name: name),
            AddAccessories([.lamp("Other")], server: "B", name: name, room: nil),
            AddServiceGroup(id: UUID(), name: name), RenameServiceGroup(group, name: name),
            AddActionSet(id: UUID(), name: name), RenameActionSet(scene, name: name),
            AddTrigger(id: UUID(), name: name, .timer(in: 60)), RenameTrigger(trigger, name: name),
        ]
        for request in requests {
            #expect(test.refusal(of: request)?.rawValue.hasPrefix("name") == true)
        }
    }

    // MARK: IDs, roles, limits

    @Test func unknownIdentitiesAreNotFound() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        for request in Self.requests(room: UUID(), zone: UUID(), accessory: UUID()) {
            #expect(test.refusal(of: request) == .notFound)
        }
        #expect(test.refusal(of: AddRoomToZone(room: UUID(), zone: zone)) == .notFound)
        #expect(test.refusal(of: RemoveRoomFromZone(room: UUID(), zone: zone)) == .notFound)
        #expect(test.refusal(of: AddRoomToZone(room: room, zone: UUID())) == .notFound)
        #expect(test.refusal(of: MoveAccessory(lamp, room: UUID())) == .notFound)
        #expect(test.refusal(of: RenameService(accessory: lamp, iid: 99, name: "Bulb")) == .notFound)
        #expect(test.refusal(of: RenameService(accessory: lamp, iid: 11, name: "Bulb")) == .notFound)
        let addition = AddAccessories([.lamp("B")], server: "B", name: nil, room: UUID())
        #expect(test.refusal(of: addition) == .notFound)
    }

    @Test func onlyOwnerAndAdministratorsMayChangeTheLayout() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        for request in Self.requests(room: room, zone: zone, accessory: lamp) {
            #expect(test.refusal(of: request, by: test.owner) == test.refusal(of: request, by: test.administrator))
            #expect(test.refusal(of: request, by: test.guest) == .insufficientPrivileges)
            #expect(test.refusal(of: request, by: test.nonMember) == .insufficientPrivileges)
        }
    }

    @Test func aGuestLearnsNothingFromTheAnswer() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let zone = try test.addZone("Upstairs")
        let lamp = try test.addLamp("Lamp")
        let known = Self.requests(room: room, zone: zone, accessory: lamp)
        let unknown = Self.requests(room: UUID(), zone: UUID(), accessory: UUID())
        for (known, unknown) in zip(known, unknown) {
            #expect(throws: self.error(test, known)) {
                try test.home.decide(unknown, by: test.guest, at: TestHome.time)
            }
        }
    }

    @Test func aRoleOfANewerVersionMayNotChangeTheLayout() {
        var test = TestHome()
        let user = UserRecord(id: test.nonMember.user, name: "Dee", role: Role(rawValue: "resident"))
        test.home.apply(Change(verb: .homeCreated, subjects: [], effects: [.put(.user(user))]))
        #expect(
            test.refusal(of: AddRoom(id: UUID(), name: "Den"), by: test.nonMember) == .insufficientPrivileges
        )
    }

    @Test func aHomeHasItsLimitOfRoomsAndZonesAndNotOneMore() throws {
        var test = TestHome()
        for number in 1...HomeLimits.roomsPerHome { _ = try test.addRoom("Room \(number)") }
        let excess = #expect(throws: HomeError.self) { try test.ask(AddRoom(id: UUID(), name: "Room")) }
        #expect(excess?.code == .limitExceeded && excess?.limit == HomeLimits.roomsPerHome)
        for number in 1...HomeLimits.zonesPerHome { _ = try test.addZone("Zone \(number)") }
        #expect(test.refusal(of: AddZone(id: UUID(), name: "Zone")) == .limitExceeded)
        #expect(test.home.rooms.count == HomeLimits.roomsPerHome)
    }

    private func error(_ test: TestHome, _ request: any HomeRequest) -> HomeError {
        do throws(HomeError) {
            _ = try test.home.decide(request, by: test.guest, at: TestHome.time)
            return HomeError(HomeError.Code(rawValue: "none"), "")
        } catch {
            return error
        }
    }

    private static func requests(room: UUID, zone: UUID, accessory: UUID) -> [any HomeRequest] {
        [
            RemoveRoom(room), RenameRoom(room, name: "Den"), RemoveZone(zone), RenameZone(zone, name: "Den"),
            AddRoomToZone(room: room, zone: zone), RemoveRoomFromZone(room: room, zone: zone),
            RemoveAccessory(accessory), RenameAccessory(accessory, name: "Den"),
            BlockAccessory(accessory), UnblockAccessory(accessory),
            MoveAccessory(accessory, room: room), RenameService(accessory: accessory, iid: 10, name: "Den"),
            UpdateAccessories([.lamp("Lamp")], server: "unknown"),
            SetAssociatedType(nil, accessory: accessory, iid: 10), RemoveServiceGroup(zone),
            RenameServiceGroup(zone, name: "Den"),
            AddServiceToGroup(ServiceIdentity(accessory: accessory, service: room), group: zone),
            RemoveServiceFromGroup(ServiceIdentity(accessory: accessory, service: room), group: zone),
            RemoveActionSet(zone), RenameActionSet(zone, name: "Den"), RemoveAction(room, actionSet: zone),
            SetActionValue(.bool(true), action: room, actionSet: zone),
            AddOwnedActionSet(id: UUID(), trigger: zone), RemoveTrigger(zone), RenameTrigger(zone, name: "Den"),
            EditTrigger(zone, .recurrence(nil)), AddActionSetToTrigger(actionSet: room, trigger: zone),
            RemoveActionSetFromTrigger(actionSet: room, trigger: zone), EnableTrigger(zone, true),
            RemoveUser(zone), SetRole(.guest, of: zone),
        ]
    }
}
