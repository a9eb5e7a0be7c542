internal import Synchronization

/// A broadcaster of events to any number of streams. This is a class because the servers and the simulator share it.
final class EventBroadcaster: Sendable {
    private struct State {
        var streams: [UInt64: AsyncStream<SimulatorEvent>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    /// The number of events buffered for a slow consumer. Beyond that, the oldest events are dropped.
    private static let capacity = 1024

    /// The recent events, for requests by position.
    let log = EventLog()
    private let state = Mutex(State())

    /// Returns a stream of all events from now on.
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
        let streams = state.withLock { $0.streams.isEmpty ? [] : Array($0.streams.values) }
        for continuation in streams { continuation.yield(event) }
    }

    /// Finishes all streams.
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
