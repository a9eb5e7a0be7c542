import Foundation
import HomeModel
import HubAPI
import Synchronization

/// The location of a service or characteristic: its home, its accessory and its instance ID.
///
/// The instance ID changes if a firmware update renumbers the accessory. The home and the instance ID are read
/// together.
struct InstanceLocation: ~Copyable, Sendable {
    // Not private: the compiler cannot use a private type in another file's copy of this layout.
    struct State {
        var homeReference: HomeReference
        var iid: UInt64
    }

    /// The accessory's identity.
    let accessory: UUID
    private let state: Mutex<State>

    init(_ homeReference: HomeReference, accessory: UUID, iid: UInt64) {
        self.accessory = accessory
        state = Mutex(State(homeReference: homeReference, iid: iid))
    }

    /// Creates the location of a service or characteristic that an app created itself.
    static func detached() -> InstanceLocation {
        InstanceLocation(.detached(), accessory: UUID(), iid: 0)
    }

    /// The home.
    var homeReference: HomeReference { state.withLock { $0.homeReference } }

    /// The current instance ID.
    var iid: UInt64 { state.withLock { $0.iid } }

    /// Returns the location of another service or characteristic of the same accessory.
    func sibling(_ iid: UInt64) -> InstanceLocation {
        InstanceLocation(homeReference, accessory: accessory, iid: iid)
    }

    /// The characteristic at this location, for hub calls.
    var reference: CharacteristicReference { CharacteristicReference(accessory: accessory, iid: iid) }

    /// The characteristic at this location, unique across all homes.
    var key: HubState.ValueKey { HubState.ValueKey(home: homeReference.home, characteristic: reference) }

    /// Reads the accessory's record together with the instance ID. Returns `nil` if the accessory doesn't exist. `body`
    /// must not call back into an object.
    func read<Value: Sendable>(_ body: (Home, AccessoryRecord, UInt64) -> Value?) -> Value? {
        let homeReference = homeReference
        var hasMoved = false
        let value: Value? = homeReference.read { home in
            let state = state.withLock { $0 }
            hasMoved = state.homeReference !== homeReference
            guard !hasMoved, let record = home.accessories[id: accessory] else { return nil }
            return body(home, record, state.iid)
        }
        // The location moves only when the object is removed from its accessory, which happens once.
        return hasMoved ? read(body) : value
    }

    /// Sets a new instance ID. If it is `nil`, the object was removed and keeps its last state. Call this with the
    /// hub's state locked.
    func renumber(_ iid: UInt64?, last: Home) {
        state.withLock { state in
            if let iid {
                state.iid = iid
            } else {
                state.homeReference = HomeReference(
                    state.homeReference.context,
                    home: state.homeReference.home,
                    last: last
                )
            }
        }
    }
}
