import Foundation
import HAPCatalog

/// What identities and names become when an accessory's services are read anew.
///
/// A service is taken for the same if it has the same iid and type, else, of those left over, if it has the same type
/// and comes next in the accessory's order; characteristics likewise within their service. What is the same keeps its
/// identity, even where firmware gave it another iid. What is new never gets an identity that something else had.
struct Renumbering {
    /// The old iid of each new one that stands for the same thing.
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

    /// Gives an accessory the identities and names that go with its new services.
    func carry(into accessory: inout AccessoryRecord) {
        let old = accessory
        let current = Set(newIIDs)
        let carried = Set(sources.values)
        // What services leave behind that vanish waits for their return, unless their iid stands for another now.
        let isLeftBehind = { (iid: UInt64) in !carried.contains(iid) && !current.contains(iid) }
        accessory.serviceNames = old.serviceNames.filter { isLeftBehind($0.key) }
        accessory.associatedTypes = old.associatedTypes.filter { isLeftBehind($0.key) }
        accessory.fixedIDs = old.fixedIDs.filter { isLeftBehind($0.key) }
        // A service that comes back under the iid it had has its name and identity again.
        let waiting = { (iid: UInt64) in self.sources[iid] == nil && !self.oldIIDs.contains(iid) }
        var taken = Set(oldIIDs.map { Home.identity(of: $0, in: old) }).union(old.fixedIDs.values)
        for iid in newIIDs {
            let derived = UUID(nameSpace: old.id, name: String(iid))
            var identity = derived
            if let source = sources[iid] {
                identity = Home.identity(of: source, in: old)
                accessory.takeChoices(of: source, from: old, to: iid)
            } else if waiting(iid), let returning = old.fixedIDs[iid] {
                identity = returning
                accessory.takeChoices(of: iid, from: old, to: iid)
            } else if taken.contains(derived) {
                var attempt = 2
                repeat {
                    identity = UUID(nameSpace: old.id, name: "\(iid)/\(attempt)")
                    attempt += 1
                } while taken.contains(identity)
            } else if waiting(iid) {
                accessory.takeChoices(of: iid, from: old, to: iid)
            }
            taken.insert(identity)
            if identity != derived { accessory.fixedIDs[iid] = identity }
        }
    }

    /// Which of the new ones are which of the old ones, as places in both lists.
    private static func pairs(
        _ old: [(iid: UInt64, type: HAPType)],
        _ new: [(iid: UInt64, type: HAPType)]
    ) -> [(Int, Int)] {
        struct Key: Hashable {
            var iid: UInt64
            var type: HAPType
        }
        var places: [Key: Int] = [:]
        for (place, item) in old.enumerated() { places[Key(iid: item.iid, type: item.type)] = place }
        var pairs: [(Int, Int)] = []
        var unmatchedNew: [Int] = []
        for (place, item) in new.enumerated() {
            if let match = places.removeValue(forKey: Key(iid: item.iid, type: item.type)) {
                pairs.append((match, place))
            } else {
                unmatchedNew.append(place)
            }
        }
        var waiting = Dictionary(grouping: places.values.sorted(by: >)) { old[$0].type }
        for place in unmatchedNew {
            if let match = waiting[new[place].type]?.popLast() { pairs.append((match, place)) }
        }
        return pairs
    }
}

extension AccessoryRecord {
    /// Gives a service what people chose for one that stands for the same thing.
    fileprivate mutating func takeChoices(of source: UInt64, from old: AccessoryRecord, to iid: UInt64) {
        serviceNames[iid] = old.serviceNames[source]
        associatedTypes[iid] = old.associatedTypes[source]
    }
}

extension ServiceShape {
    fileprivate var iids: [UInt64] { [iid] + characteristics.map(\.iid) }
}
