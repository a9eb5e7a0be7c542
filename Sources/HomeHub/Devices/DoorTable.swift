import Foundation
import HomeIdentity
import Synchronization

/// The doors through which invited devices reach the hub at its relay, before the relay knows them.
///
/// A door belongs to one invitation. While that is open, any device may come to join with it. Afterwards the device that was let
/// in, or wasn't, comes through it until it knows so, and has another way. The handshakes of pipes ask this table, on any thread.
final class DoorTable: Sendable {
    // This is a class because the relay's pipes and the parts of the hub share one table.

    /// A door.
    struct Door: Hashable, Sendable {
        /// The invitation.
        var invitation: UUID
        /// The relay, and the hub's house there.
        var place: StoredDoor
        /// When it closes.
        var expires: Date
        /// The only device that may use it; `nil` while the invitation is open.
        var device: PublicKey?
    }

    private struct State {
        var relay: RelayPlace?
        var doors: [UUID: Door] = [:]
        var observers: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Sets the hub's relay; `nil` for none.
    func setRelay(_ relay: RelayPlace?) {
        update { $0.relay = relay }
    }

    /// Whether the hub has a relay.
    var hasRelay: Bool { state.withLock { $0.relay != nil } }

    // MARK: Invitations

    /// Makes a door for a new invitation, and returns what its link has; `nil` if there is no relay, if its address is too long
    /// for a link, or if there are as many doors as a relay takes.
    func make(for invitation: UUID, until expires: Date) -> RelayDoor? {
        update { state in
            guard let relay = state.relay, state.doors.count < DeviceLimits.doors,
                let door = RelayDoor(relay: relay.relay, house: relay.house)
            else { return nil }
            let place = StoredDoor(relay: door.relay, house: door.house, key: door.key.publicKey)
            state.doors[invitation] = Door(invitation: invitation, place: place, expires: expires)
            return door
        }
    }

    /// Opens a stored door.
    ///
    /// - Parameter device: The only device that may use it; `nil` while the invitation is open.
    func open(_ place: StoredDoor, of invitation: UUID, until expires: Date, for device: PublicKey? = nil) {
        update { $0.doors[invitation] = Door(invitation: invitation, place: place, expires: expires, device: device) }
    }

    /// Leaves a door open for one device alone, because the invitation has ended.
    ///
    /// - Parameter time: How long at most; `nil` for as long as the invitation would have been open.
    func keep(_ invitation: UUID, for device: PublicKey, within time: TimeInterval? = nil) {
        let now = now()
        update { state in
            guard var door = state.doors[invitation] else { return }
            door.device = device
            if let time { door.expires = min(door.expires, now + time) }
            state.doors[invitation] = door
        }
    }

    /// Closes the door of an invitation.
    func close(_ invitation: UUID) {
        update { $0.doors[invitation] = nil }
    }

    /// Closes the doors that are open for one device alone, because it has come another way.
    ///
    /// - Returns: Their invitations.
    func close(for device: PublicKey) -> [UUID] {
        guard state.withLock({ $0.doors.values.contains { $0.device == device } }) else { return [] }
        return update { state in
            let closed = state.doors.values.filter { $0.device == device }.map(\.invitation)
            for invitation in closed { state.doors[invitation] = nil }
            return closed
        }
    }

    /// Returns whether an invitation's door is open for somebody.
    func has(_ invitation: UUID) -> Bool {
        let now = now()
        return state.withLock { $0.doors[invitation].map { now < $0.expires } ?? false }
    }

    // MARK: The relay

    /// The doors that are open at the hub's relay: their keys, and how many seconds are left.
    var open: [(key: PublicKey, seconds: Int)] {
        let now = now()
        return state.withLock { state in
            state.doors.values.filter { $0.place.isAt(state.relay) && now < $0.expires }
                .sorted { $0.expires > $1.expires }
                .map { ($0.place.key, Int($0.expires.timeIntervalSince(now).rounded(.up))) }
        }
    }

    /// Returns the invitation that a device may use which comes through a door; `nil` if it may not come through it.
    func invitation(ofDoor key: PublicKey, for device: PublicKey) -> UUID? {
        let now = now()
        return state.withLock { state in
            let door = state.doors.values.first {
                $0.place.key == key && $0.place.isAt(state.relay) && now < $0.expires
            }
            guard let door, door.device == nil || door.device == device else { return nil }
            return door.invitation
        }
    }

    /// A stream that yields each time that doors open or close.
    var changes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.observers.append(continuation) }
        return stream
    }

    private func update<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, observers) = state.withLock { state in
            let former = (state.doors, state.relay)
            let result = body(&state)
            return (result, former == (state.doors, state.relay) ? [] : state.observers)
        }
        for observer in observers { observer.yield() }
        return result
    }

    /// Ends the streams.
    func finish() {
        for observer in state.withLock({ $0.observers }) { observer.finish() }
    }
}

/// A door as the hub stores it. The seed is in the link alone.
struct StoredDoor: Hashable, Sendable, Codable {
    /// The relay's address.
    var relay: String
    /// The hub's house there.
    var house: HouseID
    /// The door's key, which the relay knows.
    var key: PublicKey

    /// Returns whether the door is at a relay, and not at one that the hub has left. A door stays where it is when the relay is about
    /// to have another key.
    func isAt(_ place: RelayPlace?) -> Bool {
        place.map { $0.house == house && $0.isAtRelay(of: RelayPlace(relay: relay, house: house)) } ?? false
    }
}
