/// The streams of a property's values, for which Apple's systems have key-value observing.
struct Broadcast<Value: Sendable & Equatable>: Sendable {
    private(set) var value: Value
    private var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
    private var lastNumber = 0

    init(_ value: Value) {
        self.value = value
    }

    /// Sets the value. Streams yield it if it differs.
    mutating func set(_ value: Value) {
        guard value != self.value else { return }
        self.value = value
        for (number, continuation) in continuations {
            if case .terminated = continuation.yield(value) { continuations[number] = nil }
        }
    }

    /// Returns a stream that yields the value, and then each new one.
    mutating func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(64))
        continuation.yield(value)
        lastNumber += 1
        continuations[lastNumber] = continuation
        return stream
    }
}
