import Foundation
import HubAPI

/// The value changes that a client is subscribed to.
///
/// A subscription lasts as long as the connection, whether or not its accessory is reachable.
struct NotificationFilter: Sendable {
    private var homes: Set<UUID> = []
    private var characteristics = CharacteristicSet()

    /// Returns whether the client is subscribed to a characteristic.
    func passes(_ characteristic: CharacteristicReference, in home: UUID) -> Bool {
        homes.contains(home) || characteristics.contains(characteristic, in: home)
    }

    /// Replaces the single characteristics with those that a client subscribed to before.
    ///
    /// - Returns: Whether they are within the limit. If they aren't, nothing changes.
    mutating func restore(_ subscriptions: CharacteristicSet) -> Bool {
        guard subscriptions.count <= HubProtocol.subscriptionsPerConnection else { return false }
        characteristics = subscriptions
        return true
    }

    /// Subscribes to a characteristic, or unsubscribes from it.
    ///
    /// - Returns: Whether that succeeded. A subscription beyond the limit fails.
    mutating func set(_ characteristic: CharacteristicReference, in home: UUID, enabled: Bool) -> Bool {
        let key = HubState.ValueKey(home: home, characteristic: characteristic)
        if !enabled {
            characteristics.remove(key)
        } else if characteristics.count < HubProtocol.subscriptionsPerConnection {
            characteristics.insert(key)
        } else {
            return characteristics.contains(key)
        }
        return true
    }

    /// Subscribes to all of a home, or unsubscribes from it.
    mutating func set(home: UUID, enabled: Bool) {
        if enabled {
            homes.insert(home)
        } else {
            homes.remove(home)
        }
    }

    /// Removes a home's accessories that no longer exist.
    mutating func remove(accessories: some Sequence<UUID>, in home: UUID) {
        characteristics.remove(accessories: accessories, in: home)
    }

    /// Removes a home that no longer exists.
    mutating func remove(home: UUID) {
        homes.remove(home)
        characteristics.remove(home: home)
    }
}
