import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct AccessoryUpdateTests {
    @Test func anUnchangedServerIsNoChange() throws {
        var (test, _, _) = try AccessoryTests.bridged()
        let same = [AccessoryCandidate.bridge("Bridge")] + (2...3).map { .lamp("Lamp", aid: $0, category: nil) }
        #expect(try test.ask(UpdateAccessories(same, server: "A")) == nil)
        #expect(try test.ask(UpdateAccessories(same.reversed(), server: "A")) == nil)
    }

    @Test func newFirmwareAndServicesAreTakenOverAndNothingAPersonChose() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let lamp = try test.addLamp("Lamp", server: "A")
        try test.ask(MoveAccessory(lamp, room: room))
        try test.ask(RenameAccessory(lamp, name: "Ceiling"))
        let old = try #require(test.home.accessories[id: lamp])
        var candidate = AccessoryCandidate.lamp("Renamed by its maker")
        candidate.information.firmwareRevision = "2.0"
        candidate.services.append(.outlet(iid: 20))
        let change = try test.ask(UpdateAccessories([candidate], server: "A"))
        #expect(change?.verb == .accessoriesUpdated)
        #expect(change?.subjects == [lamp])
        let new = try #require(test.home.accessories[id: lamp])
        #expect(new.name == "Ceiling" && new.room == room && new.reportedName == "Lamp")
        #expect(new.information.firmwareRevision == "2.0")
        #expect(test.home.services(of: new).count == 3)
        #expect(test.home.shapes.map(\.id) == [new.shape])
        #expect(new.shape != old.shape)
        #expect(new.fixedIDs.isEmpty)
    }

    @Test func whatVanishesBehindABridgeIsAbsentAndReturnsAsItWas() throws {
        var (test, bridge, lamps) = try AccessoryTests.bridged()
        let room = try test.addRoom("Kitchen")
        try test.ask(RenameAccessory(lamps[0], name: "Ceiling"))
        try test.ask(MoveAccessory(lamps[0], room: room))
        let before = test.home
        let less = [AccessoryCandidate.bridge("Bridge"), .lamp("Lamp", aid: 3, category: nil)]
        #expect(try test.ask(UpdateAccessories(less, server: "A"))?.subjects == [lamps[0]])
        #expect(test.home.accessories[id: lamps[0]]?.isAbsent == true)
        #expect(test.home.accessories[id: lamps[0]]?.room == room)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Ceiling")) == .nameTaken)
        let all = less + [.lamp("Lamp", aid: 2, category: nil)]
        #expect(try test.ask(UpdateAccessories(all, server: "A"))?.subjects == [lamps[0]])
        #expect(test.home == before)
        #expect(test.home.accessories(behind: bridge).map(\.id) == lamps)
    }

    @Test func whatAppearsBehindABridgeJoinsTheDefaultRoom() throws {
        var (test, bridge, lamps) = try AccessoryTests.bridged()
        let new = AccessoryCandidate.lamp("Lamp", aid: 9, category: nil)
        let all = [AccessoryCandidate.bridge("Bridge")] + (2...3).map { .lamp("Lamp", aid: $0, category: nil) } + [new]
        let change = try test.ask(UpdateAccessories(all, server: "A"))
        #expect(change?.subjects == [new.id])
        let record = try #require(test.home.accessories[id: new.id])
        #expect(record.bridge == bridge && record.room == test.home.defaultRoom && record.name == "Lamp 3")
        #expect(test.home.accessories(behind: bridge).map(\.id) == lamps + [new.id])
    }

    @Test func aStandaloneAccessoryBecomesABridgeWhenOthersAppearBehindIt() throws {
        var test = TestHome()
        let lamp = try test.addLamp("Lamp", server: "A")
        let new = AccessoryCandidate.lamp("Lamp", aid: 2, category: nil)
        try test.ask(UpdateAccessories([.lamp("Lamp"), new], server: "A"))
        #expect(test.home.accessories[id: lamp]?.isBridge == true)
        #expect(test.home.accessories[id: new.id]?.bridge == lamp)
    }

    @Test func anUnknownServerAndAnEmptyOneAreRefused() throws {
        var test = TestHome()
        _ = try test.addLamp("Lamp", server: "A")
        #expect(test.refusal(of: UpdateAccessories([.lamp("Lamp")], server: "B")) == .notFound)
        #expect(test.refusal(of: UpdateAccessories([], server: "A")) == .invalidAccessory)
        #expect(test.refusal(of: UpdateAccessories([.lamp("A"), .lamp("B")], server: "A")) == .invalidAccessory)
    }

    // MARK: Renumbering by firmware

    @Test func identitiesAndNamesFollowServicesThatWereRenumbered() throws {
        var test = TestHome()
        let lamp = try test.addLamp("Lamp", server: "A")
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "Bulb"))
        let old = try #require(test.home.accessories[id: lamp])

        var moved = AccessoryCandidate.lamp("Lamp")
        moved.services = [.information, .outlet(iid: 10), .lightbulb(iid: 20)]
        try test.ask(UpdateAccessories([moved], server: "A"))

        let new = try #require(test.home.accessories[id: lamp])
        for (oldIID, newIID) in [(10, 20), (11, 21), (12, 22), (1, 1), (2, 2)] as [(UInt64, UInt64)] {
            #expect(Home.serviceID(of: newIID, in: new) == Home.serviceID(of: oldIID, in: old))
        }
        #expect(new.serviceNames == [20: "Bulb"])
        Self.expectDistinctIdentities(new, test.home)

        try test.ask(UpdateAccessories([.lamp("Lamp")], server: "A"))
        let back = try #require(test.home.accessories[id: lamp])
        for iid in [1, 2, 10, 11, 12] as [UInt64] {
            #expect(Home.serviceID(of: iid, in: back) == Home.serviceID(of: iid, in: old))
        }
        #expect(back.serviceNames == [10: "Bulb"])
    }

    @Test func aNewServiceOfAnotherTypeDoesNotInheritTheIdentityOrNameOfTheOneBeforeIt() throws {
        var test = TestHome()
        let lamp = try test.addLamp("Lamp", server: "A")
        try test.ask(RenameService(accessory: lamp, iid: 10, name: "Bulb"))
        let old = try #require(test.home.accessories[id: lamp])
        var other = AccessoryCandidate.lamp("Lamp")
        other.services = [.information, .outlet(iid: 10)]
        try test.ask(UpdateAccessories([other], server: "A"))
        let new = try #require(test.home.accessories[id: lamp])
        #expect(Home.serviceID(of: 10, in: new) != Home.serviceID(of: 10, in: old))
        #expect(new.serviceNames.isEmpty)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Bulb")) == nil)
    }

    @Test func aServiceThatVanishesAndReturnsHasItsNameAndIdentity() throws {
        var test = TestHome()
        var both = AccessoryCandidate.lamp("Lamp")
        both.services.append(.outlet(iid: 20))
        try test.ask(AddAccessories([both], server: "A", name: nil, room: nil))
        try test.ask(RenameService(accessory: both.id, iid: 20, name: "Plug"))
        let before = try #require(test.home.accessories[id: both.id])
        try test.ask(UpdateAccessories([.lamp("Lamp")], server: "A"))
        #expect(test.home.accessories[id: both.id]?.serviceNames == [20: "Plug"])
        try test.ask(UpdateAccessories([both], server: "A"))
        #expect(test.home.accessories[id: both.id] == before)
    }

    @Test(arguments: 0..<200)
    func renumberingKeepsIdentitiesDistinctAndStable(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var test = TestHome()
        var candidate = AccessoryCandidate.lamp("Lamp")
        candidate.services = Self.randomServices(using: &random)
        try test.ask(AddAccessories([candidate], server: "A", name: nil, room: nil))
        for _ in 0..<10 {
            let old = try #require(test.home.accessories[id: candidate.id])
            let oldServices = test.home.services(of: old)
            candidate.services = Self.randomServices(using: &random)
            try test.ask(UpdateAccessories([candidate], server: "A"))
            let new = try #require(test.home.accessories[id: candidate.id])
            Self.expectDistinctIdentities(new, test.home)
            // The same type with the same iid is the same object, and an object with an old ID keeps its type.
            var types: [UUID: HAPType] = [:]
            for service in oldServices { types[Home.serviceID(of: service.iid, in: old)] = service.type }
            for service in candidate.services {
                let identity = Home.serviceID(of: service.iid, in: new)
                if let type = types[identity] { #expect(type == service.type) }
                if oldServices.contains(where: { $0.iid == service.iid && $0.type == service.type }) {
                    #expect(identity == Home.serviceID(of: service.iid, in: old))
                }
            }
        }
    }

    private static func randomServices(using random: inout SeededGenerator) -> [ServiceShape] {
        let iids = (1...6).map { UInt64($0 * 10) }.shuffled(using: &random).prefix(
            Int.random(in: 1...5, using: &random)
        )
        return iids.map { Bool.random(using: &random) ? .lightbulb(iid: $0) : .outlet(iid: $0) }
    }

    private static func expectDistinctIdentities(_ accessory: AccessoryRecord, _ home: Home) {
        let iids = home.services(of: accessory).flatMap { [$0.iid] + $0.characteristics.map(\.iid) }
        #expect(Set(iids.map { Home.characteristicID(of: $0, in: accessory) }).count == iids.count)
    }
}
