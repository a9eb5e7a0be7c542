import Foundation
import HAPCatalog

// The home's place, rooms, zones, accessories and service groups.

extension HomeMerge {
    /// Imports the home's place on the map. An export without one leaves the home's.
    mutating func mergePlace() {
        guard let place = file.place, place != here.place, let old = here.record else { return }
        var new = old
        new.place = place
        let remark = old.place == nil ? "gets a place" : "has a different place"
        merge(.home(new), replacing: .home(old), origin: RecordID(.home, file.id), exported.name ?? "", [remark])
    }

    mutating func mergeRooms() throws(HomeError) {
        rooms[file.defaultRoom] = here.defaultRoom
        let matching = NamedMatching(file.rooms.map { ($0.id, $0.name) }, with: here.rooms.map { ($0.id, $0.name) })
        for room in file.rooms {
            let origin = RecordID(.room, room.id)
            let id = matching.here[room.id] ?? room.id
            rooms[room.id] = id
            let known = here.rooms[id: id]
            if known == nil {
                let (count, limit) = (result.rooms.count, HomeLimits.roomsPerHome)
                try checkIsNew(origin) { () throws(HomeError) in try result.checkLimit(count < limit, limit, "rooms") }
            }
            merge(
                .room(RoomRecord(id: id, name: room.name)),
                replacing: known.map { .room($0) },
                origin: origin,
                room.name,
                known.map { Self.renaming($0.name, room.name) } ?? []
            )
        }
    }

    mutating func mergeZones() throws(HomeError) {
        let matching = NamedMatching(file.zones.map { ($0.id, $0.name) }, with: here.zones.map { ($0.id, $0.name) })
        matched[.zone] = Set(matching.here.values)
        let known = Set(rooms.values)
        for zone in file.zones {
            let origin = RecordID(.zone, zone.id)
            let id = matching.here[zone.id] ?? zone.id
            let old = here.zones[id: id]
            if old == nil {
                let (count, limit) = (result.zones.count, HomeLimits.zonesPerHome)
                try checkIsNew(origin) { () throws(HomeError) in try result.checkLimit(count < limit, limit, "zones") }
            }
            let others = old?.rooms.filter { !known.contains($0) } ?? []
            let new = ZoneRecord(id: id, name: zone.name, rooms: zone.rooms.compactMap { rooms[$0] } + others)
            var remarks = old.map { Self.renaming($0.name, zone.name) } ?? []
            if let old, old.rooms != new.rooms { remarks.append("has different rooms") }
            merge(.zone(new), replacing: old.map { .zone($0) }, origin: origin, zone.name, remarks)
        }
    }

    mutating func mergeAccessories() throws(HomeError) {
        for accessory in file.accessories {
            let origin = RecordID(.accessory, accessory.id)
            guard let id = accessories.here[accessory.id], let old = here.accessories[id: id] else {
                report(.notHere, origin, accessory.name, [missingReason(for: accessory.id)])
                continue
            }
            if accessories.placed.contains(accessory.id), let remark = Self.replacement(of: accessory, by: old) {
                report(.replaced, origin, accessory.name, [remark], here: RecordID(.accessory, id))
            }
            var new = old
            var remarks = Self.renaming(old.name, accessory.name)
            new.name = accessory.name
            if let room = rooms[accessory.room], room != old.room {
                new.room = room
                remarks.append("moves from \((here.roomName(old.room) ?? "").quoted)")
            }
            let choices = [accessory.serviceNames.isEmpty, old.serviceNames.isEmpty]
            let types = [accessory.associatedTypes.isEmpty, old.associatedTypes.isEmpty]
            let display = [accessory, old].flatMap { [$0.hiddenServices.isEmpty, $0.servicesAskingFirst.isEmpty] }
            if (choices + types + display).contains(false), let correspondence = correspondence(accessory.id) {
                remarks += copyUserChoices(of: accessory, into: &new, correspondence)
            }
            merge(.accessory(new), replacing: .accessory(old), origin: origin, accessory.name, remarks)
        }
    }

    /// Returns the remark about a different device with an accessory's name and room; `nil` if it may be the same
    /// device.
    private static func replacement(of exported: AccessoryRecord, by accessory: AccessoryRecord) -> String? {
        let (old, new) = (exported.information, accessory.information)
        guard old.serialNumber != new.serialNumber || old.model != new.model || old.manufacturer != new.manufacturer
        else { return nil }
        let number = new.serialNumber.map { " (serial number \($0.quoted))" } ?? ""
        return "a different device\(number) with this name and room replaces it"
    }

