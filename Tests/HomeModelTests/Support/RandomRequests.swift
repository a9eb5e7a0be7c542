import Foundation
import HAPCatalog
import HomeModel

/// Random requests that are valid often enough to make progress.
struct RandomRequests {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next(for test: TestHome) -> any HomeRequest {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: layout(test.home)
        case 1: accessories(test.home)
        case 2: actionSets(test.home)
        case 3: triggers(test)
        default: services(test)
        }
    }

    private mutating func layout(_ home: Home) -> any HomeRequest {
        let room = id(home.rooms.map(\.id), or: home.defaultRoom)
        let zone = id(home.zones.map(\.id), or: room)
        switch Int.random(in: 0..<11, using: &random) {
        case 9: return ReorderRoom(room, before: flip(id(home.rooms.map(\.id), or: room)))
        case 0, 1: return AddRoom(id: random.uuid(), name: name())
        case 2: return RemoveRoom(room)
        case 3: return RenameRoom(room, name: name())
        case 4: return AddZone(id: random.uuid(), name: name())
        case 5: return RemoveZone(zone)
        case 6: return RenameZone(zone, name: name())
        case 7: return AddRoomToZone(room: room, zone: zone)
        default: return RemoveRoomFromZone(room: room, zone: zone)
        }
    }

    private mutating func accessories(_ home: Home) -> any HomeRequest {
        let room = id(home.rooms.map(\.id), or: home.defaultRoom)
        let accessory = id(home.accessories.map(\.id), or: room)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2:
            let chosen = Bool.random(using: &random) ? name() : nil
            return AddAccessories(candidates(), server: server(), name: chosen, room: flip(room))
        case 3: return RemoveAccessory(accessory)
        case 4: return RenameAccessory(accessory, name: name())
        case 5: return MoveAccessory(accessory, room: flip(room) ?? home.defaultRoom)
        case 6, 7: return UpdateAccessories(candidates(), server: server())
        case 8: return BlockAccessory(accessory)
        case 9: return UnblockAccessory(accessory)
        default: return RenameService(accessory: accessory, iid: iid(), name: name())
        }
    }

    private mutating func services(_ test: TestHome) -> any HomeRequest {
        let home = test.home
        let group = id(home.serviceGroups.map(\.id), or: home.id)
        let service = test.service(iid(), of: id(home.accessories.map(\.id), or: home.id))
        let user = id(home.users.map(\.id), or: home.id)
        switch Int.random(in: 0..<15, using: &random) {
        case 12:
            let next = test.service(iid(), of: id(home.accessories.map(\.id), or: home.id))
            return ReorderService(service, before: Bool.random(using: &random) ? next : nil)
        case 13: return SetServiceHidden(Bool.random(using: &random), accessory: service.accessory, iid: iid())
        case 14: return SetServiceAsksFirst(Bool.random(using: &random), accessory: service.accessory, iid: iid())
        case 0, 1: return AddServiceGroup(id: random.uuid(), name: name())
        case 2: return RemoveServiceGroup(group)
        case 3: return RenameServiceGroup(group, name: name())
        case 4, 5, 6: return AddServiceToGroup(service, group: group)
        case 7: return RemoveServiceFromGroup(service, group: group)
        case 8:
            let type = pick([nil, HAPType.Service.fan, HAPType.Service.lightbulb]) ?? nil
            return SetAssociatedType(type, accessory: service.accessory, iid: iid())
        case 9: return AddUser(id: random.uuid(), name: name(), role: pick([.guest, .administrator]) ?? .guest)
        case 10: return RemoveUser(user)
        default: return SetRole(pick([.guest, .administrator, .owner]) ?? .guest, of: user)
        }
    }

    private mutating func actionSets(_ home: Home) -> any HomeRequest {
        let known = home.actionSets.map(\.id) + home.triggers.flatMap(\.actionSets)
        let actionSet = id(known, or: home.id)
        let action = id(home.actionSet(actionSet)?.actions.map(\.id) ?? [], or: home.id)
        let value = value()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return AddActionSet(id: random.uuid(), name: name())
        case 1: return RemoveActionSet(actionSet)
        case 2: return RenameActionSet(actionSet, name: name())
        case 3, 4, 5:
            let id = flip(action) ?? random.uuid()
            return AddAction(id: id, characteristic(home), value: value, actionSet: actionSet)
        case 6: return SetActionValue(value, action: action, actionSet: actionSet)
        default: return RemoveAction(action, actionSet: actionSet)
        }
    }

    private mutating func triggers(_ test: TestHome) -> any HomeRequest {
        let home = test.home
        let trigger = id(home.triggers.map(\.id), or: home.id)
        let actionSet = id(home.actionSets.map(\.id) + home.triggers.flatMap(\.actionSets), or: home.id)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            let seconds = pick([60, 120, -60, 30] as [Double]) ?? 60
            let recurrence = pick([nil, RecurrenceInterval(days: 1), RecurrenceInterval(minutes: 1)]) ?? nil
            let timer = TriggerDefinition.timer(in: seconds, every: recurrence)
            return AddTrigger(
                id: random.uuid(),
                name: name(),
                Bool.random(using: &random) ? timer : .event(rule(test))
            )
        case 2: return RemoveTrigger(trigger)
        case 3: return RenameTrigger(trigger, name: name())
        case 4, 5: return AddActionSetToTrigger(actionSet: actionSet, trigger: trigger)
        case 6: return RemoveActionSetFromTrigger(actionSet: actionSet, trigger: trigger)
        case 7, 8: return EnableTrigger(trigger, Int.random(in: 0..<4, using: &random) > 0)
        case 9: return AddOwnedActionSet(id: random.uuid(), trigger: trigger)
        default:
            let rule = rule(test)
            let edits: [TriggerEdit] = [
                .fireDate(TestHome.time.addingTimeInterval(180)), .recurrence(RecurrenceInterval(hours: 1)),
                .events(rule.events), .endEvents(rule.endEvents), .condition(rule.condition), .weekdays(rule.weekdays),
                .executesOnce(true),
            ]
            return EditTrigger(trigger, pick(edits) ?? .executesOnce(false))
        }
    }

    /// Returns a request that adds an event trigger.
    mutating func eventTrigger(for test: TestHome) -> any HomeRequest {
        AddTrigger(id: random.uuid(), name: "Trigger \(random.next())", .event(rule(test)))
    }

    private mutating func rule(_ test: TestHome) -> EventRule {
        let people = pick([Presence.People.everyone, .caller, .users(test.home.users.map(\.id))]) ?? .everyone
        let occurrences: [TriggerEvent.Occurrence] = [
            .characteristic(characteristic(test.home), nil), .characteristic(characteristic(test.home), value()),
            .threshold(characteristic(test.home), ThresholdRange(minimum: 1, maximum: nil)),
            .sun(SunMoment(.sunset, offset: -5)), .presence(Presence(.everyEntry, of: people)),
            .location(
                LocationRegion(identifier: "r", latitude: 1, longitude: 2, radius: 3, onEntry: true, onExit: false)
            ),
        ]
        let leaves: [Condition] = [
            .characteristic(characteristic(test.home), .equal, value()), .presence(Presence(.lastExit, of: people)),
            .calendar(.after, CalendarMoment(hour: 18)),
        ]
        let count = Int.random(in: 1...3, using: &random)
        let terms = (0..<count).compactMap { _ in pick(leaves) }
        return EventRule(
            events: (0..<count).compactMap { _ in pick(occurrences) }.map {
                TriggerEvent(id: random.uuid(), occurrence: $0)
            },
            endEvents: Bool.random(using: &random)
                ? [TriggerEvent(id: random.uuid(), occurrence: .duration(seconds: 5))] : [],
            condition: pick([nil, .all(terms), .not(.any(terms))]) ?? nil,
            weekdays: pick([[], [1, 7]]) ?? []
        )
    }

    private mutating func characteristic(_ home: Home) -> CharacteristicIdentity {
        let accessory = id(home.accessories.map(\.id), or: home.id)
        let iid = pick([11, 11, 11, 12, 21, 31, 2] as [UInt64]) ?? 11
        return home.identity(ofCharacteristic: iid, in: accessory)
            ?? CharacteristicIdentity(accessory: accessory, characteristic: accessory, type: HAPType.Characteristic.on)
    }

    private mutating func value() -> CharacteristicValue {
        pick([.bool(true), .bool(false), .integer(1), .integer(50), .double(0.5), .string("x")]) ?? .bool(true)
    }

    private mutating func candidates() -> [AccessoryCandidate] {
        (1...Int.random(in: 1...4, using: &random)).map { _ in
            var gadget = AccessoryCandidate.gadget(name(), aid: pick([1, 1, 2, 3, 4, 5]) ?? 1)
            gadget.id = random.uuid()
            gadget.category = pick([nil, nil, .bridge, .lightbulb]) ?? nil
            gadget.information = AccessoryInformation(model: pick(["", "M1", "M2"]))
            let other = [ServiceShape.outlet(iid: 20), .lightbulb(iid: 30)]
            gadget.services = pick([[], [.information, .lightbulb(iid: 10)], other, gadget.services]) ?? []
            return gadget
        }
    }

    private mutating func iid() -> UInt64 { pick([1, 10, 20, 30, 40]) ?? 1 }

    private mutating func name() -> String {
        let names = [
            "Kitchen", "kitchen", "Küche", "Lamp", "Lamp 2", "Kids' Room", "Bad!", "", "客厅", "A", "B", "C", "D",
        ]
        return Bool.random(using: &random) ? "Thing \(random.next() % 64)" : pick(names) ?? ""
    }

    private mutating func server() -> String { pick(["AA", "BB", "CC"]) ?? "" }

    private mutating func id(_ known: [UUID], or other: UUID) -> UUID {
        Int.random(in: 0..<10, using: &random) == 0 ? other : pick(known) ?? other
    }

    private mutating func flip(_ id: UUID) -> UUID? { Bool.random(using: &random) ? id : nil }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
}

