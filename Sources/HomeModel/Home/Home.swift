package import Foundation
internal import HashTreeCollections

/// A home as a value: its rooms, zones, accessories, service groups, action sets, triggers and people.
///
/// State changes by ``apply(_:)`` alone, which follows a change's effects and knows no rule. What may change is
/// decided by ``decide(_:by:)``, in the hub only. A copy is cheap and stays as it was.
package struct Home: Sendable, Identifiable {
    /// The name under which the default room is shown. It is no room's own and cannot be given to anything.
    package static let defaultRoomName = "Default Room"

    /// The home's identity.
    package let id: UUID
    /// The ID of the person to whom a client shows the home, among ``users``; `nil` in the hub and until the hub has told
    /// it. It is no record and takes no part in comparisons.
    package var viewer: UUID?
    /// The rooms in the order in which they were added, without the default room.
    package internal(set) var rooms = RecordList<RoomRecord>()
    /// The zones in the order in which they were added.
    package internal(set) var zones = RecordList<ZoneRecord>()
    /// The accessories in the order in which they were added: standalone ones, bridges, those behind bridges, and
    /// those that are absent.
    package internal(set) var accessories = RecordList<AccessoryRecord>()
    /// The people in the order in which they were added, the owner first.
    package internal(set) var users = RecordList<UserRecord>()
    /// The shapes that the accessories use.
    package internal(set) var shapes = RecordList<ShapeRecord>()

    /// The service groups in the order in which they were added.
    package internal(set) var serviceGroups = RecordList<ServiceGroupRecord>()
    /// The triggers in the order in which they were added.
    package internal(set) var triggers = RecordList<TriggerRecord>()
    /// The action sets that have a record: trigger-owned ones too, built-in ones only once they were changed.
    var actionSetRecords = RecordList<ActionSetRecord>()
    /// The built-in action sets as they are until they are changed.
    let builtInActionSets: [ActionSetRecord]

    /// The home's own record; nil until a change has put it.
    var record: HomeRecord?
    /// Records of kinds that this version does not know, and those of other logs.
    var strangers = RecordList<UnknownRecord>()
    /// Who bears which name.
    var names = NameIndex()
    var accessoriesByRoom = IdentityIndex<UUID, UUID>()
    var accessoriesByBridge = IdentityIndex<UUID, UUID>()
    var accessoriesByServer = IdentityIndex<String, UUID>()
    var accessoriesByShape = IdentityIndex<ShapeID, UUID>()
    /// What refers to a room, an accessory, an action, an action set or a person.
    var referrers = IdentityIndex<UUID, Referrer>()

    /// Makes a home of stored records, in their order. Nothing is checked: what is there is kept.
    package init(id: UUID, records: some Sequence<Record> = []) {
        self.id = id
        builtInActionSets = ActionSetType.builtIn.map { type, name in
            ActionSetRecord(id: UUID(nameSpace: id, name: type.rawValue), name: name, type: type)
        }
        for actionSet in builtInActionSets { names.insert(.actionSet(actionSet.id), actionSet.name) }
        for record in records { put(record) }
    }

    /// The identity of the default room (`roomForEntireHome`).
    package var defaultRoom: UUID { record?.defaultRoom ?? id }

    /// Every record, from which ``init(id:records:)`` makes an equal home: home, people, rooms, zones, shapes,
    /// accessories, service groups, action sets, triggers, then what this version does not know.
    package var records: [Record] {
        var records: [Record] = []
        if let record { records.append(.home(record)) }
        records += users.lazy.map { .user($0) }
        records += rooms.lazy.map { .room($0) }
        records += zones.lazy.map { .zone($0) }
        records += shapes.lazy.map { .shape($0) }
        records += accessories.lazy.map { .accessory($0) }
        records += serviceGroups.lazy.map { .serviceGroup($0) }
        records += actionSetRecords.lazy.map { .actionSet($0) }
        records += triggers.lazy.map { .trigger($0) }
        records += strangers.lazy.map(\.record)
        return records
    }
}

extension Home {
    /// The room's name as it is shown, the default room's included; nil if there is no such room.
    package func roomName(_ room: UUID) -> String? {
        room == defaultRoom ? Self.defaultRoomName : rooms[id: room]?.name
    }

    /// Whether the identity is a room's or the default room's.
    package func hasRoom(_ room: UUID) -> Bool { room == defaultRoom || rooms.contains(id: room) }

    /// The accessories in a room, in the order in which they were added.
    package func accessories(inRoom room: UUID) -> [AccessoryRecord] {
        accessories.records(accessoriesByRoom[room])
    }

    /// The accessories behind a bridge, in the order in which they were added.
    package func accessories(behind bridge: UUID) -> [AccessoryRecord] {
        accessories.records(accessoriesByBridge[bridge])
    }

    /// The accessories that one accessory server hosts, in the order in which they were added.
    ///
    /// - Parameter server: The HAP device id, `XX:XX:XX:XX:XX:XX`.
    package func accessories(onServer server: String) -> [AccessoryRecord] {
        accessories.records(accessoriesByServer[server])
    }

    /// The device ids of all accessory servers, each once, in the order in which they were added.
    package var servers: [String] {
        var seen: Set<String> = []
        return accessories.lazy.map(\.server).filter { seen.insert($0).inserted }
    }

    /// The services of an accessory; nil only where a damaged log lacks them.
    package func shape(of accessory: AccessoryRecord) -> ShapeRecord? { shapes[id: accessory.shape] }

    /// The services of an accessory in its order; none where a damaged log lacks them.
    package func services(of accessory: AccessoryRecord) -> [ServiceShape] { shape(of: accessory)?.services ?? [] }

    /// What a person's role in the home is; nil for someone who has no part in it.
    package func role(of user: UUID) -> Role? { users[id: user]?.role }

    /// What a person may do in the home at present; nil for someone who has no part in it, or is suspended.
    package func presentRole(of user: UUID) -> Role? {
        guard let record = users[id: user], !record.isSuspended else { return nil }
        return record.role
    }
}

extension Home: Hashable {
    /// Whether both have equal records in the same order.
    package static func == (left: Home, right: Home) -> Bool {
        left.id == right.id && left.record == right.record && left.users == right.users && left.rooms == right.rooms
            && left.zones == right.zones && left.shapes == right.shapes && left.accessories == right.accessories
            && left.serviceGroups == right.serviceGroups && left.actionSetRecords == right.actionSetRecords
            && left.triggers == right.triggers && left.strangers == right.strangers
    }

    /// Feeds what tells homes apart cheaply.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(accessories.count)
        hasher.combine(rooms)
    }
}
