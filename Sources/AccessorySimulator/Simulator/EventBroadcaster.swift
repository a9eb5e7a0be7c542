internal import Synchronization

/// Passes events on to any number of streams. A class, as the servers and the simulator speak to the same one.
final class EventBroadcaster: Sendable {
    private struct State {
        var streams: [UInt64: AsyncStream<SimulatorEvent>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    /// How many events a stream keeps for a consumer that is slow; then the oldest are dropped.
    private static let capacity = 1024

    /// The last events, for those who ask for them by position.
    let log = EventLog()
    private let state = Mutex(State())

    /// A stream of everything from now on.
    func stream() -> AsyncStream<SimulatorEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SimulatorEvent.self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        let id = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.streams[state.last] = continuation
            return state.last
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ event: SimulatorEvent) {
        log.append(event)
        for continuation in state.withLock({ Array($0.streams.values) }) { continuation.yield(event) }
    }

    /// Ends every stream.
    func finish() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            state.isFinished = true
            return Array(state.streams.values)
        }
        for continuation in streams { continuation.finish() }
        log.finish()
    }
}
