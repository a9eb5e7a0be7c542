import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// Importing exports into homes.
@Suite struct ImportTests {
    /// A home with every kind of object and two gadgets, one of which is renamed and moved.
    private struct PopulatedHome {
        var test = TestHome()
        var lamp = UUID()
        var fan = UUID()
        var attic = UUID()
        var scene = UUID()
        var group = UUID()
        var trigger = UUID()

        init(_ servers: [String] = ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]) throws {
            lamp = try test.addGadget("Lamp", server: servers[0])
            fan = try test.addGadget("Fan", server: servers[1])
            attic = try test.addRoom("Attic")
            try test.ask(MoveAccessory(lamp, room: attic))
            try test.ask(RenameAccessory(lamp, name: "Reading Lamp"))
            try test.ask(RenameService(accessory: lamp, iid: 30, name: "Socket"))
            try test.ask(SetAssociatedType(HAPType.Service.fan, accessory: lamp, iid: 30))
            let zone = try test.addZone("Upstairs")
            try test.ask(AddRoomToZone(room: attic, zone: zone))
            group = try test.addGroup("Lights")
            try test.ask(AddServiceToGroup(test.service(10, of: lamp), group: group))
            try test.ask(AddServiceToGroup(test.service(10, of: fan), group: group))
            scene = try test.addActionSet("Evening", lightingUp: lamp)
            try test.ask(
                AddAction(id: UUID(), test.brightness(of: fan), value: .integer(30), actionSet: scene)
            )
            try test.ask(RenameActionSet(test.home.actionSets[0].id, name: "Off we go"))
            trigger = try test.addTrigger(
                "Dusk",
                test.switching(fan, condition: .characteristic(test.temperature(of: lamp), .less, .double(4))),
                running: scene
            )
            let owned = UUID()
            try test.ask(EnableTrigger(trigger, false))
            try test.ask(AddOwnedActionSet(id: owned, trigger: trigger))
            try test.ask(AddAction(id: UUID(), test.power(of: fan), value: .bool(true), actionSet: owned))
            try test.ask(EnableTrigger(trigger, true))
        }
    }

    /// A home with the same devices, paired again.
    private func pairedAnew(like other: Home, servers: [String]) throws -> (test: TestHome, lamp: UUID, fan: UUID) {
        var test = TestHome(like: other)
        let lamp = try test.addGadget("Lamp", server: servers[0])
        let fan = try test.addGadget("Fan", server: servers[1])
        return (test, lamp, fan)
    }

    @Test func aHomeThatIsSoAlreadyIsNotChanged() throws {
        var furnished = try PopulatedHome()
        let outcome = try furnished.test.importing(furnished.test.home)
        #expect(outcome.change == nil)
        #expect(outcome.names(.changed).isEmpty && outcome.names(.added).isEmpty)
        #expect(outcome.unchanged == 9)
    }

    @Test func aHomeWithoutAccessoriesIsCarriedWhole() throws {
        var source = TestHome()
        for name in ["Attic", "Cellar"] { _ = try source.addRoom(name) }
        let zone = try source.addZone("Up")
        for room in source.home.rooms.map(\.id) { try source.ask(AddRoomToZone(room: room, zone: zone)) }
        _ = try source.addGroup("Lights")
        _ = try source.addActionSet("Evening")
        _ = try source.addTrigger("Noon", .timer(in: 60))
        var target = TestHome(like: source.home)
        #expect(try target.importing(source.home).change?.effects.count == 6)
        HomeInvariants.expect(target.home)
        func lines(_ home: Home) throws -> [Substring] {
            try HomeExport.text(of: home).split(separator: "\n").filter { !$0.contains(#""kind":"user""#) }
        }
        #expect(try lines(target.home) == lines(source.home))
    }

    @Test func whatNamesDevicesFollowsThemToTheirNewIdentities() throws {
        let servers = ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]
        let source = try PopulatedHome(servers)
        var (target, lamp, fan) = try pairedAnew(like: source.test.home, servers: servers)
        let outcome = try target.importing(source.test.home)
        #expect(outcome.names(.notHere).isEmpty)
        // Users are not imported.
        #expect(Set(outcome.names(.leftOut)) == ["Ben", "Cem"])
        HomeInvariants.expect(target.home)
        let record = try #require(target.home.accessories[id: lamp])
        #expect(record.name == "Reading Lamp" && record.room == source.attic)
        #expect(record.serviceNames == [30: "Socket"] && record.associatedTypes == [30: HAPType.Service.fan])
        #expect(
            target.home.serviceGroups[id: source.group]?.services
                == [target.service(10, of: lamp), target.service(10, of: fan)]
        )
        let actions = target.home.actionSet(source.scene)?.actions
        #expect(actions?.compactMap(\.characteristic) == [target.power(of: lamp), target.brightness(of: fan)])
        #expect(target.home.actionSets[0].name == "Off we go")
        let trigger = try #require(target.trigger(source.trigger))
        #expect(trigger.isEnabled && trigger.actionSets.count == 2)
        #expect(trigger.references.isSuperset(of: [lamp, fan]))
        // A second import changes nothing.
        let again = try target.importing(source.test.home)
        #expect(again.change == nil)
        #expect(again.items == outcome.items.filter { $0.fate == .leftOut })
    }

    @Test func aTextGoneThroughAHomeOfTheSameDevicesDiffersInTheirIdentitiesAlone() throws {
        let servers = ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]
        let source = try PopulatedHome(servers)
        var (target, lamp, fan) = try pairedAnew(like: source.test.home, servers: servers)
        try target.importing(source.test.home)
        var text = try HomeExport.text(of: target.home)
        for (old, new) in [(source.lamp, lamp), (source.fan, fan)] {
            text = text.replacing(new.uuidString, with: old.uuidString)
            for iid in 1...60 {
                let (one, other) = (UUID(nameSpace: old, name: "\(iid)"), UUID(nameSpace: new, name: "\(iid)"))
                text = text.replacing(other.uuidString, with: one.uuidString)
            }
        }
        func lines(_ text: String) -> Set<Substring> {
            Set(text.split(separator: "\n").filter { !$0.contains(#""kind":"user""#) })
        }
        #expect(lines(text) == lines(try HomeExport.text(of: source.test.home)))
    }

    @Test func whatAnAccessoryIsMissingForStaysOutAndIsSaidUntilItIsThere() throws {
        let source = try PopulatedHome()
        var target = TestHome(like: source.test.home)
        let lamp = try target.addGadget("Lamp")
        let outcome = try target.importing(source.test.home)
        HomeInvariants.expect(target.home)
        #expect(outcome.names(.notHere) == ["Fan"])
        #expect(Set(outcome.names(.leftOut)) == ["Ben", "Cem", "Lights", "Evening", "Dusk"])
        let reasons = outcome.items.filter { $0.fate == .leftOut }.flatMap(\.remarks)
        #expect(reasons.count { $0.contains("“Fan” is not in this home") } == 3)
        #expect(target.home.triggers.isEmpty)
        #expect(target.home.actionSet(source.scene)?.actions.count == 1)
        // After the accessory is paired, the export is imported again.
        let fan = try target.addGadget("Fan", server: "AA:BB:CC:DD:EE:02")
        try target.importing(source.test.home)
        #expect(target.trigger(source.trigger)?.isEnabled == true)
        let actions = target.home.actionSet(source.scene)?.actions.compactMap(\.characteristic)
        #expect(actions == [target.power(of: lamp), target.brightness(of: fan)])
    }

    /// A home with lamps in separate rooms; numbers define their identifying properties.
    private func lamps(_ lamps: [(name: String, room: String?, serial: String?, server: Int)]) throws -> TestHome {
        var test = TestHome()
        for lamp in lamps {
            var candidate = AccessoryCandidate.gadget("Lamp")
            candidate.information.serialNumber = lamp.serial
            let server = "AA:BB:CC:DD:EE:0\(lamp.server)"
            let known = test.home.rooms.first { $0.name == lamp.room }?.id
            let room = try lamp.room.map { try known ?? test.addRoom($0) }
            try test.ask(AddAccessories([candidate], server: server, name: lamp.name, room: room))
        }
        return test
    }

    /// Returns the lamp of the home that matches each lamp of the export.
    private func matches(_ exported: TestHome, _ here: TestHome) -> [String: String] {
        let matching = AccessoryMatching(of: exported.home, in: here.home)
        return Dictionary(
            uniqueKeysWithValues: exported.home.accessories.compactMap { lamp in
                matching.here[lamp.id].map { (lamp.name, here.home.accessories[id: $0]?.name ?? "") }
            }
        )
    }

    @Test func accessoriesAreToldBySerialNumberThenDeviceThenNameAndRoom() throws {
        let source = try lamps([("A", "Attic", "1", 1), ("B", nil, nil, 2), ("C", "Attic", nil, 3)])
        let here = try lamps([("X", nil, "1", 4), ("Y", nil, nil, 2), ("C", "Attic", nil, 5), ("D", nil, "9", 6)])
        #expect(matches(source, here) == ["A": "X", "B": "Y", "C": "C"])
        // The serial number takes precedence over the name.
        let swapped = try lamps([("A", "Attic", "2", 4), ("B", nil, "1", 5)])
        #expect(matches(try lamps([("A", "Attic", "1", 1)]), swapped) == ["A": "B"])
        // The same name in another room doesn't match, and neither does the serial number of another manufacturer.
        #expect(matches(try lamps([("A", "Attic", nil, 1)]), try lamps([("A", "Cellar", nil, 2)])).isEmpty)
        var other = try lamps([("Z", nil, "1", 2)])
        var record = try #require(other.home.accessories.first)
        record.information.manufacturer = "Other"
        other.home.put(.accessory(record))
        #expect(matches(try lamps([("A", "Attic", "1", 1)]), other).isEmpty)
    }

    @Test func ofAccessoriesThatCannotBeToldApartNoneIsTakenAndAllAreNamed() throws {
        // A manufacturer that gives every lamp the same number.
        let source = try lamps([("A", "Attic", "0", 1), ("B", "Cellar", "0", 2)])
        var here = try lamps([("X", nil, "0", 3), ("Y", nil, "0", 4)])
        let outcome = try here.importing(source.home)
        #expect(outcome.names(.notHere) == ["A", "B"] || outcome.names(.notHere) == ["B", "A"])
        let remarks = outcome.items.filter { $0.fate == .notHere }.flatMap(\.remarks)
        #expect(remarks.allSatisfy { $0.contains("“X” or “Y”") })
        // The name and room of one lamp determine the other.
        let attic = try #require(here.home.rooms.first { $0.name == "Attic" }?.id)
        let x = try #require(here.home.accessories.first { $0.name == "X" }?.id)
        try here.ask(RenameAccessory(x, name: "A"))
        try here.ask(MoveAccessory(x, room: attic))
        #expect(matches(source, here) == ["A": "A", "B": "Y"])
        #expect(try here.importing(source.home).names(.notHere).isEmpty)
        #expect(here.home.accessories.map(\.name).sorted() == ["A", "B"])
    }

    @Test func anotherDeviceOfTheSameNameInTheSameRoomStandsForItAndThatIsSaid() throws {
        var source = try lamps([("A", "Attic", "1", 1)])
        let lamp = try #require(source.home.accessories.first?.id)
        let scene = try source.addActionSet("Evening", lightingUp: lamp)
        var here = try lamps([("A", "Attic", "2", 2)])
        let outcome = try here.importing(source.home)
        #expect(outcome.names(.replaced) == ["A"])
        let device = try #require(here.home.accessories.first?.id)
        let actions = here.home.actionSet(scene)?.actions
        #expect(actions?.compactMap(\.characteristic) == [here.power(of: device)])
    }

    @Test func whatOnlyTheHomeHasStays() throws {
        let source = try PopulatedHome()
        var target = source.test
        let other = try target.addGadget("Heater", server: "AA:BB:CC:DD:EE:09")
        let cellar = try target.addRoom("Cellar")
        let own = try target.addActionSet("Mine", lightingUp: other)
        try target.ask(AddAction(id: UUID(), target.power(of: other), value: .bool(false), actionSet: source.scene))
        try target.ask(AddServiceToGroup(target.service(10, of: other), group: source.group))
        try target.ask(RenameRoom(source.attic, name: "Loft"))
        try target.ask(RemoveServiceFromGroup(target.service(10, of: source.lamp), group: source.group))
        let outcome = try target.importing(source.test.home)
        HomeInvariants.expect(target.home)
        #expect(Set(outcome.names(.stays)) == ["Heater", "Cellar", "Mine"])
        #expect(target.home.roomName(source.attic) == "Attic" && target.home.roomName(cellar) == "Cellar")
        #expect(target.home.actionSet(own)?.actions.count == 1)
        #expect(target.home.actionSet(source.scene)?.actions.count == 3)
        #expect(target.home.serviceGroups[id: source.group]?.services.count == 3)
        #expect(outcome.change?.effects.contains { if case .remove = $0 { true } else { false } } == false)
        #expect(try target.importing(source.test.home).change == nil)
    }

    @Test func whatPeoplePutOnAnAccessoryStaysWhereItIsUncertainWhatTheTextMeans() throws {
        func strip(_ iids: [UInt64]) -> AccessoryCandidate {
            var strip = AccessoryCandidate.lamp("Strip")
            strip.services = [.information] + iids.map { .outlet(iid: $0) }
            return strip
        }
        // Firmware renumbered the services between the pairings, and the outlets can't be distinguished.
        let (old, new) = (strip([10, 20]), strip([30, 40]))
        var source = TestHome()
        try source.ask(AddAccessories([old], server: TestHome.server, name: nil, room: nil))
        let scene = try source.addActionSet("Evening", lightingUp: old.id)
        let group = try source.addGroup("Sockets")
        try source.ask(AddServiceToGroup(source.service(10, of: old.id), group: group))
        var target = TestHome(like: source.home)
        try target.ask(AddAccessories([new], server: TestHome.server, name: nil, room: nil))
        try target.ask(AddActionSet(id: scene, name: "Evening"))
        let outlet = target.characteristic(41, of: new.id)
        try target.ask(AddAction(id: UUID(), outlet, value: .bool(true), actionSet: scene))
        try target.ask(AddServiceGroup(id: group, name: "Sockets"))
        try target.ask(AddServiceToGroup(target.service(40, of: new.id), group: group))
        let outcome = try target.importing(source.home)
        #expect(outcome.names(.leftOut).filter { ["Evening", "Sockets"].contains($0) }.count == 2)
        #expect(target.home.actionSet(scene)?.actions.map(\.characteristic) == [outlet])
        #expect(target.home.serviceGroups[id: group]?.services == [target.service(40, of: new.id)])
        #expect(try target.importing(source.home).change == nil)
    }

    @Test func thingsOfTheSameNameAreTheSameThing() throws {
        let source = try PopulatedHome()
        var target = TestHome()
        let attic = try target.addRoom("attic")
        let scene = try target.addActionSet("EVENING")
        try target.importing(source.test.home)
        HomeInvariants.expect(target.home)
        #expect(target.home.rooms.map(\.id) == [attic])
        #expect(target.home.roomName(attic) == "Attic")
        #expect(target.home.actionSet(scene)?.name == "Evening")
    }

    @Test func aNameThatSomethingElseHasIsRefusedWithBothNamed() throws {
        let source = try PopulatedHome()
        var target = TestHome()
        _ = try target.addZone("Attic")
        let before = target.home
        let error = #expect(throws: HomeError.self) { try target.importing(source.test.home) }
        #expect(error?.code == .nameTaken)
        #expect(error?.reason.hasPrefix("Line ") == true && error?.reason.contains("the zone “Attic”") == true)
        #expect(target.home == before)
    }

    @Test func allNamesThatSomethingElseHasAreToldAtOnce() throws {
        let source = try PopulatedHome()
        var target = TestHome()
        let names = source.test.home.rooms.map(\.name) + source.test.home.zones.map(\.name)
        #expect(names.count >= 2)
        for name in names { _ = try target.ask(AddServiceGroup(id: UUID(), name: name)) }
        let before = target.home
        let error = #expect(throws: HomeError.self) { try target.importing(source.test.home) }
        #expect(error?.code == .nameTaken)
        let reported = error?.reason.split(separator: "\n").filter { $0.hasPrefix("Line ") } ?? []
        #expect(reported.count == names.count)
        for name in names { #expect(reported.contains { $0.hasSuffix("is taken by the service group “\(name)”.") }) }
        #expect(target.home == before)
    }

    @Test func onlyThoseWhoMayChangeTheLayoutImport() throws {
        let source = try PopulatedHome()
        let target = TestHome()
        let exported = try HomeExport.exported(source.test.home)
        for caller in [target.guest, target.nonMember] {
            let error = #expect(throws: HomeError.self) {
                try target.home.decideImport(of: exported, by: caller, at: TestHome.time)
            }
            #expect(error?.code == .insufficientPrivileges)
        }
        #expect(
            try target.home.decideImport(of: exported, by: target.administrator, at: TestHome.time).change != nil
        )
    }

    @Test func aTriggerThatFollowsSomebodyIsImportedByThatPersonOnly() throws {
        var source = TestHome()
        let region = LocationRegion(
            identifier: "R",
            latitude: 1,
            longitude: 2,
            radius: 3,
            onEntry: true,
            onExit: false
        )
        let trigger = try source.addTrigger("Home", .event(EventRule(events: [.init(.location(region))])))
        var target = source
        try target.ask(RemoveTrigger(trigger))
        let exported = try HomeExport.exported(source.home)
        let other = try target.home.decideImport(of: exported, by: target.administrator, at: TestHome.time)
        #expect(other.change == nil && other.names(.leftOut) == ["Home"])
        try target.importing(source.home)
        #expect(target.trigger(trigger) == source.trigger(trigger))
        // Once it exists, an import by another user doesn't change it.
        let again = try target.home.decideImport(of: exported, by: target.administrator, at: TestHome.time)
        #expect(again.change == nil && again.names(.leftOut).isEmpty)
        // Another user can't move it, either.
        var record = try #require(source.trigger(trigger))
        guard case .event(var rule) = record.definition, case .location(var circle) = rule.events[0].occurrence else {
            Issue.record("\(record)")
            return
        }
        circle.latitude = 5
        rule.events[0].occurrence = .location(circle)
        record.definition = .event(rule)
        var shifted = source.home
        shifted.apply(Change(verb: .triggerRenamed, subjects: [trigger], effects: [.put(.trigger(record))]))
        let moved = try target.home.decideImport(
            of: try HomeExport.exported(shifted),
            by: target.administrator,
            at: TestHome.time
        )
        #expect(moved.change == nil && moved.names(.leftOut) == ["Home"])
    }

    @Test func aTimerThatIsOverComesDisabled() throws {
        var source = TestHome()
        let scene = try source.addActionSet("Evening", lightingUp: source.addGadget("Lamp"))
        let trigger = try source.addTrigger("Once", .timer(in: 60), running: scene)
        var target = TestHome(like: source.home)
        _ = try target.addGadget("Lamp")
        let later = TestHome.time.addingTimeInterval(120)
        let exported = try HomeExport.exported(source.home)
        let outcome = try target.home.decideImport(of: exported, by: target.owner, at: later)
        target.home.apply(try #require(outcome.change))
        #expect(target.trigger(trigger)?.isEnabled == false)
        #expect(target.trigger(trigger)?.definition == source.trigger(trigger)?.definition)
        #expect(outcome.items.contains { $0.name == "Once" && $0.fate == .leftOut })
        #expect(try target.home.decideImport(of: exported, by: target.owner, at: later).change == nil)
    }

    @Test func aHomeTakesUpToItsLimitsAndNotOneMore() throws {
        var source = TestHome()
        for number in 1...3 { _ = try source.addRoom("Room \(number)") }
        var target = TestHome(like: source.home)
        for number in 4...HomeLimits.roomsPerHome { _ = try target.addRoom("Room \(number)") }
        var full = target
        _ = try full.addRoom("One more")
        let error = #expect(throws: HomeError.self) { try full.importing(source.home) }
        #expect(error?.code == .limitExceeded && error?.reason.hasPrefix("Line ") == true)
        try target.importing(source.home)
        #expect(target.home.rooms.count == HomeLimits.roomsPerHome)
    }

    /// For any two homes, an import keeps the home valid, and a second import changes nothing.
    @Test(arguments: 0..<40)
    func importsKeepAnyHomeInOrder(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var source = TestHome()
        for _ in 0..<250 { _ = try? source.ask(requests.next(for: source)) }
        let same = try source.importing(source.home)
        #expect(same.change == nil, "\(same.items)")
        // A later state of the same home, a home with the same devices, an empty home, and an unrelated one.
        var later = source
        for _ in 0..<60 { _ = try? later.ask(requests.next(for: later)) }
        var unrelated = TestHome()
        for _ in 0..<60 { _ = try? unrelated.ask(requests.next(for: unrelated)) }
        for target in [later, TestHome(like: source.home), unrelated] {
            var target = target
            do {
                try target.importing(source.home)
            } catch let error as HomeError {
                #expect([.nameTaken, .alreadyAdded].contains(error.code), "\(error)")
                continue
            }
            HomeInvariants.expect(target.home)
            let again = try target.importing(source.home)
            #expect(again.change == nil, "\(String(describing: again.change))")
        }
    }
}
