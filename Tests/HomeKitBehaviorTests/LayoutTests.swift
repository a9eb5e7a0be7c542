import HomeKitTesting
import Synchronization
import Testing

/// Apps that edit the layout of a home.
struct LayoutTests {
    @Test(.tags(.ownReading))
    func changesAreThereWhenTheirCompletionsRun() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let own = try await home.app("A").home()
            let lamp = try #require(own.accessories.first)
            let seen = DelegateRecorder()
            own.addRoom(withName: "Study") { room, error in
                guard let room else { return seen.record("\(String(describing: error))") }
                seen.record("\(own.rooms.map(\.name)) \(own.rooms.first === room)")
                own.assignAccessory(lamp, to: room) { error in
                    seen.record("\(error == nil) \(lamp.room === room) \(room.accessories == [lamp])")
                    room.updateName("Library") { _ in seen.record(room.name) }
                }
            }
            let expected = [#"["Study"] true"#, "true true true", "Library"]
            try await home.until("all completions have run", is: expected) { seen.notes }
            let zone = try await own.addZone(named: "Upstairs")
            try await zone.addRoom(own.rooms[0])
            #expect(own.zones == [zone] && zone.rooms == own.rooms)
            try await own.removeRoom(own.rooms[0])
            #expect(own.rooms.isEmpty && zone.rooms.isEmpty)
            // Its accessory moves to the default room.
            #expect(lamp.room === own.roomForEntireHome())
        }
    }

    @Test func othersHearOfEachChangeAndItsAuthorDoesNot() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let (author, witness) = (DelegateRecorder(), DelegateRecorder())
            let own = try await home.app("A").home()
            let theirs = try await home.app("B").home()
            author.observe(own)
            witness.observe(theirs)
            let study = try await own.addRoom(named: "Study")
            try await own.assignAccessory(#require(own.accessories.first), to: study)
            try await own.accessories[0].updateName("Lamp")
            let zone = try await own.addZone(named: "Upstairs")
            try await zone.addRoom(study)
            try await own.removeAccessory(own.accessories[0])
            try await own.removeRoom(study)
            try await own.updateName("Castle")
            let expected = [
                "added room Study to 1", "Desk in Study", "renamed Lamp", "Study in zone Upstairs", "removed Lamp",
                "removed room Study of 0", "home Castle",
            ]
            try await home.until("the witness received everything", is: expected) { witness.notes }
            // The author is notified of the other app's change and of nothing before it.
            _ = try await theirs.addRoom(named: "Attic")
            try await home.until("the author is notified", is: ["added room Attic to 1"]) { author.notes }
            #expect(witness.notes == expected)
        }
    }

    @Test func theDefaultRoomCannotBeChanged() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let own = try await home.app("A").home()
            let room = own.roomForEntireHome()
            #expect(!own.rooms.contains(room))
            #expect(own.accessories.first?.room === room)
            #expect(room.accessories == own.accessories)
            let zone = try await own.addZone(named: "Upstairs")
            #expect(await code { try await zone.addRoom(room) } == .roomForHomeCannotBeInZone)
            #expect(await code { try await room.updateName("Elsewhere") } == .roomForHomeCannotBeUpdated)
            #expect(await code { try await own.removeRoom(room) } == .roomForHomeCannotBeUpdated)
        }
    }

    @Test(.tags(.ownReading))
    func theDefaultRoomIsCalledSo() async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            #expect(own.roomForEntireHome().name == "Default Room")
        }
    }

    @Test func aRoomMayBeInManyZones() async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            let room = try await own.addRoom(named: "Study")
            let zones = [try await own.addZone(named: "Upstairs"), try await own.addZone(named: "East Wing")]
            for zone in zones { try await zone.addRoom(room) }
            #expect(zones.map(\.rooms) == [[room], [room]])
        }
    }

    @Test(.tags(.ownReading))
    func aRoomIsInAZoneOnce() async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            let room = try await own.addRoom(named: "Study")
            let zone = try await own.addZone(named: "Upstairs")
            try await zone.addRoom(room)
            #expect(await code { try await zone.addRoom(room) } == .alreadyExists)
            #expect(zone.rooms == [room])
        }
    }

    @Test(arguments: [
        ("Kit/chen", HMError.Code.nameContainsProhibitedCharacters), ("'Kitchen", .nameDoesNotStartWithValidCharacters),
        ("Kitchen'", .nameDoesNotEndWithValidCharacters), ("LIVING ROOM", .objectWithSimilarNameExistsInHome),
        ("Living'room", .objectWithSimilarNameExistsInHome), ("upstairs", .objectWithSimilarNameExistsInHome),
    ])
    func namesAreWellFormedAndAreOneInTheHome(_ name: String, _ expected: HMError.Code) async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            _ = try await own.addRoom(named: "Living Room")
            _ = try await own.addZone(named: "Upstairs")
            #expect(await code { _ = try await own.addRoom(named: name) } == expected)
            #expect(own.rooms.count == 1)
        }
    }

    @Test func homesHaveANameSpaceOfTheirOwn() async throws {
        try await withTestHome(named: "Home 1") { home in
            let manager = home.app("A").manager
            let own = try await home.app("A").home()
            #expect(await code { _ = try await manager.addHome(named: "home1") } == .homeWithSimilarNameExists)
            _ = try await own.addRoom(named: "Home 1")
            #expect(own.rooms.map(\.name) == ["Home 1"])
        }
    }

    @Test func anAccessoryIsAloneABridgeOrBehindOne() async throws {
        try await withTestHome { home in
            _ = try await home.add(.bridge("Bridge", .lamp("Left"), .lamp("Right")), to: "Hall")
            _ = try await home.add(.lamp("Alone"))
            let app = home.app("A")
            let own = try await app.home()
            let (bridge, left) = (try await app.accessory("Bridge"), try await app.accessory("Left"))
            let alone = try await app.accessory("Alone")
            #expect(!bridge.isBridged && left.isBridged && !alone.isBridged)
            let behind: Set = [left.uniqueIdentifier, try await app.accessory("Right").uniqueIdentifier]
            #expect(bridge.uniqueIdentifiersForBridgedAccessories?.count == 2)
            #expect(bridge.uniqueIdentifiersForBridgedAccessories.map(Set.init) == behind)
            #expect(left.uniqueIdentifiersForBridgedAccessories == nil)
            #expect(alone.uniqueIdentifiersForBridgedAccessories == nil)
            #expect(await code { try await own.removeAccessory(left) } == .cannotRemoveNonBridgeAccessory)
            // Moving the bridge doesn't move its bridged accessories.
            let (before, attic) = (left.room, try await own.addRoom(named: "Attic"))
            try await own.assignAccessory(bridge, to: attic)
            #expect(bridge.room === attic && left.room === before)
            try await own.removeAccessory(bridge)
            #expect(own.accessories == [alone])
        }
    }

    @Test func servicesOfATypeThatNobodyHasAreNil() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let own = try await home.app("A").home()
            #expect(own.servicesWithTypes([HMServiceTypeThermostat]) == nil)
            #expect(own.servicesWithTypes([])?.isEmpty == nil)
            let lights = own.servicesWithTypes([HMServiceTypeLightbulb, HMServiceTypeThermostat])
            #expect(lights?.map(\.accessory) == own.accessories)
        }
    }

    @Test func aGuestMayUseAndSeeAndChangesNoLayout() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"), to: "Study")
            let app = try await home.guest("Ann").app("A")
            let own = try await app.home()
            let accessory = try await app.accessory("Desk")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let recorder = DelegateRecorder()
            accessory.delegate = recorder
            try await accessory.identify()
            try await power.writeValue(true)
            try await power.readValue()
            try await power.enableNotification(true)
            try await lamp.set(\.on, to: false)
            try await home.until("the guest is notified", is: ["Desk Power State 0"]) { recorder.notes }
            let room = try #require(own.rooms.first)
            let refused: [(String, () async throws -> Void)] = [
                ("add a room", { _ = try await own.addRoom(named: "Attic") }),
                ("add a zone", { _ = try await own.addZone(named: "Upstairs") }),
                ("rename a room", { try await room.updateName("Attic") }),
                ("remove a room", { try await own.removeRoom(room) }),
                ("move", { try await own.assignAccessory(accessory, to: own.roomForEntireHome()) }),
                ("rename", { try await accessory.updateName("Lamp") }),
                ("remove", { try await own.removeAccessory(accessory) }),
            ]
            for (what, body) in refused { #expect(await code(body) == .insufficientPrivileges, "\(what)") }
            #expect(own.rooms == [room] && accessory.name == "Desk" && accessory.room === room)
        }
    }

    @Test func aRenamedAccessoryKeepsItsOwnName() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let app = home.app("A")
            let accessory = try await app.accessory("Desk")
            try await accessory.updateName("Kid's Night Light")
            #expect(accessory.name == "Kid's Night Light")
            let own = try await app.characteristic(HMCharacteristicTypeName, of: accessory.name)
            try await own.readValue()
            #expect(own.value as? String == "Desk")
        }
    }
}