    /// Copies what users chose for services from the export.
    ///
    /// - Returns: The remarks about the changes.
    private mutating func copyUserChoices(
        of exported: AccessoryRecord,
        into accessory: inout AccessoryRecord,
        _ correspondence: ServiceMatching
    ) -> [String] {
        var remarks: [String] = []
        let services = result.services(of: accessory)
        for (source, target) in correspondence.iids.sorted(by: { $0.value < $1.value }) {
            if accessory.serviceNames[target] != exported.serviceNames[source] {
                accessory.serviceNames[target] = exported.serviceNames[source]
                let name = exported.serviceNames[source].map { "is called \($0.quoted)" }
                remarks.append("its service \(target) \(name ?? "gets its reported name")")
            }
            if accessory.copy(\.hiddenServices, of: source, from: exported, to: target) {
                let isHidden = accessory.hiddenServices.contains(target)
                remarks.append("its service \(target) is \(isHidden ? "hidden" : "shown again")")
            }
            if accessory.copy(\.servicesAskingFirst, of: source, from: exported, to: target) {
                let asks = accessory.servicesAskingFirst.contains(target)
                remarks.append("its service \(target) \(asks ? "asks first" : "no longer asks first")")
            }
            let type = exported.associatedTypes[source]
            guard accessory.associatedTypes[target] != type else { continue }
            let service = services.first { $0.iid == target }
            if let type {
                guard let service, Self.canAssociate(service, with: type) else {
                    let name = exported.name
                    let remark = "its service \(target) can't count as \(type.shortForm)"
                    report(.leftOut, RecordID(.accessory, exported.id), name, [remark])
                    continue
                }
            }
            accessory.associatedTypes[target] = type
            remarks.append("its service \(target) has a different associated type")
        }
        return remarks
    }

    private static func canAssociate(_ service: ServiceShape, with type: HAPType) -> Bool {
        Home.typesWithAssociation.contains(service.type) && ServiceDefinition.of(type) != nil
    }

    private func missingReason(for accessory: UUID) -> String {
        guard let candidates = accessories.candidates[accessory] else { return "pair it and import again" }
        let names = candidates.prefix(5).compactMap { here.accessories[id: $0]?.name.quoted }
        let more = candidates.count > names.count ? " …" : ""
        return "it could be \(names.joined(separator: " or "))\(more): give the right one the same name and room and "
            + "import again"
    }

    mutating func mergeServiceGroups() throws(HomeError) {
        let matching = NamedMatching(
            file.serviceGroups.map { ($0.id, $0.name) },
            with: here.serviceGroups.map { ($0.id, $0.name) }
        )
        matched[.serviceGroup] = Set(matching.here.values)
        for group in file.serviceGroups {
            let origin = RecordID(.serviceGroup, group.id)
            let id = matching.here[group.id] ?? group.id
            let old = here.serviceGroups[id: id]
            if old == nil {
                let (count, limit) = (result.serviceGroups.count, HomeLimits.serviceGroupsPerHome)
                try checkIsNew(origin) { () throws(HomeError) in try result.checkLimit(count < limit, limit, "groups") }
            }
            var services: [ServiceIdentity] = []
            // Accessories with an unmatched service. The home's own services of them stay in the group.
            var uncertain: Set<UUID> = []
            for service in group.services {
                // A service keeps its place while its accessory lacks it.
                let waiting = old?.services.first { $0 == service }
                if let known = correspondence(service.accessory)?.service(service) ?? waiting {
                    if !services.contains(known) { services.append(known) }
                } else {
                    if let here = accessories.here[service.accessory] { uncertain.insert(here) }
                    let absence = absence(of: "service", in: service.accessory)
                    report(.leftOut, origin, group.name, ["without a service: \(absence)"])
                }
            }
            services +=
                old?.services.filter {
                    !services.contains($0) && (!isKnown($0.accessory) || uncertain.contains($0.accessory))
                } ?? []
            let (count, limit) = (services.count, HomeLimits.servicesPerGroup)
            try exported.check(origin) { () throws(HomeError) in
                guard count <= limit else {
                    throw HomeError(.limitExceeded, "A group has at most \(limit) services.")
                }
            }
            var remarks = old.map { Self.renaming($0.name, group.name) } ?? []
            if let old, old.services != services { remarks.append("has different services") }
            let new = ServiceGroupRecord(id: id, name: group.name, services: services)
            merge(.serviceGroup(new), replacing: old.map { .serviceGroup($0) }, origin: origin, group.name, remarks)
        }
    }
}

extension AccessoryRecord {
    /// Makes a service a member of a set of services if another accessory's service is one.
    ///
    /// - Returns: Whether the set changed.
    fileprivate mutating func copy(
        _ services: WritableKeyPath<AccessoryRecord, Set<UInt64>>,
        of source: UInt64,
        from other: AccessoryRecord,
        to iid: UInt64
    ) -> Bool {
        let isMember = other[keyPath: services].contains(source)
        guard self[keyPath: services].contains(iid) != isMember else { return false }
        if isMember { self[keyPath: services].insert(iid) } else { self[keyPath: services].remove(iid) }
        return true
    }
}
