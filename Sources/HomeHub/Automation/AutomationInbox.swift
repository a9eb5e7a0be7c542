import Foundation
import HAPCatalog
import HomeModel
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
            if state.isClosed { return true }
            if case .values = input, state.inputs.count >= Self.limit {
                state.dropped += 1
            } else {
                state.inputs.append(input)
            }
            return false
        }
        if isClosed, case .advance(_, let done) = input { done.resume() }
        signal.yield()
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
