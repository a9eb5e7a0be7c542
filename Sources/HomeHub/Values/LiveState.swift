import Foundation
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Synchronization

/// The state that isn't in any log: the characteristics' known values, the accessories' reachability, and the last runs of
/// action sets and triggers.
///
/// It doesn't store anything. Changes are published while the lock is held, so that a session that takes its snapshot here
/// neither misses an event nor receives one twice.
final class LiveState: Sendable {
    // This is a class because the accessory connections write it and the sessions read it.

    private struct State {
        var values = KnownValues()
        /// When each known value arrived from its accessory and when it changed, by accessory and instance ID.
        var times: [UUID: [UInt64: ValueTimes]] = [:]
        var reachability: [UUID: ReachabilityUpdate] = [:]
        /// The last run of each action set and trigger, by ID.
        var runs: [UUID: RunUpdate] = [:]
        /// The accessories that are joining the home and respond, and whose reachability hasn't been published yet.
        var joining: Set<UUID> = []

        /// Updates a value unless a later one is known. Returns whether the known value changed.
        mutating func update(_ arrived: inout ValueActivity, at now: Date) -> Bool {
            let (characteristic, home) = (arrived.update.characteristic, arrived.update.home)
            let previous = values[characteristic, in: home]
            let isChange = previous != arrived.update.value
            let changed = isChange && previous != nil ? now : nil
            let isNewest = times[characteristic.accessory, default: [:]][
                characteristic.iid,
                default: ValueTimes(arrival: arrived.arrival)
            ].update(arrived.arrival, changed: changed)
            guard isNewest else { return false }
            arrived.previous = previous
            if isChange { values[characteristic, in: home] = arrived.update.value }
            return isChange
        }
    }

    private struct ValueTimes {
        var arrival: ArrivalOrder
        /// When the value changed last; `nil` if the first known value still holds.
        var change: Date?

        /// Returns whether a value is the newest, whose times these are then.
        mutating func update(_ arrival: ArrivalOrder, changed: Date?) -> Bool {
            if arrival < self.arrival { return false }
            self.arrival = arrival
            change = changed ?? change
            return true
        }
    }

    private let activities: ActivityStream
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Creates an empty state. It removes the values of removed homes automatically.
    ///
    /// - Parameter now: A closure that returns the hub's time.
    init(activities: ActivityStream, now: @escaping @Sendable () -> Date = { Date() }) {
        self.activities = activities
        self.now = now
        activities.subscribe { [weak self] activity in
            if case .stored(let request) = activity, let home = request.removedHome { self?.forget(home: home) }
        }
    }

    /// Passes the current state to `body`. Nothing changes until `body` returns.
    func snapshot(_ body: (LiveSnapshot) -> Void) {
        state.withLock { state in
            let (reachability, runs) = (Array(state.reachability.values), Array(state.runs.values))
            body(LiveSnapshot(values: state.values, reachability: reachability, runs: runs))
        }
    }

    /// Passes the known values to `body`. Nothing changes until `body` returns.
    func withValues(_ body: (KnownValues) -> Void) {
        state.withLock { body($0.values) }
    }

    /// Returns why an accessory can't be reached; `nil` while it is reachable.
    func error(forUnreachable accessory: UUID) -> HubError? {
        state.withLock { state in
            if let update = state.reachability[accessory] { return update.error }
            return state.joining.contains(accessory) ? nil : HubError(AccessoryTrouble.noPairing)
        }
    }

    /// Registers accessories that respond and are about to join the home, so that a client can subscribe as soon as it
    /// sees them. The registration ends when their reachability is known.
    ///
    /// - Parameter isJoining: Whether the accessories are joining; `false` if they don't join after all.
    func expect(_ accessories: some Sequence<UUID>, _ isJoining: Bool = true) {
        state.withLock { state in
            if isJoining {
                state.joining.formUnion(accessories)
            } else {
                state.joining.subtract(accessories)
            }
        }
    }

