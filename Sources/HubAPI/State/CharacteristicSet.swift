package import Foundation

/// A set of characteristics, grouped by home and accessory.
///
/// The cost of an operation on one characteristic or accessory depends only on that accessory's part of the set, not on the
/// size of the whole.
///
/// On the wire, it is an object that lists instance IDs by home and accessory: `{"6F0C…":{"3D21…":[10,11]}}`.
package struct CharacteristicSet: Hashable, Sendable {
    /// An accessory of a home.
    private struct Place: Hashable {
        var home: UUID
        var accessory: UUID
    }

    /// The instance IDs. Home and accessory are one key, because a hub looks one up for each of many clients of a value.
    private var iids: [Place: Set<UInt64>] = [:]
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
        iids.reduce(into: [:]) { homes, entry in
            let (place, iids) = entry
            homes[place.home, default: []] += iids.map { CharacteristicReference(accessory: place.accessory, iid: $0) }
        }
    }

    /// Returns whether the set contains a characteristic.
    package func contains(_ characteristic: CharacteristicReference, in home: UUID) -> Bool {
        iids[Place(home: home, accessory: characteristic.accessory)]?.contains(characteristic.iid) ?? false
    }

    /// Returns whether the set contains a characteristic.
    package func contains(_ key: HubState.ValueKey) -> Bool { contains(key.characteristic, in: key.home) }

    /// Returns the instance IDs of an accessory's characteristics in the set.
    package func iids(of accessory: UUID, in home: UUID) -> Set<UInt64> {
        iids[Place(home: home, accessory: accessory)] ?? []
    }

    /// Adds a characteristic.
    package mutating func insert(_ key: HubState.ValueKey) {
        if iids[Self.place(of: key), default: []].insert(key.characteristic.iid).inserted { count += 1 }
    }

    /// Removes a characteristic.
    package mutating func remove(_ key: HubState.ValueKey) {
        let place = Self.place(of: key)
        guard iids[place]?.remove(key.characteristic.iid) != nil else { return }
        count -= 1
        dropIfEmpty(place)
    }

    /// Removes the characteristics of some accessories.
    package mutating func remove(accessories: some Sequence<UUID>, in home: UUID) {
        for accessory in accessories { remove(Place(home: home, accessory: accessory)) }
    }

    /// Removes the characteristics of a home. It looks at every accessory of the set.
    package mutating func remove(home: UUID) {
        filterAccessories { other, _ in other != home }
    }

    /// Removes the accessories for which `isIncluded` returns `false`. It looks at every accessory of the set.
    package mutating func filterAccessories(_ isIncluded: (_ home: UUID, _ accessory: UUID) -> Bool) {
        // The list comes first: a set that is looked through while it changes is copied.
        let excluded = iids.keys.filter { !isIncluded($0.home, $0.accessory) }
        for place in excluded { remove(place) }
    }

    /// Replaces the instance IDs of an accessory's characteristics.
    ///
    /// - Parameter transform: Returns a characteristic's new instance ID, or `nil` to remove the characteristic.
    package mutating func renumber(_ accessory: UUID, in home: UUID, _ transform: (UInt64) -> UInt64?) {
        let place = Place(home: home, accessory: accessory)
        guard let former = iids[place] else { return }
        let renumbered = Set(former.compactMap(transform))
        iids[place] = renumbered
        count += renumbered.count - former.count
        dropIfEmpty(place)
    }

    /// Adds the characteristics of another set.
    package mutating func formUnion(_ other: CharacteristicSet) {
        guard !isEmpty else {
            self = other
            return
        }
        iids.merge(other.iids) { $0.union($1) }
        count = Self.count(iids)
    }

    private static func place(of key: HubState.ValueKey) -> Place {
        Place(home: key.home, accessory: key.characteristic.accessory)
    }

    private mutating func remove(_ place: Place) {
        if let removed = iids.removeValue(forKey: place) { count -= removed.count }
    }

    private static func count(_ iids: [Place: Set<UInt64>]) -> Int {
        iids.values.reduce(0) { $0 + $1.count }
    }

    /// Keeps the invariant that equal sets have equal storage: empty collections are absent.
    private mutating func dropIfEmpty(_ place: Place) {
        if iids[place]?.isEmpty == true { iids[place] = nil }
    }
}

extension CharacteristicSet: Codable {
    private typealias Homes = UUIDKeyedDictionary<UUIDKeyedDictionary<Set<UInt64>>>

    /// Decodes the set.
    package init(from decoder: any Decoder) throws {
        let homes = try decoder.singleValueContainer().decode(Homes.self)
        for (home, accessories) in homes.values {
            for (accessory, iids) in accessories.values where !iids.isEmpty {
                self.iids[Place(home: home, accessory: accessory)] = iids
            }
        }
        count = Self.count(iids)
    }

    /// Encodes the set.
    package func encode(to encoder: any Encoder) throws {
        var homes = Homes(values: [:])
        for (place, iids) in iids {
            homes.values[place.home, default: UUIDKeyedDictionary(values: [:])].values[place.accessory] = iids
        }
        var container = encoder.singleValueContainer()
        try container.encode(homes)
    }
}
