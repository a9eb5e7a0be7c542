import Dispatch

/// Runs blocking work on a separate thread, so that no other test waits for it.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
