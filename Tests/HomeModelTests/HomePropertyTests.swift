import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// What holds after any sequence of requests, each of which may be refused.
@Suite struct HomePropertyTests {
    @Test(arguments: 0..<40)
    func randomRequestsKeepAHomeInOrder(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        var log: [Change] = []
        let start = test.home
        var refusals = 0
        for step in 0..<400 {
            let before = test.home
            let request = requests.next(for: test.home)
            do throws(HomeError) {
                guard let change = try test.ask(request) else {
                    #expect(test.home == before)
                    continue
                }
                log.append(change)
                #expect(test.home != before, "\(change.verb.rawValue) changed nothing")
                #expect(!change.subjects.isEmpty)
            } catch {
                refusals += 1
                #expect(test.home == before)
                #expect(!error.reason.isEmpty)
            }
            if step.isMultiple(of: 20) { Self.expectOrder(test.home) }
        }
        Self.expectOrder(test.home)
        #expect(log.count > 50 && refusals > 10)

        // The state is what the records say, and what the log says, also when both went through JSON.
        #expect(Home(id: test.home.id, records: test.home.records) == test.home)
        let records = try CanonicalJSON.decode([Record].self, from: CanonicalJSON.encode(test.home.records))
        #expect(Home(id: test.home.id, records: records) == test.home)
        var replay = start
        for change in log {
            let read = try CanonicalJSON.decode(Change.self, from: change.payload())
            #expect(read == change)
            replay.apply(read)
        }
        #expect(replay == test.home)
        // Indexes that were kept up to date over the whole sequence are those of a home that was just loaded.
        let loaded = Home(id: test.home.id, records: records)
        for _ in 0..<100 {
            let request = requests.next(for: test.home)
            #expect(test.refusal(of: request) == Self.refusal(of: request, loaded, test.owner))
        }
    }

    /// A log may have been written under other rules, or by a broken program: applying it must never trap, and what
    /// comes of it must still be a home that can be asked for things.
    @Test(arguments: 0..<40)
    func mangledChangesAreAppliedWithoutATrap(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        for _ in 0..<300 {
            let request = requests.next(for: test.home)
            guard var change = try? test.home.decide(request, by: test.owner) else { continue }
            requests.mangle(&change)
            test.home.apply(change)
            let records = test.home.records
            #expect(Home(id: test.home.id, records: records).records == records)
        }
        for _ in 0..<200 { _ = try? test.ask(requests.next(for: test.home)) }
    }

    @Test func recordsThatAreNotUnderstoodAreKept() {
        let id = UUID()
        let scene = Record.unknown(
            kind: RecordKind(rawValue: "scene"),
            id: "s",
            body: .object(["kind": .string("scene"), "id": .string("s")])
        )
        let strangers: [Record] = [
            scene, .accountHome(AccountHomeRecord(id: UUID(), name: "A", isPrimary: true, order: 1)),
            .home(HomeRecord(id: UUID(), defaultRoom: UUID())),
        ]
        var home = Home(id: id, records: strangers)
        #expect(home.records == strangers)
        #expect(home.defaultRoom == id)
        home.apply(Change(verb: .homeCreated, subjects: [], effects: [.remove(scene.recordID)]))
        #expect(home.records == Array(strangers.dropFirst()))
    }

    @Test func aVerbOfANewerVersionStillApplies() {
        var test = TestHome()
        let room = RoomRecord(id: UUID(), name: "Den")
        test.home.apply(Change(verb: Verb(rawValue: "roomPainted"), subjects: [], effects: [.put(.room(room))]))
        #expect(Array(test.home.rooms) == [room])
    }

    @Test func aStoreThatHoldsAnOverlongNameOpensAndCanBeRepaired() throws {
        var test = TestHome()
        let room = RoomRecord(id: UUID(), name: String(repeating: "x", count: 500_000))
        test.home.apply(Change(verb: .roomAdded, subjects: [], effects: [.put(.room(room))]))
        try test.ask(.renameRoom(room.id, name: "Den"))
        #expect(test.home.rooms.map(\.name) == ["Den"])
    }

    private static func refusal(of request: HomeRequest, _ home: Home, _ caller: Caller) -> HomeError.Code? {
        do throws(HomeError) {
            _ = try home.decide(request, by: caller)
            return nil
        } catch {
            return error.code
        }
    }

