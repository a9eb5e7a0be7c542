package import Foundation

/// The accessories that triggers watch.
package struct AccessoryWatches: Sendable {
    /// The number of watches of each accessory.
    private var counts: [UUID: Int] = [:]

    /// Returns whether a trigger watches any characteristic of an accessory.
    package func contains(_ accessory: UUID) -> Bool { counts[accessory] != nil }

    mutating func insert(_ accessory: UUID) { counts[accessory, default: 0] += 1 }

    mutating func remove(_ accessory: UUID) {
        let count = (counts[accessory] ?? 0) - 1
        counts[accessory] = count > 0 ? count : nil
    }
}
