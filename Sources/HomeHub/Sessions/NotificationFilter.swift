import Foundation
import HubAPI

/// The value changes that a client hears of.
///
/// A subscription lasts as long as the connection, whether its accessory is reachable or not.
struct NotificationFilter: Sendable {
    private var homes: Set<UUID> = []
    private var characteristics = CharacteristicSet()

    /// Returns whether changes of the characteristic go to the client.
    func passes(_ characteristic: CharacteristicReference, in home: UUID) -> Bool {
        homes.contains(home) || characteristics.contains(characteristic, in: home)
    }

    /// Replaces the single characteristics by those that a client subscribed to before.
    ///
    /// - Returns: Whether they are within the limit. If they aren't, nothing changes.
    mutating func restore(_ subscriptions: CharacteristicSet) -> Bool {
        guard subscriptions.count <= HubProtocol.subscriptionsPerConnection else { return false }
        characteristics = subscriptions
        return true
    }

    /// Turns a characteristic on or off.
    ///
    /// - Returns: Whether it is so now. One more than the limit stays off.
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

    /// Turns all of a home on or off.
    mutating func set(home: UUID, enabled: Bool) {
        if enabled {
            homes.insert(home)
        } else {
            homes.remove(home)
        }
    }

    /// Removes accessories that are gone from a home.
    mutating func remove(accessories: some Sequence<UUID>, in home: UUID) {
        characteristics.remove(accessories: accessories, in: home)
    }

    /// Removes a home that is gone.
    mutating func remove(home: UUID) {
        homes.remove(home)
        characteristics.remove(home: home)
    }
}
