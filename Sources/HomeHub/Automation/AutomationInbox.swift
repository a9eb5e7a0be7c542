import Automations
import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Replication
import Synchronization

/// What happens that automations may wait for, in order, until the runner handles it.
final class AutomationInbox: Sendable {
    // This is a class because the activity stream fills it and the runner empties it.

    /// Something to handle.
    enum Input: Sendable {
        /// Homes were changed or removed. The runner reads the newest state.
        case homes(Set<UUID>)
        /// Values arrived.
        case values([ValueActivity])
        /// A user's presence was reported.
        case presence(PresenceActivity)
        /// This hub leads two hubs, or doesn't any more; `nil` if it is alone from now on.
        case role(HubRole?)
        /// An end time of a run, a due time or a check of the clock.
        case tick
        /// A manual clock advances.
        case advance(milliseconds: Int64, done: CheckedContinuation<Void, Never>)
    }

    /// The number of inputs beyond which values are dropped. The runner handles thousands in a second.
    static let limit = 65_536

    private struct State {
        var inputs: [Input] = []
        var dropped = 0
        var isClosed = false
        /// The accessories that automations watch; `nil` before the runner has started.
        var watched: AccessoryWatches?
        /// The number of changes of homes that the runner hasn't handled, after which it may watch others.
        var unhandledChanges = 0
        /// Whether each home had automations when it changed last.
        var hasTriggers: [UUID: Bool] = [:]
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    /// Yields whenever there is something to handle.
    let signals: AsyncStream<Void>

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an input.
    func add(_ input: Input) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.inputs.append(input) }
            return state.isClosed
        }
        if isClosed, case .advance(_, let done) = input { done.resume() }
        signal.yield()
    }

    /// Adds the homes that a request changed. A home without automations doesn't concern the runner.
    func add(_ request: StoredRequest) {
        let isAdded = state.withLock { state in
            let homes = request.changedHomes.filter { id in
                let hasTriggers = request.state.homes[id].map { !$0.triggers.isEmpty }
                let had = state.hasTriggers[id]
                state.hasTriggers[id] = hasTriggers
                return hasTriggers != false || had != false
            }
            guard !homes.isEmpty, !state.isClosed else { return false }
            state.inputs.append(.homes(homes))
            state.unhandledChanges += 1
            return true
        }
        if isAdded { signal.yield() }
    }

    /// Adds the values that automations watch.
    func add(_ values: [ValueActivity]) {
        let isAdded = state.withLock { state in
            var values = values
            if let watched = state.watched, state.unhandledChanges == 0 {
                values = values.filter { watched.contains($0.update.characteristic.accessory) }
            }
            guard !values.isEmpty, !state.isClosed else { return false }
            guard state.inputs.count < Self.limit else {
                state.dropped += 1
                return false
            }
            state.inputs.append(.values(values))
            return true
        }
        if isAdded { signal.yield() }
    }

    /// Sets the accessories whose values are added from now on.
    ///
    /// - Parameter handled: The changed homes that have been handled; `nil` if these are the homes at the start.
    func watch(_ accessories: AccessoryWatches, after handled: Set<UUID>? = nil) {
        state.withLock { state in
            state.watched = accessories
            if handled != nil { state.unhandledChanges -= 1 }
        }
    }

    /// Removes and returns all inputs, and the number of those that were dropped.
    func empty() -> (inputs: [Input], dropped: Int) {
        state.withLock { state in
            defer { (state.inputs, state.dropped) = ([], 0) }
            return (state.inputs, state.dropped)
        }
    }

    /// Ends the signals. Later inputs are ignored.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.inputs = [] }
            return state.inputs
        }
        for case .advance(_, let done) in rest { done.resume() }
        signal.finish()
    }
}