// MARK: - Mangling

extension RandomRequests {
    /// Alters a change as a program with other rules or none might.
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
            let kinds: [RecordKind] = [
                .home, .user, .room, .zone, .shape, .accessory, .accountHome, .serviceGroup, .actionSet, .trigger,
                .accountApp,
            ]
            let kind = pick(kinds) ?? .room
            change.effects.append(.remove(RecordID(kind: kind, id: pick(["", "x", random.uuid().uuidString]) ?? "")))
        default:
            change.effects = change.effects.map { effect in
                guard case .put(let record) = effect else { return effect }
                return .put(mangled(record))
            }
        }
    }

    /// Alters some bytes, mostly within values.
    mutating func mangle(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            case 1 where bytes[place] >= UInt8(ascii: "0") && bytes[place] <= UInt8(ascii: "9"):
                bytes[place] = UInt8(ascii: "9")
            case 1: bytes[place] = UInt8(ascii: "-")
            case 2: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)]
            default: bytes.remove(at: place)
            }
            if bytes.isEmpty { return }
        }
    }

    private mutating func mangled(_ record: Record) -> Record {
        let odd = pick(["", "!", "Kitchen", String(repeating: "a\u{301}", count: 999)]) ?? ""
        switch record {
        case .accessory(var accessory):
            accessory.room = random.uuid()
            accessory.bridge = accessory.id
            accessory.isBridge = true
            accessory.name = odd
            accessory.shape = ShapeID(rawValue: pick(["", accessory.shape.rawValue]) ?? "")
            accessory.serviceNames[.max] = odd
            accessory.fixedIDs[10] = accessory.id
            return .accessory(accessory)
        case .zone(var zone):
            zone.rooms += zone.rooms + [random.uuid()]
            return .zone(zone)
        case .serviceGroup(var group):
            group.name = odd
            group.services += group.services + [ServiceIdentity(accessory: random.uuid(), service: random.uuid())]
            return .serviceGroup(group)
        case .actionSet(var actionSet):
            actionSet.name = odd
            actionSet.type = pick([.triggerOwned, .sleep, .userDefined, ActionSetType(rawValue: "x")]) ?? .sleep
            actionSet.actions += actionSet.actions
            return .actionSet(actionSet)
        case .trigger(var trigger):
            trigger.isEnabled.toggle()
            trigger.actionSets += trigger.actionSets + [random.uuid(), trigger.id]
            trigger.definition =
                pick([trigger.definition, .unknown(.null), .event(EventRule(events: []))]) ?? .unknown(.null)
            return .trigger(trigger)
        case .user(var user):
            user.role = pick([.owner, .guest, Role(rawValue: "x")]) ?? .guest
            return .user(user)
        default:
            return record
        }
    }
}
