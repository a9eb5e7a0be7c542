import Foundation
import HAPCatalog

/// Matches an exported accessory's services and characteristics with those of the home's accessory.
///
/// If the accessory's ID is the same, services with the same ID match. Other services match by type, with the same iid,
/// then the same name, then as the only one of their type. Characteristics match in the same way within their service.
struct ServiceMatching {
    /// A characteristic of the home.
    struct Characteristic {
        var identity: CharacteristicIdentity
        var shape: CharacteristicShape
    }

    /// The home's service iid for each matched service, by its iid in the export.
    private(set) var iids: [UInt64: UInt64] = [:]
    private var services: [UUID: ServiceIdentity] = [:]
    private var characteristics: [UUID: Characteristic] = [:]

    init(from exported: AccessoryRecord, of export: Home, to accessory: AccessoryRecord, of home: Home) {
        let (old, new) = (export.services(of: exported), home.services(of: accessory))
        if exported.id == accessory.id {
            // The export may refer to parts that its accessory lacked at the time and that have returned since.
            for service in new {
                let id = Home.serviceID(of: service.iid, in: accessory)
                services[id] = ServiceIdentity(accessory: accessory.id, service: id)
                for characteristic in service.characteristics { add(characteristic, as: nil, of: accessory) }
            }
        }
        let isSameAccessory = exported.id == accessory.id
        let oldIDs = isSameAccessory ? old.map { Home.serviceID(of: $0.iid, in: exported) } : []
        let newIDs = isSameAccessory ? new.map { Home.serviceID(of: $0.iid, in: accessory) } : []
        let criteria: [(Int, Int) -> Bool] = [
            { isSameAccessory && old[$0].type == new[$1].type && oldIDs[$0] == newIDs[$1] },
            { old[$0].type == new[$1].type && old[$0].iid == new[$1].iid },
            {
                old[$0].type == new[$1].type
                    && Home.name(of: old[$0], in: exported) == Home.name(of: new[$1], in: accessory)
            },
            { old[$0].type == new[$1].type },
        ]
        for (one, other) in Self.pairs(old.count, new.count, criteria) {
            let (service, counterpart) = (old[one], new[other])
            iids[service.iid] = counterpart.iid
            services[Home.serviceID(of: service.iid, in: exported)] = ServiceIdentity(
                accessory: accessory.id,
                service: Home.serviceID(of: counterpart.iid, in: accessory)
            )
            let (parts, others) = (service.characteristics, counterpart.characteristics)
            let partIDs = parts.map { Home.characteristicID(of: $0.iid, in: exported) }
            let otherIDs = isSameAccessory ? others.map { Home.characteristicID(of: $0.iid, in: accessory) } : []
            let criteria: [(Int, Int) -> Bool] = [
                { isSameAccessory && parts[$0].type == others[$1].type && partIDs[$0] == otherIDs[$1] },
                { parts[$0].type == others[$1].type && parts[$0].iid == others[$1].iid },
                { parts[$0].type == others[$1].type },
            ]
            for (one, other) in Self.pairs(parts.count, others.count, criteria) {
                add(others[other], as: partIDs[one], of: accessory)
            }
        }
    }

    /// Returns the home's service for an exported one; `nil` if none matches or the match is ambiguous.
    func service(_ exported: ServiceIdentity) -> ServiceIdentity? { services[exported.service] }

    /// Returns the home's characteristic for an exported one; `nil` if none matches or the match is ambiguous.
    func characteristic(_ exported: CharacteristicIdentity) -> Characteristic? {
        characteristics[exported.characteristic].flatMap { $0.shape.type == exported.type ? $0 : nil }
    }

    private mutating func add(_ shape: CharacteristicShape, as exported: UUID?, of accessory: AccessoryRecord) {
        let id = Home.characteristicID(of: shape.iid, in: accessory)
        let identity = CharacteristicIdentity(accessory: accessory.id, characteristic: id, type: shape.type)
        characteristics[exported ?? id] = Characteristic(identity: identity, shape: shape)
    }

    /// Returns the matching indexes, trying one criterion after the other. Only unambiguous matches count.
    private static func pairs(_ old: Int, _ new: Int, _ criteria: [(Int, Int) -> Bool]) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (wanted, present) = (Array(0..<old), Array(0..<new))
        for fits in criteria {
            var decided: [(Int, Int)] = []
            for one in wanted {
                let matches = present.filter { fits(one, $0) }
                guard matches.count == 1, wanted.count(where: { fits($0, matches[0]) }) == 1 else { continue }
                decided.append((one, matches[0]))
            }
            pairs += decided
            let (gone, taken) = (Set(decided.map(\.0)), Set(decided.map(\.1)))
            wanted.removeAll(where: gone.contains)
            present.removeAll(where: taken.contains)
        }
        return pairs
    }
}
