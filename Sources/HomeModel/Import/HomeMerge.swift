import Foundation

/// The merge of an export into a home.
struct HomeMerge {
    let exported: ExportedHome
    /// The home before the import.
    let here: Home
    let caller: Caller
    let now: Date
    let accessories: AccessoryMatching
    /// The home after the import.
    private(set) var result: Home
    private(set) var items: [ImportReport.Item] = []
    private(set) var unchanged = 0
    /// The exporting user's favorites, as far as the home has them.
    private(set) var favorites: [Favorite] = []
    /// The home's user for each user of the export.
    let people: [UUID: UUID]
    /// The home's room for each room of the export.
    var rooms: [UUID: UUID] = [:]
    /// The home's action set for each action set of the export.
    var actionSets: [UUID: UUID] = [:]
    /// The other objects of the home that match one in the export, by kind.
    var matched: [RecordKind: Set<UUID>] = [:]
    private var correspondences: [UUID: ServiceMatching] = [:]
    /// The accessories of the home that match one in the export.
    private let knownAccessories: Set<UUID>

    /// The home in the export.
    var file: Home { exported.home }

    init(
        of exported: ExportedHome,
        into home: Home,
        by caller: Caller,
        at now: Date,
        person: (UUID) -> UUID?
    ) {
        self.exported = exported
        here = home
        result = home
        self.caller = caller
        self.now = now
        let accessories = AccessoryMatching(of: exported.home, in: home)
        self.accessories = accessories
        knownAccessories = Set(accessories.here.values)
        var people: [UUID: UUID] = [:]
        let owner = home.users.first { $0.role == .owner }
        for user in exported.home.users {
            let isOwner = user.role == .owner
            people[user.id] = isOwner ? owner?.id : person(user.id).flatMap { home.users[id: $0]?.id }
        }
        self.people = people
    }

    mutating func run() throws(HomeError) {
        mergePlace()
        try mergeRooms()
        try mergeZones()
        try mergeAccessories()
        try mergeServiceGroups()
        try mergeActionSets()
        try mergeTriggers()
        mergeOrders()
        mergeFavorites()
        disableIdleTriggers()
        try checkNames()
        recordUnmatched()
    }

    // MARK: Helpers

    /// Merges a record from the export and reports the outcome.
    ///
    /// - Parameters:
    ///   - old: The home's current record.
    ///   - origin: The record in the export.
    ///   - remarks: The remarks about the changes.
    mutating func merge(
        _ record: Record,
        replacing old: Record?,
        origin: RecordID,
        _ name: String,
        _ remarks: [String] = []
    ) {
        guard record != old else {
            unchanged += 1
            return
        }
        result.put(record)
        report(old == nil ? .added : .changed, origin, name, remarks, here: record.recordID)
    }

    /// Adds an item to the report.
    ///
    /// - Parameters:
    ///   - record: The record in the export.
    ///   - here: The record in the home; `nil` if there is none.
    mutating func report(
        _ outcome: ImportReport.Outcome,
        _ record: RecordID,
        _ name: String,
        _ remarks: [String] = [],
        here: RecordID? = nil
    ) {
        items.append(
            ImportReport.Item(
                fate: outcome,
                kind: record.kind,
                id: (here ?? record).uuid ?? exported.id,
                name: name,
                line: exported.lines[record],
                remarks: remarks
            )
        )
    }

    /// Throws if a new object's ID is in use, or if a limit is reached.
    func checkIsNew(_ record: RecordID, _ room: () throws(HomeError) -> Void) throws(HomeError) {
        try exported.check(record) { () throws(HomeError) in
            if let id = record.uuid { try result.checkIsNew(id) }
            try room()
        }
    }

    /// Returns whether an accessory of the home matches one in the export.
    func isKnown(_ accessory: UUID) -> Bool { knownAccessories.contains(accessory) }

    /// Returns the matching services of an accessory of the export; `nil` if the accessory isn't in the home.
    mutating func correspondence(_ accessory: UUID) -> ServiceMatching? {
        if let known = correspondences[accessory] { return known }
        guard let id = accessories.here[accessory], let old = file.accessories[id: accessory],
            let new = here.accessories[id: id]
        else { return nil }
        let correspondence = ServiceMatching(from: old, of: file, to: new, of: here)
        correspondences[accessory] = correspondence
        return correspondence
    }

    /// Returns the reason why the home has no match for a part of an accessory.
    func absence(of part: String, in accessory: UUID) -> String {
        let name = (file.accessories[id: accessory]?.name ?? "").quoted
        return accessories.here[accessory] == nil ? "\(name) is not in this home" : "\(name) has no such \(part)"
    }

