import Synchronization

/// A clock that stands until it is told to go on: by it a garage door takes its ten seconds when the test says so.
public final class ManualClock: Clock {
    // A class, because those who sleep and the one who advances it mean the same clock.

    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        /// The instant so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether the first instant is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate struct State {
        var now = Instant(offset: .zero)
        var sleepers: [UInt64: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var last: UInt64 = 0
        /// How many have begun to wait, and who waits for that number.
        var arrived = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock that stands at zero.
    public init() {}

    /// The time on the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks wait for a time to come.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Waits until the clock has been advanced to an instant.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isDue, watchers) = state.withLock { state in
                    let isDue = Task.isCancelled || deadline <= state.now
                    if !isDue { state.sleepers[id] = (deadline, continuation) }
                    return (isDue, state.noteArrival())
                }
                for watcher in watchers { watcher.resume() }
                if isDue { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock on, and wakes who waited for a time up to then. What they do happens after the return: wait for
    /// what shows that it did.
    ///
    /// Before it moves, it waits until somebody sleeps: what a write sets in motion begins a moment after the write.
    ///
    /// - Parameter count: How many have to sleep before it moves. Where a thermostat drifts by itself, the door that is
    ///   to open is the second.
    /// - Throws: ``WaitTimeoutError`` if fewer sleep within the limit.
    public func advance(
        by duration: Duration,
        once count: Int = 1,
        within limit: Duration = TestHome.waitLimit,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await ConditionPoller(limit: limit).wait {
            sleepers >= count
        } otherwise: {
            WaitTimeoutError(
                count == 1 ? "somebody waits for time to pass" : "\(count) wait for time to pass",
                limit,
                file,
                line,
                state: "The clock stands at \(now.offset), and \(sleepers) wait."
            )
        }
        move(by: duration)
    }

    /// Waits until so many have begun to wait, since the clock was made.
    package func sleepers(_ count: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock on, whether or not anybody waits.
    package func move(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
        }
        for sleeper in due { sleeper.resume() }
    }
}

extension ManualClock.State {
    /// Notes that somebody begins to wait.
    ///
    /// - Returns: Those who waited for that.
    fileprivate mutating func noteArrival() -> [CheckedContinuation<Void, Never>] {
        arrived += 1
        defer { watchers.removeAll { $0.count <= arrived } }
        return watchers.filter { $0.count <= arrived }.map(\.continuation)
    }
}
