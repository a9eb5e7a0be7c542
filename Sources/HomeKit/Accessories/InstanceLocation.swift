import Foundation
import HomeModel
import HubAPI
import Synchronization

/// Where a service or characteristic is found: its home, its accessory, its number in the accessory.
///
/// The number changes where firmware numbers anew; it and the home are read together.
struct InstanceLocation: ~Copyable, Sendable {
    // Not private: the compiler cannot use a private type in another file's copy of this layout.
    struct State {
        var view: HomeReference
        var iid: UInt64
    }

    /// The accessory's identity.
    let accessory: UUID
    private let state: Mutex<State>

    init(_ view: HomeReference, accessory: UUID, iid: UInt64) {
        self.accessory = accessory
        state = Mutex(State(view: view, iid: iid))
    }

    /// Where a service or characteristic is that an app has made itself.
    static func ofNoHome() -> InstanceLocation {
        InstanceLocation(.ofNoHome(), accessory: UUID(), iid: 0)
    }

    /// The home.
    var view: HomeReference { state.withLock { $0.view } }

    /// The number as it is now.
    var iid: UInt64 { state.withLock { $0.iid } }

    /// The position of something else in the same accessory.
    func neighbour(_ iid: UInt64) -> InstanceLocation {
        InstanceLocation(view, accessory: accessory, iid: iid)
    }

    /// The characteristic at this position, for a call of the hub.
    var reference: CharacteristicReference { CharacteristicReference(accessory: accessory, iid: iid) }

    /// The characteristic at this position among all homes.
    var key: HubState.ValueKey { HubState.ValueKey(home: view.home, characteristic: reference) }

    /// Reads the accessory's record and the number that belongs to it; nil when the accessory is not known. `body` must
    /// not call back into an object.
    func read<Value: Sendable>(_ body: (Home, AccessoryRecord, UInt64) -> Value?) -> Value? {
        let view = view
        var hasMoved = false
        let value: Value? = view.read { home in
            let state = state.withLock { $0 }
            hasMoved = state.view !== view
            guard !hasMoved, let record = home.accessories[id: accessory] else { return nil }
            return body(home, record, state.iid)
        }
        // Moved means gone from the accessory, which happens once.
        return hasMoved ? read(body) : value
    }

    /// Takes a new number; without one it is gone and shows what it last was. Call it with the hub's state locked.
    func renumber(_ iid: UInt64?, last: Home) {
        state.withLock { state in
            if let iid {
                state.iid = iid
            } else {
                state.view = HomeReference(state.view.context, home: state.view.home, last: last)
            }
        }
    }
}
