import Synchronization

/// A value that tests can change from any thread and wait for.
package final class AwaitableValue<Value: Sendable>: Sendable {
    /// An error that says that a condition did not become true in time.
    package struct TimeoutError: Error, CustomStringConvertible {
        package var value: Value
        package var description: String { "the condition did not become true; the value is \(value)" }
    }

    private struct Waiter {
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var lastWaiter = 0
        var waiting: [Int: Waiter] = [:]
    }

    private let state: Mutex<State>

    /// Creates a value.
    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and ends the waits whose conditions then hold.
    package func change(_ body: (inout Value) -> Void) {
        let (value, ready) = state.withLock { state in
            body(&state.value)
            let value = state.value
            let ready = state.waiting.filter { $0.value.condition(value) }
            for id in ready.keys { state.waiting[id] = nil }
            return (value, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume(returning: value) }
    }

    /// Waits until the condition holds, and returns the value.
    ///
    /// - Throws: ``TimeoutError`` if it doesn't hold in time.
    @discardableResult
    package func until(within limit: Duration = Wait.limit, _ condition: @escaping @Sendable (Value) -> Bool)
        async throws
        -> Value
    {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timeout = Task {
            try await Task.sleep(for: limit)
            let (value, waiter) = state.withLock { ($0.value, $0.waiting.removeValue(forKey: id)) }
            waiter?.continuation.resume(throwing: TimeoutError(value: value))
        }
        defer { timeout.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if condition(state.value) { return state.value }
                state.waiting[id] = Waiter(condition: condition, continuation: continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
