import Foundation
import HomeModel
import HubAPI

/// The values that a session from away hasn't been sent yet: only the latest of each characteristic, but each event, such as
/// a button press. A dimmer that is turned would otherwise fill a slow way.
struct ValueGathering: Sendable {
    private struct Key: Hashable {
        var home: UUID
        var characteristic: CharacteristicReference
    }

    private var updates: [ValueUpdate?] = []
    private var places: [Key: Int] = [:]

    /// Whether there is nothing to send.
    var isEmpty: Bool { updates.isEmpty }

    /// Adds values in their order.
    ///
    /// - Parameter isEvent: Whether an update is an event, and not a state.
    mutating func add(_ new: [ValueUpdate], isEvent: (Int) -> Bool) {
        for (index, update) in new.enumerated() {
            if !isEvent(index) {
                let key = Key(home: update.home, characteristic: update.characteristic)
                if let place = places[key] { updates[place] = nil }
                places[key] = updates.count
            }
            updates.append(update)
        }
    }

    /// Removes and returns everything, in order.
    mutating func drain() -> [ValueUpdate] {
        defer { (updates, places) = ([], [:]) }
        return updates.compactMap(\.self)
    }
}