    private static func expectOrder(_ home: Home) {
        // Names are unique, but for services that carry their accessory's.
        var bearers: [FoldedName: [UUID]] = [FoldedName(Home.defaultRoomName): [home.defaultRoom]]
        for room in home.rooms { bearers[FoldedName(room.name), default: []].append(room.id) }
        for zone in home.zones { bearers[FoldedName(zone.name), default: []].append(zone.id) }
        for accessory in home.accessories {
            bearers[FoldedName(accessory.name), default: []].append(accessory.id)
            for name in accessory.serviceNames.values where FoldedName(name) != FoldedName(accessory.name) {
                bearers[FoldedName(name), default: []].append(accessory.id)
            }
        }
        #expect(bearers.values.allSatisfy { $0.count == 1 })
        for name in home.rooms.map(\.name) + home.zones.map(\.name) + home.accessories.map(\.name) {
            #expect(throws: Never.self) { try NameRule.check(name) }
        }
        // Every accessory is in one room that is there, and behind a bridge that is there or behind none.
        for accessory in home.accessories {
            #expect(home.hasRoom(accessory.room))
            #expect(home.accessories(inRoom: accessory.room).contains(accessory))
            if let bridge = accessory.bridge { #expect(home.accessories[id: bridge]?.isBridge == true) }
            #expect(home.shape(of: accessory) != nil)
        }
        let rooms = [home.defaultRoom] + home.rooms.map(\.id)
        #expect(rooms.map { home.accessories(inRoom: $0).count }.reduce(0, +) == home.accessories.count)
        // Zones hold rooms that are there, each once, and never the default room.
        for zone in home.zones {
            #expect(zone.rooms.allSatisfy { home.rooms.contains(id: $0) })
            #expect(Set(zone.rooms).count == zone.rooms.count)
        }
        // Shapes are those that are in use.
        #expect(Set(home.shapes.map(\.id)) == Set(home.accessories.map(\.shape)))
    }
}

/// Requests that are sensible often enough to get somewhere.
private struct RandomRequests {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next(for home: Home) -> HomeRequest {
        let room = id(home.rooms.map(\.id), or: home.defaultRoom)
        let zone = id(home.zones.map(\.id), or: room)
        let accessory = id(home.accessories.map(\.id), or: zone)
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: return .addRoom(id: random.uuid(), name: name())
        case 2: return .removeRoom(room)
        case 3: return .renameRoom(room, name: name())
        case 4: return .addZone(id: random.uuid(), name: name())
        case 5: return .removeZone(zone)
        case 6: return .renameZone(zone, name: name())
        case 7, 8: return .addRoomToZone(room: room, zone: zone)
        case 9: return .removeRoomFromZone(room: room, zone: zone)
        case 10, 11, 12:
            let chosen = Bool.random(using: &random) ? name() : nil
            return .addAccessories(candidates(), server: server(), name: chosen, room: flip(room))
        case 13: return .removeAccessory(accessory)
        case 14: return .renameAccessory(accessory, name: name())
        case 15, 16: return .moveAccessory(accessory, room: flip(room) ?? home.defaultRoom)
        case 17, 18: return .updateAccessories(candidates(), server: server())
        default: return .renameService(accessory: accessory, iid: pick([1, 10, 20, 30]) ?? 1, name: name())
        }
    }

    mutating func mangle(_ change: inout Change) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: change.effects.removeAll()
        case 1: change.effects.shuffle(using: &random)
        case 2: change.effects += change.effects
        case 3:
            change.effects = change.effects.map { effect in
                guard case .put(let record) = effect, Bool.random(using: &random) else { return effect }
                return .remove(record.recordID)
            }
        case 4:
            let kinds: [RecordKind] = [.home, .user, .room, .zone, .shape, .accessory, .accountHome]
            let kind = pick(kinds) ?? .room
            change.effects.append(.remove(RecordID(kind: kind, id: pick(["", "x", random.uuid().uuidString]) ?? "")))
        default:
            change.effects = change.effects.map { effect in
                guard case .put(.accessory(var accessory)) = effect else { return effect }
                accessory.room = random.uuid()
                accessory.bridge = accessory.id
                accessory.isBridge = true
                accessory.name = pick(["", "!", "Kitchen", String(repeating: "a\u{301}", count: 999)]) ?? ""
                accessory.shape = ShapeID(rawValue: pick(["", accessory.shape.rawValue]) ?? "")
                accessory.serviceNames[.max] = accessory.name
                accessory.fixedIDs[10] = accessory.id
                return .put(.accessory(accessory))
            }
        }
    }

    private mutating func candidates() -> [AccessoryCandidate] {
        (1...Int.random(in: 1...4, using: &random)).map { _ in
            AccessoryCandidate(
                id: random.uuid(),
                aid: pick([1, 1, 2, 3, 4, 5]) ?? 1,
                reportedName: name(),
                category: pick([nil, nil, .bridge, .lightbulb]) ?? nil,
                information: AccessoryInformation(model: pick(["", "M1", "M2"])),
                services: pick([[], [.information, .lightbulb(iid: 10)], [.outlet(iid: 20), .lightbulb(iid: 30)]]) ?? []
            )
        }
    }

    private mutating func name() -> String {
        pick(["Kitchen", "kitchen", "Küche", "Lamp", "Lamp 2", "Kids' Room", "Bad!", "", "客厅", "A", "B", "C", "D"])
            ?? ""
    }

    private mutating func server() -> String { pick(["AA", "BB", "CC"]) ?? "" }

    private mutating func id(_ known: [UUID], or other: UUID) -> UUID {
        Int.random(in: 0..<10, using: &random) == 0 ? other : pick(known) ?? other
    }

    private mutating func flip(_ id: UUID) -> UUID? { Bool.random(using: &random) ? id : nil }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
}
