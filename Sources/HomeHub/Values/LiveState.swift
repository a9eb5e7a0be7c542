import Foundation
import HAPCatalog
import HubAPI
import Synchronization

/// What holds only for the moment: the characteristics' known values and which accessories can be reached.
///
/// It is never stored. Changes go out to the sessions while the lock is held, so that a session that gets its snapshot
/// here misses nothing and hears nothing twice.
final class LiveState: Sendable {
    // A class, because the accessory connections write it and the sessions read it.

    private struct State {
        var values = KnownValues()
        var reachability: [UUID: ReachabilityUpdate] = [:]
    }

    private let sessions: SessionRegistry
    private let state = Mutex(State())

    init(sessions: SessionRegistry) {
        self.sessions = sessions
    }

    /// Hands over the present state; nothing changes until `body` returns.
    func snapshot(_ body: (Present) -> Void) {
        state.withLock { state in
            body(Present(values: state.values, reachability: Array(state.reachability.values)))
        }
    }

    /// The last known value of a characteristic.
    func value(of characteristic: CharacteristicReference, in home: UUID) -> CharacteristicValue? {
        state.withLock { $0.values[characteristic, in: home] }
    }

    /// Why an accessory cannot be reached; nil while it can, or was never tried.
    func cause(ofUnreachable accessory: UUID) -> String? {
        state.withLock { $0.reachability[accessory]?.cause }
    }

    /// Whether an accessory can be reached.
    func isReachable(_ accessory: UUID) -> Bool {
        state.withLock { $0.reachability[accessory]?.isReachable ?? false }
    }

    /// Takes in values.
    ///
    /// - Parameters:
    ///   - updates: The values, of one home.
    ///   - origin: The session that caused them and hears of them by its reply.
    ///   - areEvents: Whether each is news although the value may be the same, as with a button that is pressed again.
    ///   - areForAll: Whether all sessions hear of them, not only those that asked: what an accessory shows when it comes
    ///     into the home or back to it belongs to every client's picture.
    func update(_ updates: [ValueUpdate], origin: UUID? = nil, areEvents: Bool = false, areForAll: Bool = false) {
        state.withLock { state in
            let news = updates.filter { update in
                let known = state.values[update.characteristic, in: update.home]
                state.values[update.characteristic, in: update.home] = update.value
                return areEvents || known != update.value
            }
            guard !news.isEmpty else { return }
            sessions.tell { session in
                guard session.id != origin else { return nil }
                let roles = session.roles
                let heard = session.withFilter { filter in
                    news.filter { update in
                        roles[update.home] != nil
                            && (areForAll || filter.passes(update.characteristic, in: update.home))
                    }
                }
                return heard.isEmpty ? nil : .values(heard)
            }
        }
    }

    /// Takes in who can be reached.
    func update(_ updates: [ReachabilityUpdate]) {
        state.withLock { state in
            let news = updates.filter { state.reachability.updateValue($0, forKey: $0.accessory) != $0 }
            guard !news.isEmpty else { return }
            sessions.tell { session in
                for update in news where !update.isReachable {
                    session.withFilter { $0.drop(accessory: update.accessory) }
                }
                let roles = session.roles
                let heard = news.filter { roles[$0.home] != nil }
                return heard.isEmpty ? nil : .reachability(heard)
            }
        }
    }

    /// Forgets accessories that left the home.
    func forget(accessories: some Sequence<UUID>, in home: UUID) {
        state.withLock { state in
            let gone = Set(accessories)
            state.values.remove(accessories: gone, in: home)
            for accessory in gone { state.reachability[accessory] = nil }
        }
    }

    /// Forgets a home.
    func forget(home: UUID) {
        state.withLock { state in
            state.values.remove(home: home)
            state.reachability = state.reachability.filter { $0.value.home != home }
        }
    }
}
