package import Foundation
internal import HashTreeCollections

/// A home as a value: its rooms, zones, accessories, service groups, action sets, triggers and users.
///
/// Only ``apply(_:)`` changes the state. It applies a change's effects and checks no rules; ``decide(_:by:at:)``, which
/// only the hub calls, decides what may change. Copies are cheap and independent.
package struct Home: Sendable, Identifiable {
    /// The displayed name of the default room. No other object can have it.
    package static let defaultRoomName = "Default Room"

    /// The home's identity.
    package let id: UUID
    /// The ID, among ``users``, of the user for whom a client shows the home; `nil` in the hub and until the hub has
    /// sent it. It isn't part of a record and doesn't count in comparisons.
    package var viewer: UUID?
    /// The rooms in the order in which they were added, without the default room.
    package internal(set) var rooms = RecordList<RoomRecord>()
    /// The zones in the order in which they were added.
    package internal(set) var zones = RecordList<ZoneRecord>()
    /// The accessories in the order in which they were added: standalone and bridged accessories, bridges, and absent
    /// accessories.
    package internal(set) var accessories = RecordList<AccessoryRecord>()
    /// The users in the order in which they were added, the owner first.
    package internal(set) var users = RecordList<UserRecord>()
    /// The shapes that the accessories use.
    package internal(set) var shapes = RecordList<ShapeRecord>()

    /// The service groups in the order in which they were added.
    package internal(set) var serviceGroups = RecordList<ServiceGroupRecord>()
    /// The triggers in the order in which they were added.
    package internal(set) var triggers = RecordList<TriggerRecord>()
    /// The orders that users gave to the rooms and to the services in rooms.
    package internal(set) var orders = RecordList<OrderRecord>()
    /// The action sets that have a record, including trigger-owned ones. Built-in ones have a record once they are
    /// changed.
    var actionSetRecords = RecordList<ActionSetRecord>()
    /// The built-in action sets as they are before any change.
    let builtInActionSets: [ActionSetRecord]

    /// The home's own record; `nil` until a change has added it.
    var record: HomeRecord?
    /// Records of unknown kinds, and records that belong to other logs.
    var unknownRecords = RecordList<UnknownRecord>()
    /// The holders of each name.
    var names = NameIndex()
    var accessoriesByRoom = IdentityIndex<UUID, UUID>()
    var accessoriesByBridge = IdentityIndex<UUID, UUID>()
    var accessoriesByServer = IdentityIndex<String, UUID>()
    var accessoriesByShape = IdentityIndex<ShapeID, UUID>()
    /// The objects that refer to a room, an accessory, an action, an action set or a user.
    var referrers = IdentityIndex<UUID, Referrer>()

    /// Creates a home from stored records, in their order and without checking them.
    package init(id: UUID, records: some Sequence<Record> = []) {
        self.id = id
        builtInActionSets = ActionSetType.builtIn.map { type, name in
            ActionSetRecord(id: UUID(nameSpace: id, name: type.rawValue), name: name, type: type)
        }
        for actionSet in builtInActionSets { names.insert(.actionSet(actionSet.id), actionSet.name) }
        for record in records { put(record) }
    }

    /// The ID of the default room (`roomForEntireHome`).
    package var defaultRoom: UUID { record?.defaultRoom ?? id }
    /// Where the home is; `nil` if no user has set it.
    package var place: Place? { record?.place }

    /// All records. Passing them to ``init(id:records:)`` creates an equal home. The order is: home, users, rooms,
    /// zones, shapes, accessories, service groups, action sets, triggers, orders, then unknown records.
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
        records += orders.lazy.map { .order($0) }
        records += unknownRecords.lazy.map(\.record)
        return records
    }
}

extension Home {
    /// Returns the displayed name of a room or of the default room; `nil` if there is no such room.
    package func roomName(_ room: UUID) -> String? {
        room == defaultRoom ? Self.defaultRoomName : rooms[id: room]?.name
    }

    /// Returns whether the ID belongs to a room or to the default room.
    package func hasRoom(_ room: UUID) -> Bool { room == defaultRoom || rooms.contains(id: room) }

    /// Returns the accessories in a room, in the order in which they were added.
    package func accessories(inRoom room: UUID) -> [AccessoryRecord] {
        accessories.records(accessoriesByRoom[room])
    }

    /// Returns the bridged accessories of a bridge, in the order in which they were added.
    package func accessories(behind bridge: UUID) -> [AccessoryRecord] {
        accessories.records(accessoriesByBridge[bridge])
    }

    /// Returns the accessories of an accessory server, in the order in which they were added.
    ///
    /// - Parameter server: The HAP device ID, `XX:XX:XX:XX:XX:XX`.
    package func accessories(onServer server: String) -> [AccessoryRecord] {
        accessories.records(accessoriesByServer[server])
    }

    /// The device IDs of all accessory servers, without duplicates, in the order in which they were added.
    package var servers: [String] {
        var seen: Set<String> = []
        return accessories.lazy.map(\.server).filter { seen.insert($0).inserted }
    }

    /// Returns the shape of an accessory; `nil` only if a damaged log lacks it.
    package func shape(of accessory: AccessoryRecord) -> ShapeRecord? { shapes[id: accessory.shape] }

    /// Returns the services of an accessory in its order; empty if a damaged log lacks them.
    package func services(of accessory: AccessoryRecord) -> [ServiceShape] { shape(of: accessory)?.services ?? [] }

    /// Returns a user's role in the home; `nil` if the user isn't a member.
    package func role(of user: UUID) -> Role? { users[id: user]?.role }

    /// Returns the role that a user can exercise now; `nil` if the user isn't a member or is suspended.
    package func activeRole(of user: UUID) -> Role? {
        guard let record = users[id: user], !record.isSuspended else { return nil }
        return record.role
    }
}

extension Home: Hashable {
    /// Returns whether both have equal records in the same order.
    package static func == (left: Home, right: Home) -> Bool {
        left.id == right.id && left.record == right.record && left.users == right.users && left.rooms == right.rooms
            && left.zones == right.zones && left.shapes == right.shapes && left.accessories == right.accessories
            && left.serviceGroups == right.serviceGroups && left.actionSetRecords == right.actionSetRecords
            && left.triggers == right.triggers && left.orders == right.orders
            && left.unknownRecords == right.unknownRecords
    }

    /// Hashes a few properties that distinguish homes cheaply.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(accessories.count)
        hasher.combine(rooms)
    }
}