    /// Returns the remark about a changed name.
    static func renaming(_ old: String, _ new: String) -> [String] {
        old == new ? [] : ["was called \(old.quoted)"]
    }

    // MARK: Orders and favorites

    /// Imports the orders. What only the home has follows in the home's order.
    private mutating func mergeOrders() {
        for order in file.orders {
            guard let id = order.id == file.id ? here.id : rooms[order.id] else { continue }
            let old = result.orders[id: id]
            var new = OrderRecord(id: id, rooms: order.rooms.compactMap { rooms[$0] })
            var named: Set<ServiceIdentity> = []
            for service in order.services {
                // A service keeps its place while its accessory lacks it.
                let waiting = old?.services.first { $0 == service }
                if let known = correspondence(service.accessory)?.service(service) ?? waiting,
                    named.insert(known).inserted
                {
                    new.services.append(known)
                }
            }
            new.rooms += old?.rooms.filter { !new.rooms.contains($0) } ?? []
            new.services += old?.services.filter { !named.contains($0) } ?? []
            new.services = Array(new.services.prefix(HomeLimits.orderedServicesPerRoom))
            guard !new.isEmpty, new != old else { continue }
            let name = id == here.id ? exported.name : result.roomName(id)
            let origin = RecordID(.order, order.id)
            merge(.order(new), replacing: old.map { .order($0) }, origin: origin, name ?? "")
        }
    }

    private mutating func mergeFavorites() {
        for favorite in exported.favorites {
            let known: Favorite? =
                switch favorite {
                case .service(let service): correspondence(service.accessory)?.service(service).map { .service($0) }
                case .actionSet(let id): actionSets[id].map { .actionSet($0) }
                }
            guard let known, !favorites.contains(known), (try? result.check(known)) != nil else { continue }
            favorites.append(known)
        }
        favorites = Array(favorites.prefix(HomeLimits.favoritesPerHome))
    }

    // MARK: Completion

    /// Disables triggers that have nothing left to do.
    private mutating func disableIdleTriggers() {
        for var trigger in result.triggers where trigger.isEnabled && !result.hasWork(trigger) {
            trigger.isEnabled = false
            result.put(.trigger(trigger))
            let remark = "is disabled: it has nothing left to do"
            report(.changed, RecordID(.trigger, trigger.id), trigger.name, [remark])
        }
    }

    /// Throws if an imported name is in use by an object that only the home has.
    private func checkNames() throws(HomeError) {
        var lines: [UUID: Int] = [:]
        for item in items where [.added, .changed].contains(item.fate) { lines[item.id] = item.line }
        try NameConflicts(in: result) { $0.uuid.flatMap { lines[$0] } }.check()
    }

    /// Reports users of the export who aren't members, unknown records, and objects that only the home has.
    private mutating func recordUnmatched() {
        for user in file.users where people[user.id] == nil {
            let remark = "users are not imported: add them again"
            report(.leftOut, RecordID(.user, user.id), user.name.abbreviated, [remark])
        }
        for unknown in file.unknownRecords {
            report(.leftOut, unknown.id, "", ["it is from a newer version"])
        }
        let rooms = Set(rooms.values)
        for room in here.rooms where !rooms.contains(room.id) { recordUnchanged(.room, room.id, room.name) }
        for zone in here.zones where !isMatched(.zone, zone.id) { recordUnchanged(.zone, zone.id, zone.name) }
        for accessory in here.accessories where !isKnown(accessory.id) {
            recordUnchanged(.accessory, accessory.id, accessory.name)
        }
        for group in here.serviceGroups where !isMatched(.serviceGroup, group.id) {
            recordUnchanged(.serviceGroup, group.id, group.name)
        }
        let actionSets = Set(actionSets.values)
        for actionSet in here.actionSetRecords
        where actionSet.type != .triggerOwned && !actionSets.contains(actionSet.id) {
            recordUnchanged(.actionSet, actionSet.id, actionSet.name)
        }
        for trigger in here.triggers where !isMatched(.trigger, trigger.id) {
            recordUnchanged(.trigger, trigger.id, trigger.name)
        }
    }

    private mutating func recordUnchanged(_ kind: RecordKind, _ id: UUID, _ name: String) {
        report(.stays, RecordID(kind, id), name)
    }

    private func isMatched(_ kind: RecordKind, _ id: UUID) -> Bool { matched[kind]?.contains(id) == true }
}
