import Foundation
import HAPCatalog

/// A mapping of IDs and names to an accessory's services after they were read again.
///
/// A service is the same if it has the same iid and type. Of the remaining services, those of the same type are matched
/// in the accessory's order. Characteristics are matched in the same way within their service. A matched service keeps
/// its ID even if firmware changed its iid; a new service never gets an ID that was in use.
struct Renumbering {
    /// The old iid for each new iid that was matched.
    private let sources: [UInt64: UInt64]
    private let oldIIDs: Set<UInt64>
    private let newIIDs: [UInt64]

    init(from old: [ServiceShape], to new: [ServiceShape], accessory: AccessoryRecord) {
        var sources: [UInt64: UInt64] = [:]
        let pairs = Self.pairs(old.map { ($0.iid, $0.type) }, new.map { ($0.iid, $0.type) })
        for (oldIndex, newIndex) in pairs {
            let (old, new) = (old[oldIndex], new[newIndex])
            sources[new.iid] = old.iid
            let characteristics = Self.pairs(
                old.characteristics.map { ($0.iid, $0.type) },
                new.characteristics.map { ($0.iid, $0.type) }
            )
            for (oldIndex, newIndex) in characteristics {
                sources[new.characteristics[newIndex].iid] = old.characteristics[oldIndex].iid
            }
        }
        self.sources = sources
        oldIIDs = Set(old.flatMap(\.iids))
        newIIDs = new.flatMap(\.iids)
    }

    /// Gives an accessory the IDs and names for its new services.
    func carry(into accessory: inout AccessoryRecord) {
        let old = accessory
        let current = Set(newIIDs)
        let carried = Set(sources.values)
        // The names and IDs of services that vanished are kept for their return, unless their iid is reused.
        let isLeftBehind = { (iid: UInt64) in !carried.contains(iid) && !current.contains(iid) }
        accessory.serviceNames = old.serviceNames.filter { isLeftBehind($0.key) }
        accessory.associatedTypes = old.associatedTypes.filter { isLeftBehind($0.key) }
        accessory.hiddenServices = old.hiddenServices.filter(isLeftBehind)
        accessory.servicesAskingFirst = old.servicesAskingFirst.filter(isLeftBehind)
        accessory.fixedIDs = old.fixedIDs.filter { isLeftBehind($0.key) }
        // A service that returns with its old iid gets its name and ID back.
        let waiting = { (iid: UInt64) in self.sources[iid] == nil && !self.oldIIDs.contains(iid) }
        var taken = Set(oldIIDs.map { Home.identity(of: $0, in: old) }).union(old.fixedIDs.values)
        for iid in newIIDs {
            let derived = UUID(nameSpace: old.id, name: String(iid))
            var identity = derived
            if let source = sources[iid] {
                identity = Home.identity(of: source, in: old)
                accessory.copyUserChoices(of: source, from: old, to: iid)
            } else if waiting(iid), let returning = old.fixedIDs[iid] {
                identity = returning
                accessory.copyUserChoices(of: iid, from: old, to: iid)
            } else if taken.contains(derived) {
                var attempt = 2
                repeat {
                    identity = UUID(nameSpace: old.id, name: "\(iid)/\(attempt)")
                    attempt += 1
                } while taken.contains(identity)
            } else if waiting(iid) {
                accessory.copyUserChoices(of: iid, from: old, to: iid)
            }
            taken.insert(identity)
            if identity != derived { accessory.fixedIDs[iid] = identity }
        }
    }

    /// Returns the matches between the old and the new items, as indexes into both lists.
    private static func pairs(
        _ old: [(iid: UInt64, type: HAPType)],
        _ new: [(iid: UInt64, type: HAPType)]
    ) -> [(Int, Int)] {
        struct Key: Hashable {
            var iid: UInt64
            var type: HAPType
        }
        var indexes: [Key: Int] = [:]
        for (index, item) in old.enumerated() { indexes[Key(iid: item.iid, type: item.type)] = index }
        var pairs: [(Int, Int)] = []
        var unmatchedNew: [Int] = []
        for (index, item) in new.enumerated() {
            if let match = indexes.removeValue(forKey: Key(iid: item.iid, type: item.type)) {
                pairs.append((match, index))
            } else {
                unmatchedNew.append(index)
            }
        }
        var waiting = Dictionary(grouping: indexes.values.sorted(by: >)) { old[$0].type }
        for index in unmatchedNew {
            if let match = waiting[new[index].type]?.popLast() { pairs.append((match, index)) }
        }
        return pairs
    }
}

extension AccessoryRecord {
    /// Copies what users chose for a service to the service that replaces it.
    fileprivate mutating func copyUserChoices(of source: UInt64, from old: AccessoryRecord, to iid: UInt64) {
        serviceNames[iid] = old.serviceNames[source]
        associatedTypes[iid] = old.associatedTypes[source]
        if old.hiddenServices.contains(source) { hiddenServices.insert(iid) }
        if old.servicesAskingFirst.contains(source) { servicesAskingFirst.insert(iid) }
    }
}

extension ServiceShape {
    fileprivate var iids: [UInt64] { [iid] + characteristics.map(\.iid) }
}
