/// Calls a method and waits for its completion handler, which takes an optional error.
nonisolated(nonsending) func completing(_ method: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        method { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}

/// Calls a method and waits for its completion handler, which takes a result or an error.
nonisolated(nonsending) func completing<Value: Sendable>(
    _ method: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        method { value, error in
            if let value {
                continuation.resume(returning: value)
            } else {
                continuation.resume(throwing: error ?? HMError(.unexpectedError))
            }
        }
    }
}
