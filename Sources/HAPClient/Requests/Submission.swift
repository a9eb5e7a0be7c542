internal import Synchronization

/// A queued request, and its future result. Requests to accessories, pending changes of the database, and servers that
/// join a home use it.
///
/// The request runs whether or not a task waits for it. Any number of tasks may wait, even after the result is
/// available. It is a class because the submitter and the session share it.
package final class Submission<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case resolved(Value)
    }

    private let state = Mutex(State.waiting([]))

    /// Creates a submission without a result.
    package init() {}

    /// The result, which is available at the latest when the request's deadline passes. Canceling the waiting task has
    /// no effect.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .waiting(let continuations):
                        state = .waiting(continuations + [continuation])
                        return nil
                    case .resolved(let value):
                        return value
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Whether there is a result.
    package var isResolved: Bool {
        state.withLock { state in
            if case .resolved = state { true } else { false }
        }
    }

    /// Sets the result. Only the first call has an effect.
    package func resolve(_ value: Value) {
        let continuations: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .waiting(let continuations) = state else { return [] }
            state = .resolved(value)
            return continuations
        }
        for continuation in continuations {
            continuation.resume(returning: value)
        }
    }
}
