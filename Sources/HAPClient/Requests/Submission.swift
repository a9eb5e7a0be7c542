internal import Synchronization

/// A request that has its place in an accessory's queue, and its result to come.
///
/// The request runs whether or not anybody waits. Any number of tasks may wait, and may do so after the end too.
/// A class because the one who submits and the session share it.
package final class Submission<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case resolved(Value)
    }

    private let state = Mutex(State.waiting([]))

    init() {}

    /// The result. It comes at the latest when the request's deadline has passed; canceling the waiting task does not
    /// hasten it.
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

    /// Gives the result. Only the first counts.
    func resolve(_ value: Value) {
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
