import Foundation
import HomeStore
import Replication
import Synchronization

/// The relay that votes beside the two hubs of the homes.
///
/// Which one it is belongs to the state that both hubs have. So both learn of a change at one place of their batches, and never
/// count on the votes of different relays.
final class VotingRelay: Sendable {
    // This is a class because the parts of the hub share what it follows.

    private struct State {
        var place: RelayPlace?
        /// Where this hub keeps feeds, if it has said so: the relay that should vote.
        var wanted: RelayPlace??
        var answered: Date?
        var problem: String?
        var observers: [@Sendable () -> Void] = []
    }

    static let key = SecretKey(kind: .votingRelay, log: nil)

    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    init(_ place: RelayPlace?, now: @escaping @Sendable () -> Date) {
        state = Mutex(State(place: place))
        self.now = now
    }

    // MARK: Storage

    /// Returns the relay that a store has.
    static func stored(in store: HomeStore) async throws -> RelayPlace? { place(in: try await store.secret(key)) }

    /// Stores the relay of hubs that become two.
    static func store(_ place: RelayPlace?, in store: HomeStore) async throws {
        try await store.setSecrets([key: try place.map { try bytes(of: $0) }])
    }

    static func bytes(of place: RelayPlace) throws -> [UInt8] { Array(try JSONEncoder().encode(place)) }

    private static func place(in bytes: [UInt8]?) -> RelayPlace? {
        bytes.flatMap { try? JSONDecoder().decode(RelayPlace.self, from: Data($0)) }
    }

    // MARK: Reading

    /// The relay that votes; `nil` for none.
    var place: RelayPlace? { state.withLock { $0.place } }

    /// The relay that should vote, as far as this hub has said so.
    var wanted: RelayPlace?? { state.withLock { $0.wanted } }

    /// When the relay last answered, and why it hasn't since; `nil` for what isn't so.
    var answers: (last: Date?, problem: String?) { state.withLock { ($0.answered, $0.problem) } }

    // MARK: Changes

    /// Calls a closure each time that another relay votes, or should vote.
    ///
    /// - Parameter observer: A closure that returns quickly.
    func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(observer) } }

    /// Sets the relay that votes.
    func set(_ place: RelayPlace?) {
        change { state in
            guard state.place != place else { return false }
            (state.place, state.answered, state.problem) = (place, nil, nil)
            return true
        }
    }

    /// Sets the relay that should vote.
    func want(_ place: RelayPlace?) {
        change { state in
            guard state.wanted != .some(place) else { return false }
            state.wanted = .some(place)
            return true
        }
    }

    /// Follows the batches that both hubs apply.
    func receive(_ batches: [AppliedBatch]) {
        for batch in batches {
            guard case .success = batch.result, let steps = batch.content?.steps else { continue }
            for case .setSecrets(let values) in steps {
                if let bytes = values[Self.key] { set(Self.place(in: bytes)) }
            }
        }
    }

    /// Records that the relay was asked.
    ///
    /// - Parameter problem: Why there is no answer; `nil` if there is one.
    func record(problem: String?) {
        let time = now()
        state.withLock { state in
            if problem == nil { state.answered = time }
            state.problem = problem
        }
    }

    private func change(_ body: (inout State) -> Bool) {
        let observers = state.withLock { body(&$0) ? $0.observers : [] }
        for observer in observers { observer() }
    }
}
