import Foundation

// Rules for the consistency of an export, independent of the home that it is imported into.

extension ExportedHome {
    /// Throws if the records contradict each other.
    func check(_ records: [Record]) throws(HomeError) {
        try checkKinds(records)
        try checkIdentities(records)
        try checkPlaces()
        try checkAutomations()
        try checkNames()
    }

    private func checkKinds(_ records: [Record]) throws(HomeError) {
        guard home.record != nil else {
            throw HomeError(.exportDamaged, "The export has no line for the home \(id) itself.")
        }
        for record in records {
            switch record {
            case .home(let other) where other.id != id:
                throw damaged(record.recordID, "it belongs to another home.")
            case .accountHome, .accountFavorites, .accountApp, .accountDevice:
                throw damaged(record.recordID, "it doesn't belong in a home.")
            default:
                break
            }
        }
    }

    /// Throws if two objects of the home have the same ID.
    private func checkIdentities(_ records: [Record]) throws(HomeError) {
        var seen: Set<UUID> = [id]
        if !seen.insert(home.defaultRoom).inserted, home.defaultRoom != id {
            throw damaged(RecordID(.home, id), "the default room has the ID of another object.")
        }
        for record in records {
            var identities: [UUID] = []
            switch record {
            case .home, .shape, .order, .unknown: break
            case .actionSet(let actionSet): identities = [actionSet.id] + actionSet.actions.map(\.id)
            default: identities = [record.recordID.uuid].compactMap(\.self)
            }
            for identity in identities where !seen.insert(identity).inserted {
                throw damaged(record.recordID, "another object has the ID \(identity).")
            }
        }
    }

    private func checkPlaces() throws(HomeError) {
        if let place = home.place, !place.isValid {
            throw damaged(RecordID(.home, id), "the home's place is not on the map.")
        }
        for shape in home.shapes {
            let characteristics = shape.services.map(\.characteristics.count).max() ?? 0
            let record = RecordID(shape.id)
            try checkCount(shape.services.count, HomeLimits.servicesPerAccessory, "services", record)
            try checkCount(characteristics, HomeLimits.characteristicsPerService, "characteristics", record)
        }
        for zone in home.zones {
            let record = RecordID(.zone, zone.id)
            for room in zone.rooms where !home.rooms.contains(id: room) {
                throw damaged(record, "there is no room \(room).")
            }
            try checkHasNoDuplicates(zone.rooms, record)
        }
        for accessory in home.accessories {
            let record = RecordID(.accessory, accessory.id)
            guard home.hasRoom(accessory.room) else { throw damaged(record, "there is no room \(accessory.room).") }
            guard home.shape(of: accessory) != nil else {
                throw damaged(record, "there is no shape \(accessory.shape.rawValue.quoted).")
            }
            if let bridge = accessory.bridge, home.accessories[id: bridge]?.isBridge != true {
                throw damaged(record, "there is no bridge \(bridge).")
            }
        }
        for order in home.orders {
            let record = RecordID(.order, order.id)
            try checkCount(order.rooms.count, HomeLimits.roomsPerHome, "rooms", record)
            try checkCount(order.services.count, HomeLimits.orderedServicesPerRoom, "services", record)
        }
        for group in home.serviceGroups {
            let record = RecordID(.serviceGroup, group.id)
            try checkCount(group.services.count, HomeLimits.servicesPerGroup, "services", record)
            try checkHasAccessories(group.references, record)
            try checkHasNoDuplicates(group.services, record)
        }
    }

