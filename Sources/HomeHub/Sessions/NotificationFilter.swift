import Foundation
import HubAPI

/// Which value changes a client hears of.
struct NotificationFilter: Sendable {
    private var homes: Set<UUID> = []
    private var characteristics: Set<CharacteristicReference> = []

    /// Whether changes of the characteristic go to the client.
    func passes(_ characteristic: CharacteristicReference, in home: UUID) -> Bool {
        homes.contains(home) || characteristics.contains(characteristic)
    }

    /// Turns characteristics on or off.
    mutating func set(_ changed: some Sequence<CharacteristicReference>, enabled: Bool) {
        if enabled {
            characteristics.formUnion(changed)
        } else {
            characteristics.subtract(changed)
        }
    }

    /// Turns all of a home on or off.
    mutating func set(home: UUID, enabled: Bool) {
        if enabled {
            homes.insert(home)
        } else {
            homes.remove(home)
        }
    }

    /// Forgets single characteristics of an accessory: a client asks for them again when the accessory is back.
    mutating func drop(accessory: UUID) {
        characteristics = characteristics.filter { $0.accessory != accessory }
    }
}