    /// Returns when the values of accessories changed last, by accessory and instance ID.
    func changeTimes(of accessories: some Sequence<UUID>) -> [UUID: [UInt64: Date]] {
        state.withLock { state in
            Dictionary(
                accessories.compactMap { id in
                    state.times[id].map { (id, $0.compactMapValues(\.change)) }.flatMap { $1.isEmpty ? nil : ($0, $1) }
                }
            ) { first, _ in first }
        }
    }

    /// Returns the last known value of a characteristic.
    func value(of characteristic: CharacteristicReference, in home: UUID) -> CharacteristicValue? {
        state.withLock { $0.values[characteristic, in: home] }
    }

    /// Updates values. A value that arrived from its accessory before the known one is dropped, regardless of the order
    /// of calls.
    ///
    /// - Parameters:
    ///   - arrived: The values, all of one home.
    ///   - areEvents: Whether to publish each value even if it is unchanged, as when a button is pressed again.
    func update(_ arrived: [ValueActivity], areEvents: Bool = false) {
        let now = now()
        state.withLock { update(&$0, arrived, areEvents: areEvents, at: now) }
    }

    /// Updates values, as ``update(_:areEvents:)`` does.
    ///
    /// - Parameter then: A closure that receives the resulting known values of the same characteristics, before any other
    ///   change. A reply that it sends follows all earlier events and precedes all later ones.
    func update(_ arrived: [ValueActivity], then: ([CharacteristicValue?]) -> Void) {
        let now = now()
        state.withLock { state in
            update(&state, arrived, areEvents: false, at: now)
            then(arrived.map { state.values[$0.update.characteristic, in: $0.update.home] })
        }
    }

    private func update(_ state: inout State, _ arrived: [ValueActivity], areEvents: Bool, at now: Date) {
        var (changes, repeated): ([ValueActivity], [ValueActivity]) = ([], [])
        for var arrived in arrived {
            if state.update(&arrived, at: now) || areEvents {
                changes.append(arrived)
            } else if arrived.origin.cause != .accessory {
                repeated.append(arrived)
            }
        }
        if !changes.isEmpty { activities.publish(.values(changes)) }
        if !repeated.isEmpty { activities.publish(.repeatedWrites(repeated)) }
    }

    /// Publishes writes that failed, in order with the values.
    func report(_ failures: [FailedWrite]) {
        state.withLock { _ in activities.publish(.failedWrites(failures)) }
    }

    /// Updates the accessories' reachability.
    func update(_ updates: [ReachabilityUpdate]) {
        state.withLock { state in
            let changes = updates.filter { state.reachability.updateValue($0, forKey: $0.accessory) != $0 }
            if !state.joining.isEmpty { state.joining.subtract(updates.lazy.map(\.accessory)) }
            if !changes.isEmpty { activities.publish(.reachability(changes)) }
        }
    }

    /// Returns the last run of an action set or a trigger; `nil` if it never ran.
    func run(of id: UUID) -> RunUpdate? {
        state.withLock { $0.runs[id] }
    }

    /// Updates the last runs of action sets and triggers.
    func update(_ updates: [RunUpdate]) {
        state.withLock { state in
            let changes = updates.filter { state.runs.updateValue($0, forKey: $0.id) != $0 }
            if !changes.isEmpty { activities.publish(.runs(changes)) }
        }
    }

    /// Removes accessories that left the home.
    func forget(accessories: some Sequence<UUID>, in home: UUID) {
        state.withLock { state in
            let gone = Set(accessories)
            state.values.remove(accessories: gone, in: home)
            for accessory in gone {
                state.times[accessory] = nil
                state.reachability[accessory] = nil
                state.joining.remove(accessory)
            }
        }
    }

    private func forget(home: UUID) {
        state.withLock { state in
            state.values.remove(home: home)
            for update in state.reachability.values where update.home == home {
                state.times[update.accessory] = nil
            }
            state.reachability = state.reachability.filter { $0.value.home != home }
            state.runs = state.runs.filter { $0.value.home != home }
        }
    }
}