    private func checkAutomations() throws(HomeError) {
        var owners: [UUID: Int] = [:]
        for trigger in home.triggers {
            let record = RecordID(.trigger, trigger.id)
            try checkCount(trigger.actionSets.count, HomeLimits.actionSetsPerTrigger, "action sets", record)
            if case .event(let rule) = trigger.definition {
                try checkCount(rule.events.count, HomeLimits.eventsPerTrigger, "events", record)
                try checkCount(rule.endEvents.count, HomeLimits.eventsPerTrigger, "end events", record)
                try checkCount(rule.condition?.size ?? 0, HomeLimits.termsPerCondition, "terms", record)
            }
            for actionSet in trigger.actionSets {
                guard let known = home.actionSet(actionSet) else {
                    throw damaged(record, "there is no action set \(actionSet).")
                }
                if known.type == .triggerOwned { owners[actionSet, default: 0] += 1 }
            }
            try checkHasNoDuplicates(trigger.actionSets, record)
            let people = home.users.map(\.id)
            let others = trigger.references.subtracting(trigger.actionSets).subtracting(people)
            try checkHasAccessories(others, record)
        }
        let builtInTypes = Set(home.builtInActionSets.map(\.type))
        for actionSet in home.actionSetRecords {
            let record = RecordID(.actionSet, actionSet.id)
            try checkCount(actionSet.actions.count, HomeLimits.actionsPerActionSet, "actions", record)
            let characteristics = actionSet.actions.compactMap(\.characteristic)
            try checkHasAccessories(Set(characteristics.map(\.accessory)), record)
            try checkHasNoDuplicates(characteristics, record)
            guard actionSet.type != .triggerOwned || owners[actionSet.id] == 1 else {
                throw damaged(record, "it must be owned by exactly one trigger.")
            }
            let builtIn = home.builtInActionSet(actionSet.id)
            guard builtIn.map({ $0.type == actionSet.type }) ?? !builtInTypes.contains(actionSet.type) else {
                throw damaged(record, "it is not one of this home's built-in action sets.")
            }
        }
    }

    private func checkNames() throws(HomeError) {
        try NameConflicts(in: home) { lines[$0] }.check()
    }

    private func checkHasAccessories(_ accessories: Set<UUID>, _ record: RecordID) throws(HomeError) {
        guard let missing = accessories.first(where: { !home.accessories.contains(id: $0) }) else { return }
        throw damaged(record, "there is no accessory \(missing).")
    }

    private func checkCount(_ count: Int, _ limit: Int, _ noun: String, _ record: RecordID) throws(HomeError) {
        try check(record) { () throws(HomeError) in
            guard count <= limit else { throw HomeError(.limitExceeded, "It has more than \(limit) \(noun).") }
        }
    }

    private func checkHasNoDuplicates(_ items: [some Hashable], _ record: RecordID) throws(HomeError) {
        guard Set(items).count == items.count else { throw damaged(record, "it contains something twice.") }
    }
}

/// A name and its holder.
struct NameUse {
    var holder: NameHolder
    var name: String
    var record: RecordID
}

extension Home {
    /// The names in the home that must be unique, with their holders.
    var nameUses: [NameUse] {
        var uses = rooms.map { NameUse(holder: .room($0.id), name: $0.name, record: RecordID(.room, $0.id)) }
        uses += zones.map { NameUse(holder: .zone($0.id), name: $0.name, record: RecordID(.zone, $0.id)) }
        for accessory in accessories {
            let record = RecordID(.accessory, accessory.id)
            uses.append(NameUse(holder: .accessory(accessory.id), name: accessory.name, record: record))
            for (iid, name) in accessory.serviceNames {
                let holder = NameHolder.service(accessory: accessory.id, iid: iid)
                uses.append(NameUse(holder: holder, name: name, record: record))
            }
        }
        uses += serviceGroups.map {
            NameUse(holder: .serviceGroup($0.id), name: $0.name, record: RecordID(.serviceGroup, $0.id))
        }
        uses += actionSetRecords.filter { $0.type != .triggerOwned }.map {
            NameUse(holder: .actionSet($0.id), name: $0.name, record: RecordID(.actionSet, $0.id))
        }
        uses += triggers.map { NameUse(holder: .trigger($0.id), name: $0.name, record: RecordID(.trigger, $0.id)) }
        return uses
    }
}
