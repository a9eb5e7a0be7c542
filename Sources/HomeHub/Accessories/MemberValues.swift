import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI
import Synchronization

/// The way of a server's values from its session to the home's accessories.
///
/// The session's thread publishes them itself. To hand them to a task takes longer than to publish them.
final class MemberValues: Sendable {
    // This is a class because the session's thread and the connections share it.

    /// The value of a characteristic; `nil` if the accessory can't read it.
    typealias Arrived = (id: CharacteristicID, value: CharacteristicValue?, arrival: ArrivalOrder)

    private struct State {
        var accessories: [UInt64: UUID] = [:]
        var momentary: Set<CharacteristicID> = []
        var lastEvent: ContinuousClock.Instant?
        var isOver = false
    }

    private let home: UUID
    private let live: LiveState
    // The lock is held while values are published, and acquired before that of the live state.
    private let state = Mutex(State())

    /// Creates the way without accessories.
    init(in home: UUID, live: LiveState) {
        self.home = home
        self.live = live
    }

    /// The home's accessories, by their accessory instance ID (aid) on the server. Values of others are dropped.
    var accessories: [UInt64: UUID] {
        get { state.withLock { $0.accessories } }
        set { state.withLock { $0.accessories = newValue } }
    }

    /// The characteristics whose events all matter, even if the value stays the same.
    var momentary: Set<CharacteristicID> {
        get { state.withLock { $0.momentary } }
        set { state.withLock { $0.momentary = newValue } }
    }

    /// The time of the server's last event.
    var lastEvent: ContinuousClock.Instant? { state.withLock { $0.lastEvent } }

    /// Publishes the values of an event.
    func publishEvent(_ values: [(CharacteristicID, CharacteristicValue?)], arrived arrival: ArrivalOrder) {
        state.withLock { state in
            state.lastEvent = .now
            publish(values.lazy.map { ($0, $1, arrival) }, state)
        }
    }

    /// Publishes values that were read.
    func publish(_ values: [Arrived]) {
        state.withLock { publish(values, $0) }
    }

    /// Drops all later values.
    func end() {
        state.withLock { $0.isOver = true }
    }

    private func publish(_ values: some Sequence<Arrived>, _ state: borrowing State) {
        guard !state.isOver else { return }
        var changed: [ValueActivity] = []
        var pressed: [ValueActivity] = []
        for (id, value, arrival) in values {
            guard let accessory = state.accessories[id.aid] else { continue }
            let reference = CharacteristicReference(accessory: accessory, iid: id.iid)
            let update = ValueActivity(
                update: ValueUpdate(home: home, characteristic: reference, value: value),
                arrival: arrival,
                origin: .accessory,
                isMomentary: state.momentary.contains(id)
            )
            if update.isMomentary { pressed.append(update) } else { changed.append(update) }
        }
        if !changed.isEmpty { live.update(changed) }
        if !pressed.isEmpty { live.update(pressed, areEvents: true) }
    }
}
