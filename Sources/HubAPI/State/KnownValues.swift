package import Foundation
package import HAPCatalog

/// The known values of characteristics, by home, accessory and instance ID.
///
/// A copy shares its storage with the original until one of them changes.
package struct KnownValues: Hashable, Sendable {
    /// The values of one accessory, by instance ID.
    package typealias AccessoryValues = [UInt64: CharacteristicValue]

    private var homes: [UUID: [UUID: AccessoryValues]] = [:]

    /// Creates an empty set of values.
    package init() {}

    /// Whether no value is known.
    package var isEmpty: Bool { homes.isEmpty }

    /// The value of a characteristic; `nil` if it isn't known.
    package subscript(_ characteristic: CharacteristicReference, in home: UUID) -> CharacteristicValue? {
        get { homes[home]?[characteristic.accessory]?[characteristic.iid] }
        set {
            if let newValue {
                homes[home, default: [:]][characteristic.accessory, default: [:]][characteristic.iid] = newValue
            } else if homes[home]?[characteristic.accessory]?.removeValue(forKey: characteristic.iid) != nil {
                dropIfEmpty(characteristic.accessory, in: home)
            }
        }
    }

    /// The value of a characteristic; `nil` if it isn't known.
    package subscript(_ key: HubState.ValueKey) -> CharacteristicValue? {
        self[key.characteristic, in: key.home]
    }

    /// The values as individual updates, in no particular order.
    package var updates: [ValueUpdate] {
        var updates: [ValueUpdate] = []
        forEachAccessory { home, accessory, values in
            for (iid, value) in values {
                let characteristic = CharacteristicReference(accessory: accessory, iid: iid)
                updates.append(ValueUpdate(home: home, characteristic: characteristic, value: value))
            }
        }
        return updates
    }

    /// Returns the known values of an accessory.
    package func values(of accessory: UUID, in home: UUID) -> AccessoryValues { homes[home]?[accessory] ?? [:] }

    /// Adds values of an accessory. They replace known values of the same characteristics.
    package mutating func insert(_ values: AccessoryValues, of accessory: UUID, in home: UUID) {
        merge(values, accessory: accessory, in: home)
    }

    /// The accessories with known values, by home.
    package var accessories: [UUID: Set<UUID>] { homes.mapValues { Set($0.keys) } }

    /// Returns the values of the homes for which `isIncluded` returns `true`.
    package func filter(_ isIncluded: (UUID) -> Bool) -> KnownValues {
        var result = self
        for home in homes.keys where !isIncluded(home) { result.homes[home] = nil }
        return result
    }

    /// Removes a home's values.
    package mutating func remove(home: UUID) {
        homes[home] = nil
    }

    /// Removes the values of accessories.
    package mutating func remove(accessories: some Sequence<UUID>, in home: UUID) {
        for accessory in accessories where homes[home]?.removeValue(forKey: accessory) != nil {
            dropIfEmpty(accessory, in: home)
        }
    }

    /// Adds the values of another set. They replace known values of the same characteristics.
    package mutating func merge(_ other: KnownValues) {
        guard !isEmpty else {
            self = other
            return
        }
        other.forEachAccessory { home, accessory, values in merge(values, accessory: accessory, in: home) }
    }

    /// Removes the values that are also in `others`.
    package mutating func subtract(_ others: KnownValues) {
        for (home, accessories) in homes {
            for (accessory, values) in accessories {
                guard let known = others.homes[home]?[accessory] else { continue }
                homes[home]?[accessory] = values.filter { known[$0.key] != $0.value }
                dropIfEmpty(accessory, in: home)
            }
        }
    }

    /// Calls a closure for each accessory with known values.
    func forEachAccessory(_ body: (_ home: UUID, _ accessory: UUID, AccessoryValues) throws -> Void) rethrows {
        for (home, accessories) in homes {
            for (accessory, values) in accessories { try body(home, accessory, values) }
        }
    }

    /// Adds values of one accessory. They replace known values of the same characteristics.
    mutating func merge(_ values: AccessoryValues, accessory: UUID, in home: UUID) {
        guard !values.isEmpty else { return }
        if homes[home]?[accessory] == nil {
            homes[home, default: [:]][accessory] = values
        } else {
            homes[home]?[accessory]?.merge(values) { $1 }
        }
    }

    /// Keeps the invariant that equal values have equal storage: empty collections are absent.
    private mutating func dropIfEmpty(_ accessory: UUID, in home: UUID) {
        if homes[home]?[accessory]?.isEmpty == true { homes[home]?[accessory] = nil }
        if homes[home]?.isEmpty == true { homes[home] = nil }
    }
}
