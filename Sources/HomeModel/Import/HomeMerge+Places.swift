import Foundation
import HAPCatalog

// Rooms, zones, accessories and service groups.

extension HomeMerge {
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
            settle(
                .room(RoomRecord(id: id, name: room.name)),
                from: known.map { .room($0) },
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
            if let old, old.rooms != new.rooms { remarks.append("has other rooms") }
            settle(.zone(new), from: old.map { .zone($0) }, origin: origin, zone.name, remarks)
        }
    }

    mutating func mergeAccessories() throws(HomeError) {
        for accessory in file.accessories {
            let origin = RecordID(.accessory, accessory.id)
            guard let id = accessories.here[accessory.id], let old = here.accessories[id: id] else {
                note(.notHere, origin, accessory.name, [whyNotHere(accessory.id)])
                continue
            }
            if accessories.placed.contains(accessory.id), let remark = Self.replacement(of: accessory, by: old) {
                note(.replaced, origin, accessory.name, [remark], here: RecordID(.accessory, id))
            }
            var new = old
            var remarks = Self.renaming(old.name, accessory.name)
            new.name = accessory.name
            if let room = rooms[accessory.room], room != old.room {
                new.room = room
                remarks.append("moves from \((here.roomName(old.room) ?? "").shownInQuotes)")
            }
            let choices = [accessory.serviceNames.isEmpty, old.serviceNames.isEmpty]
            let types = [accessory.associatedTypes.isEmpty, old.associatedTypes.isEmpty]
            if (choices + types).contains(false), let correspondence = correspondence(accessory.id) {
                remarks += takeChoices(of: accessory, into: &new, correspondence)
            }
            settle(.accessory(new), from: .accessory(old), origin: origin, accessory.name, remarks)
        }
    }

    /// What is said of another device that has an accessory's name and room; nil if it may be the same.
    private static func replacement(of exported: AccessoryRecord, by accessory: AccessoryRecord) -> String? {
        let (old, new) = (exported.information, accessory.information)
        guard old.serialNumber != new.serialNumber || old.model != new.model || old.manufacturer != new.manufacturer
        else { return nil }
        let number = new.serialNumber.map { ", with the serial number \($0.shownInQuotes)," } ?? ""
        return "another device\(number) stands for it: it has the name and the room"
    }

    /// Gives services the names and associated types that they have in the export.
    ///
    /// - Returns: What changes.
    private mutating func takeChoices(
        of exported: AccessoryRecord,
        into accessory: inout AccessoryRecord,
        _ correspondence: ServiceMatching
    ) -> [String] {
        var remarks: [String] = []
        let services = result.services(of: accessory)
        for (source, target) in correspondence.iids.sorted(by: { $0.value < $1.value }) {
            if accessory.serviceNames[target] != exported.serviceNames[source] {
                accessory.serviceNames[target] = exported.serviceNames[source]
                let name = exported.serviceNames[source].map(\.shownInQuotes) ?? "as it reports"
                remarks.append("its service \(target) is called \(name)")
            }
            let type = exported.associatedTypes[source]
            guard accessory.associatedTypes[target] != type else { continue }
            let service = services.first { $0.iid == target }
            if let type {
                guard let service, Self.mayBelong(service, to: type) else {
                    let name = exported.name
                    let remark = "its service \(target) cannot count as \(type.shortForm)"
                    note(.leftOut, RecordID(.accessory, exported.id), name, [remark])
                    continue
                }
            }
            accessory.associatedTypes[target] = type
            remarks.append("its service \(target) counts as something else")
        }
        return remarks
    }

    private static func mayBelong(_ service: ServiceShape, to type: HAPType) -> Bool {
        Home.typesWithAssociation.contains(service.type) && ServiceDefinition.of(type) != nil
    }

    private func whyNotHere(_ accessory: UUID) -> String {
        guard let candidates = accessories.candidates[accessory] else { return "pair it, and import again" }
        let names = candidates.prefix(5).compactMap { here.accessories[id: $0]?.name.shownInQuotes }
        let more = candidates.count > names.count ? " …" : ""
        return "it could be \(names.joined(separator: " or "))\(more): give that one its name and its room, "
            + "and import again"
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
            // Accessories here of which it is uncertain what a service is: what people have chosen of them stays.
            var uncertain: Set<UUID> = []
            for service in group.services {
                // Something that the accessory lacks for the time being keeps its place.
                let waiting = old?.services.first { $0 == service }
                if let known = correspondence(service.accessory)?.service(service) ?? waiting {
                    if !services.contains(known) { services.append(known) }
                } else {
                    if let here = accessories.here[service.accessory] { uncertain.insert(here) }
                    let absence = absence(of: "service", in: service.accessory)
                    note(.leftOut, origin, group.name, ["without a service: \(absence)"])
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
            if let old, old.services != services { remarks.append("has other services") }
            let new = ServiceGroupRecord(id: id, name: group.name, services: services)
            settle(.serviceGroup(new), from: old.map { .serviceGroup($0) }, origin: origin, group.name, remarks)
        }
    }
}
