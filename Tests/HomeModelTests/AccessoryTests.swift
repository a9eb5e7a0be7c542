import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct AccessoryTests {
    @Test func aStandaloneAccessoryJoinsTheDefaultRoomUnderItsOwnName() throws {
        var test = TestHome()
        let lamp = AccessoryCandidate.lamp("Eve-Lamp")
        let change = try test.ask(AddAccessories([lamp], server: TestHome.server, name: nil, room: nil))
        #expect(change?.verb == .accessoriesAdded)
        #expect(change?.subjects == [lamp.id])
        let record = try #require(test.home.accessories[id: lamp.id])
        #expect(record.name == "Eve Lamp")
        #expect(record.reportedName == "Eve-Lamp")
        #expect(record.room == test.home.defaultRoom)
        #expect(record.bridge == nil && !record.isBridge && !record.isAbsent)
        #expect(record.category == .lightbulb)
        #expect(test.home.services(of: record) == lamp.services)
        #expect(test.home.servers == [TestHome.server])
    }

    @Test func anAccessoryIsAddedUnderAChosenNameToAChosenRoom() throws {
        var test = TestHome()
        let room = try test.addRoom("Kitchen")
        let lamp = AccessoryCandidate.lamp("x")
        try test.ask(AddAccessories([lamp], server: "A", name: "Ceiling", room: room))
        #expect(test.home.accessories(inRoom: room).map(\.name) == ["Ceiling"])
    }

    @Test func aBridgeBringsAllBehindItAndComesFirst() throws {
        var test = TestHome()
        let room = try test.addRoom("Cellar")
        let bridge = AccessoryCandidate.bridge("Bridge")
        let lamps = (2...4).map { AccessoryCandidate.lamp("Lamp", aid: $0, category: nil) }
        let change = try test.ask(
            AddAccessories([lamps[0], bridge, lamps[1], lamps[2]], server: "A", name: nil, room: room)
        )
        #expect(change?.subjects == [bridge.id] + lamps.map(\.id))
        #expect(test.home.accessories.map(\.name) == ["Bridge", "Lamp", "Lamp 2", "Lamp 3"])
        #expect(test.home.accessories.map(\.isBridge) == [true, false, false, false])
        #expect(test.home.accessories(behind: bridge.id).map(\.id) == lamps.map(\.id))
        #expect(test.home.accessories(inRoom: room).count == 4)
        #expect(test.home.accessories.map(\.category) == [.bridge, .lightbulb, .lightbulb, .lightbulb])
        #expect(test.home.shapes.count == 2)
    }

    @Test func aBridgeWithNothingBehindItIsABridge() throws {
        var test = TestHome()
        let bridge = AccessoryCandidate.bridge("Bridge")
        try test.ask(AddAccessories([bridge], server: "A", name: nil, room: nil))
        #expect(test.home.accessories[id: bridge.id]?.isBridge == true)
    }

    @Test func aServersOwnAccessoryIsTheOneWithTheLowestAIDIfNoneHasTheUsualOne() throws {
        var test = TestHome()
        let candidates = [7, 3, 9].map { AccessoryCandidate.lamp("Lamp", aid: $0) }
        try test.ask(AddAccessories(candidates, server: "A", name: "Main", room: nil))
        #expect(test.home.accessories.map(\.aid) == [3, 7, 9])
        #expect(test.home.accessories.first?.name == "Main")
        #expect(test.home.accessories.first?.isBridge == true)
    }

    @Test func movingABridgeLeavesWhatIsBehindItWhereItIs() throws {
        var (test, bridge, lamps) = try Self.bridged()
        let room = try test.addRoom("Cellar")
        let change = try test.ask(MoveAccessory(bridge, room: room))
        #expect(change?.verb == .accessoryMoved)
        #expect(change?.subjects == [bridge, room])
        #expect(test.home.accessories(inRoom: room).map(\.id) == [bridge])
        try test.ask(MoveAccessory(lamps[1], room: room))
        #expect(test.home.accessories(inRoom: room).map(\.id) == [bridge, lamps[1]])
    }

    @Test func removingABridgeRemovesAllBehindItAndTheirShapes() throws {
        var (test, bridge, lamps) = try Self.bridged()
        let other = try test.addLamp("Other", server: "B")
        let change = try test.ask(RemoveAccessory(bridge))
        #expect(change?.verb == .accessoriesRemoved)
        #expect(change?.subjects == [bridge] + lamps)
        #expect(test.home.accessories.map(\.id) == [other])
        #expect(test.home.shapes.map(\.services) == [[.information, .lightbulb(iid: 10)]])
        try test.ask(RemoveAccessory(other))
        #expect(test.home.shapes.isEmpty)
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Lamp 2")) == nil)
    }

    @Test func anAccessoryBehindABridgeIsNotRemovedAlone() throws {
        let (test, _, lamps) = try Self.bridged()
        #expect(test.refusal(of: RemoveAccessory(lamps[0])) == .bridgedNotRemovable)
    }

    @Test func aBridgeIsBlockedAndUnblockedWithAllBehindIt() throws {
        var (test, bridge, lamps) = try Self.bridged()
        let other = try test.addLamp("Other", server: "B")
        let blocking = try test.ask(BlockAccessory(bridge))
        #expect(blocking?.verb == .accessoriesBlocked)
        #expect(blocking?.subjects == [bridge] + lamps)
        #expect(test.home.accessories.filter(\.isBlocked).map(\.id) == [bridge] + lamps)
        #expect(try test.ask(BlockAccessory(bridge)) == nil)
        #expect(try test.ask(UnblockAccessory(other)) == nil)

        // Either of them can be named, because they share a server.
        let unblocking = try test.ask(UnblockAccessory(lamps[1]))
        #expect(unblocking?.verb == .accessoriesUnblocked)
        #expect(unblocking?.subjects == [bridge] + lamps)
        #expect(test.home.accessories.filter(\.isBlocked).isEmpty)
        #expect(try test.ask(UnblockAccessory(bridge)) == nil)
    }

    @Test func anAccessoryBehindABridgeIsNotBlockedAlone() throws {
        let (test, _, lamps) = try Self.bridged()
        #expect(test.refusal(of: BlockAccessory(lamps[0])) == .bridgedNotBlockable)
    }

    @Test func whatIsNewBehindABlockedBridgeIsBlockedToo() throws {
        var (test, bridge, lamps) = try Self.bridged()
        try test.ask(BlockAccessory(bridge))
        let seen: [AccessoryCandidate] = [.bridge("Bridge"), .lamp("Lamp", aid: 2), .lamp("New", aid: 7)]
        try test.ask(UpdateAccessories(seen, server: "A"))
        #expect(test.home.accessories.count == 4)
        #expect(test.home.accessories.filter { !$0.isBlocked }.isEmpty)
        #expect(test.home.accessories[id: lamps[1]]?.isAbsent == true)
    }

    @Test func aBlockedAccessoryIsRenamedMovedAndRemoved() throws {
        var (test, bridge, _) = try Self.bridged()
        try test.ask(BlockAccessory(bridge))
        try test.ask(RenameAccessory(bridge, name: "Box"))
        try test.ask(MoveAccessory(bridge, room: try test.addRoom("Cellar")))
        #expect(test.home.accessories[id: bridge]?.isBlocked == true)
        try test.ask(RemoveAccessory(bridge))
        #expect(test.home.accessories.isEmpty)
    }

    @Test func anAbsentAccessoryBehindABridgeIsRemoved() throws {
        var (test, bridge, lamps) = try Self.bridged()
        try test.ask(UpdateAccessories([.bridge("Bridge"), .lamp("Lamp", aid: 3)], server: "A"))
        #expect(test.home.accessories[id: lamps[0]]?.isAbsent == true)
        try test.ask(RemoveAccessory(lamps[0]))
        #expect(test.home.accessories.map(\.id) == [bridge, lamps[1]])
    }

    @Test func aServerIsAddedOnce() throws {
        var test = TestHome()
        _ = try test.addLamp("Lamp")
        let again = AddAccessories([.lamp("Lamp")], server: TestHome.server, name: nil, room: nil)
        #expect(test.refusal(of: again) == .alreadyAdded)
    }

    @Test func candidatesThatContradictThemselvesAreRefused() throws {
        let test = TestHome()
        func addition(_ candidates: [AccessoryCandidate], server: String = "A") -> any HomeRequest {
            AddAccessories(candidates, server: server, name: nil, room: nil)
        }
        #expect(test.refusal(of: addition([])) == .invalidParameter)
        #expect(test.refusal(of: addition([.lamp("Lamp")], server: "")) == .invalidParameter)
        let long = String(repeating: "A", count: 500_000)
        #expect(test.refusal(of: addition([.lamp("Lamp")], server: long)) == .invalidParameter)
        #expect(test.refusal(of: addition([.lamp("A"), .lamp("B")])) == .invalidAccessory)
        let lamp = AccessoryCandidate.lamp("Lamp")
        var twin = AccessoryCandidate.lamp("Lamp", aid: 2)
        twin.id = lamp.id
        #expect(test.refusal(of: addition([lamp, twin])) == .invalidParameter)
        var doubled = AccessoryCandidate.lamp("Lamp")
        doubled.services = [.information, .lightbulb(iid: 10), .lightbulb(iid: 12)]
        #expect(test.refusal(of: addition([doubled])) == .invalidAccessory)
        var known = AccessoryCandidate.lamp("Lamp")
        known.id = test.owner.user
        #expect(test.refusal(of: addition([known])) == .alreadyAdded)
    }

    @Test func aServiceMayCarryItsAccessorysNameAndOneOnly() throws {
        var test = TestHome()
        var candidate = AccessoryCandidate.lamp("Lamp")
        candidate.services.append(.outlet(iid: 20))
        try test.ask(AddAccessories([candidate], server: "A", name: nil, room: nil))
        let change = try test.ask(RenameService(accessory: candidate.id, iid: 10, name: "lamp"))
        let record = try #require(test.home.accessories[id: candidate.id])
        #expect(change?.verb == .serviceRenamed)
        #expect(change?.subjects == [candidate.id, Home.serviceID(of: 10, in: record)])
        #expect(test.refusal(of: RenameService(accessory: candidate.id, iid: 20, name: "Lamp")) == .nameTaken)
        try test.ask(RenameAccessory(candidate.id, name: "LAMP"))
        try test.ask(RenameAccessory(candidate.id, name: "Ceiling"))
        #expect(test.refusal(of: AddRoom(id: UUID(), name: "Lamp")) == .nameTaken)
        try test.ask(RenameAccessory(candidate.id, name: "Lamp"))
    }

    @Test func aServiceIsCalledWhatAPersonOrItselfOrItsAccessoryIsCalled() throws {
        var test = TestHome()
        let lamp = try test.addLamp("Lamp")
        var record = try #require(test.home.accessories[id: lamp])
        #expect(Home.name(of: .lightbulb(iid: 10), in: record) == "Lamp")
        #expect(Home.name(of: .lightbulb(iid: 10, reportedName: ""), in: record) == "Lamp")
        #expect(Home.name(of: .lightbulb(iid: 10, reportedName: "Bulb"), in: record) == "Bulb")
        record.serviceNames[10] = "Sun"
        #expect(Home.name(of: .lightbulb(iid: 10, reportedName: "Bulb"), in: record) == "Sun")
    }

    @Test func anAccessoryBehindABridgeHasTheCategoryItsServicesSuggest() throws {
        var test = TestHome()
        func candidate(_ aid: UInt64, _ types: [HAPType], primary: HAPType? = nil) -> AccessoryCandidate {
            var candidate = AccessoryCandidate.lamp("Thing \(aid)", aid: aid, category: nil)
            candidate.services = types.enumerated().map { index, type in
                ServiceShape(iid: UInt64(index + 1), type: type, isPrimary: type == primary, characteristics: [])
            }
            return candidate
        }
        let information = HAPType.Service.accessoryInformation
        let candidates = [
            AccessoryCandidate.bridge("Bridge"),
            candidate(2, [information, HAPType.Service.battery, HAPType.Service.motionSensor]),
            candidate(
                3,
                [HAPType.Service.lightbulb, HAPType.Service.garageDoorOpener],
                primary: HAPType.Service.garageDoorOpener
            ),
            candidate(4, [HAPType.Service.lightbulb, HAPType.Service.garageDoorOpener]),
            candidate(5, [information]), candidate(6, [HAPType(uuid: 7)]),
        ]
        try test.ask(AddAccessories(candidates, server: "A", name: nil, room: nil))
        #expect(
            test.home.accessories.map(\.category) == [.bridge, .sensor, .garageDoorOpener, .lightbulb, .other, .other]
        )
    }

    @Test func whatAnAccessoryReportsIsCut() throws {
        var test = TestHome()
        let long = String(repeating: "Ж", count: 500_000)
        var candidate = AccessoryCandidate.lamp(long)
        candidate.information = AccessoryInformation(
            manufacturer: long,
            model: long,
            serialNumber: long,
            firmwareRevision: long
        )
        candidate.services[1].reportedName = long
        candidate.services[1].characteristics[0].metadata = CharacteristicMetadata(
            format: .other(long),
            unit: CharacteristicUnit(rawValue: long),
            minValue: .double(-.infinity),
            maxValue: .double(.nan),
            stepValue: .string(long),
            validValues: Array(0...Int64(HomeLimits.validValuesPerCharacteristic)),
            validRanges: Array(repeating: 0...1, count: HomeLimits.validValuesPerCharacteristic + 1),
            manufacturerDescription: long
        )
        candidate.services[1].linked = Array(1...10_000)
        let change = try #require(try test.ask(AddAccessories([candidate], server: "A", name: nil, room: nil)))
        #expect(try change.payload().count < 16_000)
        let record = try #require(test.home.accessories[id: candidate.id])
        #expect(record.reportedName.count == HomeLimits.reportedTextLength)
        #expect(record.name.count == HomeLimits.nameLength)
        #expect(record.information.serialNumber?.count == HomeLimits.reportedTextLength)
    }

    @Test func anAccessoryHasItsLimitOfServicesAndCharacteristicsAndNotOneMore() throws {
        var test = TestHome()
        func services(_ count: Int) -> [ServiceShape] {
            (0..<count).map { ServiceShape(iid: UInt64($0 + 1), type: HAPType.Service.switch, characteristics: []) }
        }
        var candidate = AccessoryCandidate.lamp("Lamp")
        candidate.services = services(HomeLimits.servicesPerAccessory + 1)
        let addition = { AddAccessories([candidate], server: "A", name: nil, room: nil) }
        #expect(test.refusal(of: addition()) == .limitExceeded)
        candidate.services = services(HomeLimits.servicesPerAccessory)
        candidate.services[0].characteristics = (0...HomeLimits.characteristicsPerService).map {
            .init(iid: UInt64($0 + 1_000), type: HAPType.Characteristic.on, permissions: .read, format: .bool)
        }
        #expect(test.refusal(of: addition()) == .limitExceeded)
        candidate.services[0].characteristics.removeLast()
        try test.ask(addition())
    }

    @Test func aServerHasItsLimitOfAccessoriesAndNotOneMore() throws {
        let test = TestHome()
        var candidates = (1...HomeLimits.accessoriesPerServer).map { Self.bare(aid: UInt64($0)) }
        let most = AddAccessories(candidates, server: "A", name: nil, room: nil)
        let change = try test.home.decide(most, by: test.owner, at: TestHome.time)
        #expect(change?.subjects.count == HomeLimits.accessoriesPerServer)
        candidates.append(Self.bare(aid: 0))
        let more = AddAccessories(candidates, server: "A", name: nil, room: nil)
        #expect(test.refusal(of: more) == .limitExceeded)
    }

    @Test func aHomeHasItsLimitOfAccessoriesAndNotOneMore() throws {
        var test = TestHome()
        try test.ask(AddAccessories([Self.bare(aid: 1)], server: "A", name: nil, room: nil))
        let first = try #require(test.home.accessories.first)
        let others = (1..<HomeLimits.accessoriesPerHome - 1).map { number in
            var accessory = first
            accessory.id = UUID()
            accessory.name = "Filler \(number)"
            accessory.server = "B"
            return Effect.put(.accessory(accessory))
        }
        test.home.apply(Change(verb: .accessoriesAdded, subjects: [], effects: others))
        let two = AddAccessories([Self.bare(aid: 1), Self.bare(aid: 2)], server: "C", name: nil, room: nil)
        #expect(test.refusal(of: two) == .limitExceeded)
        try test.ask(AddAccessories([Self.bare(aid: 1)], server: "C", name: nil, room: nil))
        let more = UpdateAccessories([Self.bare(aid: 1), Self.bare(aid: 2)], server: "C")
        #expect(test.refusal(of: more) == .limitExceeded)
        #expect(test.home.accessories.count == HomeLimits.accessoriesPerHome)
    }

    private static func bare(aid: UInt64) -> AccessoryCandidate {
        AccessoryCandidate(
            id: UUID(),
            aid: aid,
            reportedName: "Lamp \(aid)",
            category: .lightbulb,
            information: AccessoryInformation(),
            services: []
        )
    }

    static func bridged() throws -> (test: TestHome, bridge: UUID, lamps: [UUID]) {
        var test = TestHome()
        let bridge = AccessoryCandidate.bridge("Bridge")
        let lamps = (2...3).map { AccessoryCandidate.lamp("Lamp", aid: $0, category: nil) }
        try test.ask(AddAccessories([bridge] + lamps, server: "A", name: nil, room: nil))
        return (test, bridge.id, lamps.map(\.id))
    }
}
