import Synchronization

/// A clock that only advances on request. For example, a garage door that takes ten seconds opens when the test
/// advances the clock.
public final class ManualClock: Clock {
    // This is a class because all of its users must share the same clock.

    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Returns the instant after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether the first instant is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate struct State {
        var now = Instant(offset: .zero)
        var sleepers: [UInt64: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var last: UInt64 = 0
        /// The number of sleeps so far, and the continuations that wait for that number.
        var arrived = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// The time on the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Waits until the clock has been advanced to an instant.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
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
                    return (isDue, state.recordSleep())
                }
                for watcher in watchers { watcher.resume() }
                if isDue { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock and wakes the tasks whose deadline has passed. They run after this returns, so wait for the
    /// effect that you expect.
    ///
    /// Before it advances, it waits until enough tasks sleep, because an effect of a write starts a moment after the
    /// write.
    ///
    /// - Parameters:
    ///   - duration: The time by which the clock advances.
    ///   - count: The number of tasks that must sleep before the clock advances. For example, if a thermostat is
    ///     drifting, a door that opens is the second.
    ///   - limit: The maximum time to wait for them. It only affects tests that fail.
    ///   - file: The file to name in the error; leave the default.
    ///   - line: The line to name in the error; leave the default.
    /// - Throws: ``WaitTimeoutError`` if fewer tasks sleep within the limit.
    public func advance(
        by duration: Duration,
        afterSleepers count: Int = 1,
        within limit: Duration = TestHome.waitLimit,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await ConditionPoller(limit: limit).wait {
            sleepers >= count
        } otherwise: {
            WaitTimeoutError(
                count == 1 ? "a task sleeps" : "\(count) tasks sleep",
                limit,
                file,
                line,
                state: "The clock is at \(now.offset), and \(sleepers) tasks sleep."
            )
        }
        move(by: duration)
    }

    /// Waits until this many tasks have started sleeping since the clock was created.
    package func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReached = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isReached { continuation.resume() }
        }
    }

    /// Advances the clock, whether or not any task sleeps.
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
    /// Records that a task starts sleeping.
    ///
    /// - Returns: The continuations that waited for that.
    fileprivate mutating func recordSleep() -> [CheckedContinuation<Void, Never>] {
        arrived += 1
        defer { watchers.removeAll { $0.count <= arrived } }
        return watchers.filter { $0.count <= arrived }.map(\.continuation)
    }
}
