import Foundation
import HAPCatalog
import HAPClient
import HubAPI
import Synchronization

/// What holds only for the moment: the characteristics' known values and which accessories can be reached.
///
/// It is never stored. Changes are published while the lock is held, so that a session that gets its snapshot here misses
/// nothing and hears nothing twice.
final class LiveState: Sendable {
    // A class, because the accessory connections write it and the sessions read it.

    private struct State {
        var values = KnownValues()
        /// When each known value came from its accessory, by accessory and instance id.
        var arrivals: [UUID: [UInt64: Arrival]] = [:]
        var reachability: [UUID: ReachabilityUpdate] = [:]
        /// Accessories that join the home and answer, and whose reachability was not shown yet.
        var arriving: Set<UUID> = []

        /// Takes in a value, unless a later one is known. Tells whether it changed what is known.
        mutating func take(_ arrived: ValueActivity) -> Bool {
            let (characteristic, home) = (arrived.update.characteristic, arrived.update.home)
            let last = arrivals[characteristic.accessory]?[characteristic.iid]
            if let last, arrived.arrival < last { return false }
            arrivals[characteristic.accessory, default: [:]][characteristic.iid] = arrived.arrival
            guard values[characteristic, in: home] != arrived.update.value else { return false }
            values[characteristic, in: home] = arrived.update.value
            return true
        }
    }

    private let activities: ActivityStream
    private let state = Mutex(State())

    /// Creates an empty state, which forgets the homes that are removed.
    init(activities: ActivityStream) {
        self.activities = activities
        activities.subscribe { [weak self] activity in
            if case .stored(let request) = activity, let home = request.removedHome { self?.forget(home: home) }
        }
    }

    /// Hands over the present state; nothing changes until `body` returns.
    func snapshot(_ body: (LiveSnapshot) -> Void) {
        state.withLock { state in
            body(LiveSnapshot(values: state.values, reachability: Array(state.reachability.values)))
        }
    }

    /// Hands over the known values; nothing changes until `body` returns.
    func withValues(_ body: (KnownValues) -> Void) {
        state.withLock { body($0.values) }
    }

    /// Why an accessory cannot be reached; nil while it can.
    func error(forUnreachable accessory: UUID) -> HubError? {
        state.withLock { state in
            if let update = state.reachability[accessory] { return update.error }
            return state.arriving.contains(accessory) ? nil : HubError(AccessoryTrouble.noPairing)
        }
    }

    /// Notes accessories that answer and are about to join the home, so that a client that hears of them can subscribe at once.
    /// It holds until their reachability is known.
    ///
    /// - Parameter isJoining: Whether they are; `false` if they don't join after all.
    func expect(_ accessories: some Sequence<UUID>, _ isJoining: Bool = true) {
        state.withLock { state in
            if isJoining {
                state.arriving.formUnion(accessories)
            } else {
                state.arriving.subtract(accessories)
            }
        }
    }

    /// The last known value of a characteristic.
    func value(of characteristic: CharacteristicReference, in home: UUID) -> CharacteristicValue? {
        state.withLock { $0.values[characteristic, in: home] }
    }

    /// Takes in values. One that came from its accessory before the known one is dropped, in whatever order they are
    /// handed over here.
    ///
    /// - Parameters:
    ///   - arrived: The values, of one home.
    ///   - areEvents: Whether each is news although the value may be the same, as with a button that is pressed again.
    ///   - then: Gets what is known of the same characteristics then, before anything changes: a reply that leaves here
    ///     comes before all later events and after all earlier ones.
    func update(
        _ arrived: [ValueActivity],
        areEvents: Bool = false,
        then: ([CharacteristicValue?]) -> Void = { _ in }
    ) {
        state.withLock { state in
            let news = arrived.filter { state.take($0) || areEvents }
            if !news.isEmpty { activities.publish(.values(news)) }
            then(arrived.map { state.values[$0.update.characteristic, in: $0.update.home] })
        }
    }

    /// Takes in who can be reached.
    func update(_ updates: [ReachabilityUpdate]) {
        state.withLock { state in
            let news = updates.filter { state.reachability.updateValue($0, forKey: $0.accessory) != $0 }
            if !state.arriving.isEmpty { state.arriving.subtract(updates.lazy.map(\.accessory)) }
            if !news.isEmpty { activities.publish(.reachability(news)) }
        }
    }

    /// Forgets accessories that left the home.
    func forget(accessories: some Sequence<UUID>, in home: UUID) {
        state.withLock { state in
            let gone = Set(accessories)
            state.values.remove(accessories: gone, in: home)
            for accessory in gone {
                state.arrivals[accessory] = nil
                state.reachability[accessory] = nil
                state.arriving.remove(accessory)
            }
        }
    }

    private func forget(home: UUID) {
        state.withLock { state in
            state.values.remove(home: home)
            state.reachability = state.reachability.filter { $0.value.home != home }
        }
    }
}
