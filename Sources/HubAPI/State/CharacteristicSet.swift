package import Foundation

/// A set of characteristics, grouped by home and accessory.
///
/// The cost of an operation on one accessory depends only on that accessory's part of the set, not on the size of the
/// whole.
///
/// On the wire, it is an object that lists instance IDs by home and accessory: `{"6F0C…":{"3D21…":[10,11]}}`.
package struct CharacteristicSet: Hashable, Sendable {
    private var homes: [UUID: [UUID: Set<UInt64>]] = [:]
    /// The number of characteristics.
    package private(set) var count = 0

    /// Creates an empty set.
    package init() {}

    /// Creates a set of characteristics of one home.
    package init(_ characteristics: some Sequence<CharacteristicReference>, in home: UUID) {
        for characteristic in characteristics { insert(HubState.ValueKey(home: home, characteristic: characteristic)) }
    }

    /// Whether the set has no characteristics.
    package var isEmpty: Bool { count == 0 }

    /// The characteristics by home, in no particular order.
    package var byHome: [UUID: [CharacteristicReference]] {
        homes.mapValues { accessories in
            accessories.flatMap { accessory, iids in
                iids.map { CharacteristicReference(accessory: accessory, iid: $0) }
            }
        }
    }

    /// Returns whether the set contains a characteristic.
    package func contains(_ characteristic: CharacteristicReference, in home: UUID) -> Bool {
        homes[home]?[characteristic.accessory]?.contains(characteristic.iid) ?? false
    }

    /// Returns whether the set contains a characteristic.
    package func contains(_ key: HubState.ValueKey) -> Bool { contains(key.characteristic, in: key.home) }

    /// Returns the instance IDs of an accessory's characteristics in the set.
    package func iids(of accessory: UUID, in home: UUID) -> Set<UInt64> { homes[home]?[accessory] ?? [] }

    /// Adds a characteristic.
    package mutating func insert(_ key: HubState.ValueKey) {
        let accessory = key.characteristic.accessory
        let isNew = homes[key.home, default: [:]][accessory, default: []].insert(key.characteristic.iid).inserted
        if isNew { count += 1 }
    }

    /// Removes a characteristic.
    package mutating func remove(_ key: HubState.ValueKey) {
        let accessory = key.characteristic.accessory
        guard homes[key.home]?[accessory]?.remove(key.characteristic.iid) != nil else { return }
        count -= 1
        dropIfEmpty(accessory, in: key.home)
    }

    /// Removes the characteristics of some accessories.
    package mutating func remove(accessories: some Sequence<UUID>, in home: UUID) {
        for accessory in accessories {
            guard let removed = homes[home]?.removeValue(forKey: accessory) else { continue }
            count -= removed.count
            dropIfEmpty(accessory, in: home)
        }
    }

    /// Removes the characteristics of a home.
    package mutating func remove(home: UUID) {
        guard let removed = homes.removeValue(forKey: home) else { return }
        count -= removed.values.reduce(0) { $0 + $1.count }
    }

    /// Removes the accessories for which `isIncluded` returns `false`.
    package mutating func filterAccessories(_ isIncluded: (_ home: UUID, _ accessory: UUID) -> Bool) {
        for (home, accessories) in homes {
            remove(accessories: accessories.keys.filter { !isIncluded(home, $0) }, in: home)
        }
    }

    /// Replaces the instance IDs of an accessory's characteristics.
    ///
    /// - Parameter transform: Returns a characteristic's new instance ID, or `nil` to remove the characteristic.
    package mutating func renumber(_ accessory: UUID, in home: UUID, _ transform: (UInt64) -> UInt64?) {
        guard let iids = homes[home]?[accessory] else { return }
        let renumbered = Set(iids.compactMap(transform))
        homes[home]?[accessory] = renumbered
        count += renumbered.count - iids.count
        dropIfEmpty(accessory, in: home)
    }

    /// Adds the characteristics of another set.
    package mutating func formUnion(_ other: CharacteristicSet) {
        guard !isEmpty else {
            self = other
            return
        }
        for (home, accessories) in other.homes {
            homes[home, default: [:]].merge(accessories) { $0.union($1) }
        }
        count = Self.count(homes)
    }

    private static func count(_ homes: [UUID: [UUID: Set<UInt64>]]) -> Int {
        homes.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }

    /// Keeps the invariant that equal sets have equal storage: empty collections are absent.
    private mutating func dropIfEmpty(_ accessory: UUID, in home: UUID) {
        if homes[home]?[accessory]?.isEmpty == true { homes[home]?[accessory] = nil }
        if homes[home]?.isEmpty == true { homes[home] = nil }
    }
}

extension CharacteristicSet: Codable {
    /// Decodes the set.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        homes = try container.decode(UUIDKeyedDictionary<UUIDKeyedDictionary<Set<UInt64>>>.self).values.mapValues(
            \.values
        )
        for (home, accessories) in homes {
            for accessory in accessories.keys { dropIfEmpty(accessory, in: home) }
            if accessories.isEmpty { homes[home] = nil }
        }
        count = Self.count(homes)
    }

    /// Encodes the set.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(UUIDKeyedDictionary(values: homes.mapValues(UUIDKeyedDictionary.init)))
    }
}
