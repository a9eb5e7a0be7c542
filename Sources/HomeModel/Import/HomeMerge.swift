import Foundation

/// Works out what a home is once it has taken over what an export says of it.
struct HomeMerge {
    let exported: ExportedHome
    /// The home as it is.
    let here: Home
    let caller: Caller
    let now: Date
    let accessories: AccessoryMatching
    /// The home as it will be.
    private(set) var result: Home
    private(set) var items: [ImportReport.Item] = []
    private(set) var unchanged = 0
    /// The people here that those of the export are.
    let people: [UUID: UUID]
    /// The rooms here that those of the export are.
    var rooms: [UUID: UUID] = [:]
    /// The action sets here that those of the export are.
    var actionSets: [UUID: UUID] = [:]
    /// What else here the export has, by kind.
    var matched: [RecordKind: Set<UUID>] = [:]
    private var correspondences: [UUID: ServiceMatching] = [:]
    /// The accessories here that the export has.
    private let knownAccessories: Set<UUID>

    /// The home as the export has it.
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
        try mergeRooms()
        try mergeZones()
        try mergeAccessories()
        try mergeServiceGroups()
        try mergeActionSets()
        try mergeTriggers()
        disableIdleTriggers()
        try checkNames()
        noteOthers()
    }

    // MARK: What the steps share

    /// Puts a record that the export has.
    ///
    /// - Parameters:
    ///   - origin: The export's record.
    ///   - old: What is here.
    ///   - remarks: What changes.
    mutating func settle(
        _ record: Record,
        from old: Record?,
        origin: RecordID,
        _ name: String,
        _ remarks: [String] = []
    ) {
        guard record != old else {
            unchanged += 1
            return
        }
        result.put(record)
        note(old == nil ? .added : .changed, origin, name, remarks, here: record.recordID)
    }

    /// Notes what becomes of something.
    ///
    /// - Parameter record: What it is in the export.
    mutating func note(
        _ fate: ImportReport.Fate,
        _ record: RecordID,
        _ name: String,
        _ remarks: [String] = [],
        here: RecordID? = nil
    ) {
        items.append(
            ImportReport.Item(
                fate: fate,
                kind: record.kind,
                id: (here ?? record).uuid ?? exported.id,
                name: name,
                line: exported.lines[record],
                remarks: remarks
            )
        )
    }

    /// Refuses something new whose identity is taken, or for which there is no room.
    func checkIsNew(_ record: RecordID, _ room: () throws(HomeError) -> Void) throws(HomeError) {
        try exported.check(record) { () throws(HomeError) in
            if let id = record.uuid { try result.checkIsNew(id) }
            try room()
        }
    }

    /// Whether an accessory here is one of the export's.
    func isKnown(_ accessory: UUID) -> Bool { knownAccessories.contains(accessory) }

    /// Which services of an accessory of the export are which here; nil if the accessory is not here.
    mutating func correspondence(_ accessory: UUID) -> ServiceMatching? {
        if let known = correspondences[accessory] { return known }
        guard let id = accessories.here[accessory], let old = file.accessories[id: accessory],
            let new = here.accessories[id: id]
        else { return nil }
        let correspondence = ServiceMatching(from: old, of: file, to: new, of: here)
        correspondences[accessory] = correspondence
        return correspondence
    }

    /// Why nothing here stands for a part of an accessory.
    func absence(of part: String, in accessory: UUID) -> String {
        let name = (file.accessories[id: accessory]?.name ?? "").shownInQuotes
        return accessories.here[accessory] == nil ? "\(name) is not here" : "\(name) has no such \(part) here"
    }

    /// What is said of a name that changes.
    static func renaming(_ old: String, _ new: String) -> [String] {
        old == new ? [] : ["was called \(old.shownInQuotes)"]
    }

    // MARK: The end

    /// A trigger that lost all it had to do is not left enabled.
    private mutating func disableIdleTriggers() {
        for var trigger in result.triggers where trigger.isEnabled && !result.hasWork(trigger) {
            trigger.isEnabled = false
            result.put(.trigger(trigger))
            let remark = "is disabled: it has nothing left to do"
            note(.changed, RecordID(.trigger, trigger.id), trigger.name, [remark])
        }
    }

    /// Refuses names that what only the home has bears already.
    private func checkNames() throws(HomeError) {
        var lines: [UUID: Int] = [:]
        for item in items where [.added, .changed].contains(item.fate) { lines[item.id] = item.line }
        try NameConflicts(in: result) { $0.uuid.flatMap { lines[$0] } }.check()
    }

    /// Notes the people of the export who are not here, what this version does not know, and what only the home has.
    private mutating func noteOthers() {
        for user in file.users where people[user.id] == nil {
            let remark = "people are not imported: add them again"
            note(.leftOut, RecordID(.user, user.id), user.name.shownBriefly, [remark])
        }
        for stranger in file.strangers {
            note(.leftOut, stranger.id, "", ["it is of a newer version"])
        }
        let rooms = Set(rooms.values)
        for room in here.rooms where !rooms.contains(room.id) { stay(.room, room.id, room.name) }
        for zone in here.zones where !touched(.zone, zone.id) { stay(.zone, zone.id, zone.name) }
        for accessory in here.accessories where !isKnown(accessory.id) {
            stay(.accessory, accessory.id, accessory.name)
        }
        for group in here.serviceGroups where !touched(.serviceGroup, group.id) {
            stay(.serviceGroup, group.id, group.name)
        }
        let actionSets = Set(actionSets.values)
        for actionSet in here.actionSetRecords
        where actionSet.type != .triggerOwned && !actionSets.contains(actionSet.id) {
            stay(.actionSet, actionSet.id, actionSet.name)
        }
        for trigger in here.triggers where !touched(.trigger, trigger.id) { stay(.trigger, trigger.id, trigger.name) }
    }

    private mutating func stay(_ kind: RecordKind, _ id: UUID, _ name: String) {
        note(.stays, RecordID(kind, id), name)
    }

    private func touched(_ kind: RecordKind, _ id: UUID) -> Bool { matched[kind]?.contains(id) == true }
}
